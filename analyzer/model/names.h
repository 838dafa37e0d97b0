/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How answers display functions: as in the source, shortened, or with the linker's names;
 * with or without their object.  Functions of one name have a distinction appended
 * (twins.h). Each name is made once, at first use.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>

#include "model/model.h"
#include "model/twins.h"
#include "base/vec.h"

/* NAME_AUTO: long, and shortened where that does not fit. */
enum name_style { NAME_AUTO, NAME_LONG, NAME_SHORT, NAME_MANGLED, NAME_STYLES };

extern const char *const name_style_words[NAME_STYLES];

/* All-zero: names as they fit, without objects. */
struct names {
	enum name_style style;
	bool soname;
	bool no_inlines;         /* twins.h; changes need names_clear */
	VEC(char *) made;        /* by function; NULL: not yet */
	VEC(char *) old;         /* outdated names, which may be in use */
	represent_fn *represent; /* twins.h; or NULL.  Changes need names_clear */
	struct twins twins;
};

void names_release(struct names *names);

/* Drops the names made so far; the style may change after this. */
void names_clear(struct names *names);

/* Valid until names_clear. */
const char *names_function(struct names *names, const struct model *model,
			   uint32_t function);

/* Whether FUNCTION is displayed as TEXT, with or without its object and distinction. */
bool names_fits(struct names *names, const struct model *model, uint32_t function,
		const char *text);

#endif
