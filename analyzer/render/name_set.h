/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shortened names of one table: names that differ still differ.  Those that would be
 * displayed alike keep the words in which they differ, if need be beyond their column.
 */
#ifndef NAME_SET_H
#define NAME_SET_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/strbuf.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "render/name_fit.h"

/* A name and its room. */
struct name_fitted {
	uint32_t name;
	size_t room;
};

/* The names of one table, which must remain different.  */
struct name_set {
	const char *mark; /* borrowed */
	struct strtab names;
	struct idmap fits; /* by name and room: an index of the following */
	VEC(struct name_fitted) all;
	VEC(struct name_kept) kept; /* by name */
};

void name_set_init(struct name_set *set, const char *mark);
void name_set_release(struct name_set *set);

/* First adds all names with their rooms; those that fit are ignored. */
void name_set_add(struct name_set *set, const char *name, size_t room);

/* Then finds what distinguishes those that would be displayed alike. */
void name_set_distinguish(struct name_set *set);

/* Then puts any of them. */
void name_set_put(const struct name_set *set, const char *name, size_t room,
		  struct strbuf *out);

#endif
