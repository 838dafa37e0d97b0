/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits functions' names into a column.  The least useful goes first: the path of a
 * script, the return type, arguments within arguments, parameters, template arguments,
 * namespaces.  The function's own name stays; only one that is itself longer than the
 * column loses its middle.
 */
#ifndef NAME_FIT_H
#define NAME_FIT_H

#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "elf/name_parts.h"

/* What else must stay of a name, to distinguish it from others. */
struct name_kept {
	VEC(struct name_range) ranges;
};

/* NAME in at most ROOM columns, or in more if KEPT (NULL: nothing) needs them. */
void name_fit(struct strbuf *out, const char *name, size_t room, const char *mark,
	      const struct name_kept *kept);

#endif
