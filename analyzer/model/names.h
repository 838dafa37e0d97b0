/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How functions are called in the answers: as in the source, shortened, or as the linker
 * has it; with or without their object.  Each name is made once, when it is first seen.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>

#include "model/model.h"
#include "base/vec.h"

enum name_style { NAME_LONG, NAME_SHORT, NAME_MANGLED, NAME_STYLES };

extern const char *const name_style_words[NAME_STYLES];

/* All-zero: long names without objects. */
struct names {
	enum name_style style;
	bool soname;
	VEC(char *) made; /* by function; NULL: not yet */
};

void names_release(struct names *names);

/* Forgets what was made; the style may change after this. */
void names_clear(struct names *names);

/* Good until names_clear. */
const char *names_function(struct names *names, const struct model *model,
			   uint32_t function);

#endif
