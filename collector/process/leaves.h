/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples by the place in a file that they lie in, to know when the names are written how
 * many of them have none.  All-zero is empty.
 */
#ifndef LEAVES_H
#define LEAVES_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"

struct leaves {
	struct idmap places;
	VEC(uint64_t) samples;
};

void leaves_release(struct leaves *l);

/* A sample at this OFFSET of the file of MODULE, an index. */
void leaves_take(struct leaves *l, uint32_t module, uint64_t offset);

uint64_t leaves_at(const struct leaves *l, uint32_t module, uint64_t offset);

#endif
