/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distinguishes functions of one name in one object for people: by their declaration
 * ("util.c:12"), the source file in the symbol table, or their beginning
 * ("libx.so+0x1230"), whichever is the first that is known and unique.
 */
#ifndef TWINS_H
#define TWINS_H

#include "model/model.h"
#include "base/vec.h"

/* All-zero: empty. */
struct twins {
	VEC(char *) tells; /* by function; NULL: no other has its name */
	uint64_t changes;  /* the model's, at the last refresh */
};

void twins_release(struct twins *twins);

/* Brings them up to date with MODEL.  False: they already were. */
bool twins_refresh(struct twins *twins, const struct model *model);

/* Or NULL; valid until the next change. */
static inline const char *twins_tell(const struct twins *twins, uint32_t function)
{
	return function < twins->tells.len ? twins->tells.data[function] : NULL;
}

#endif
