/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distinguishes functions that are displayed with one name, for people: by their object
 * ("libx.so"), what a compiler made of one definition ("base object"), their declaration
 * ("util.c:12"), the source file in the symbol table, their object's path, or their
 * beginning ("libx.so+0x1230"), whichever is the first that is known and unique.
 */
#ifndef TWINS_H
#define TWINS_H

#include "elf/demangle.h"
#include "model/model.h"
#include "base/vec.h"

/* By function and object, the one that represents it; the user frees both. */
struct represented {
	uint32_t *functions, *objects;
};

/* Fills OUT. */
typedef void represent_fn(const struct model *model, struct represented *out);

/* How names are displayed. */
struct twins_style {
	bool raw; /* the linker's names; else: */
	enum demangle_style style;
	bool no_inlines;         /* inlined functions are not rows, only names of lines:
				    others need no distinction from them */
	represent_fn *represent; /* which are one; NULL: each is one by itself */
};

/* All-zero: empty. */
struct twins {
	VEC(char *) tells; /* by function; NULL: no other has its name */
	uint64_t changes;  /* the model's, at the last refresh */
};

void twins_release(struct twins *twins);

/* Brings them up to date with MODEL, in a STYLE always the same.  False: they already were. */
bool twins_refresh(struct twins *twins, const struct model *model,
		   const struct twins_style *style);

/* Or NULL; valid until the next change. */
static inline const char *twins_tell(const struct twins *twins, uint32_t function)
{
	return function < twins->tells.len ? twins->tells.data[function] : NULL;
}

#endif
