/* SPDX-License-Identifier: Apache-2.0 */
/* The stack nodes of an experiment from the root down: the children of each. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <stdint.h>

#include "experiment/read.h"

/* By node, in the order of their numbers; 0: none. */
struct children {
	uint32_t *first, *next; /* its first child, its next sibling */
};

/* Overwrites OUT, which the caller releases. */
void children_build(struct children *out, const struct experiment *exp);
void children_release(struct children *children);

#endif
