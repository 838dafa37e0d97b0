/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a stack node and a frame to the node's child with that frame.
 *
 * Most nodes have one child: below the point where a stack leaves the known ones each of
 * its nodes is the only child of the one before.  So a node's first child stands in an
 * array by the node's id, and only further ones are hashed.  A new path of 30 nodes writes
 * 240 bytes in a row and one slot of the hash table, where it would touch 30 slots.
 *
 * The array grows by chunks that stay where they are: the collector must not stall.  An
 * all-zero index is an empty one.
 */
#ifndef NODE_INDEX_H
#define NODE_INDEX_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"

struct node_child {
	uint32_t frame;
	uint32_t node; /* 0: there is none, for node 0 is the empty stack */
};

struct node_index {
	VEC(struct node_child *) chunks;
	struct idmap others; /* (parent, frame) → node, of all but first children */
};

void node_index_release(struct node_index *index);

/* The child of PARENT with FRAME, or IDMAP_NONE; PARENT may be IDMAP_NONE. */
uint32_t node_index_get(const struct node_index *index, uint32_t parent, uint32_t frame);

/*
 * The same; where there is none, it is NEXT from now on, which is not 0, and given back.
 * Ids are given in their order, from 1 on.
 */
uint32_t node_index_intern(struct node_index *index, uint32_t parent, uint32_t frame,
			   uint32_t next);

/* The child will be asked for soon. */
void node_index_prefetch(const struct node_index *index, uint32_t parent, uint32_t frame);

#endif
