/* SPDX-License-Identifier: Apache-2.0 */
/* A node is found whichever child of its parent it is, and is unique for its frame. */
#include "experiment/node_index.h"

#include "tap.h"

enum { NODES = 400000, FRAMES = 5, PATH = 20 };

static void test_one(void)
{
	struct node_index index = { 0 };

	is_u64(node_index_get(&index, 0, 7), IDMAP_NONE, "an all-zero index is empty");
	is_u64(node_index_intern(&index, 0, 7, 1), 1, "the first child");
	is_u64(node_index_intern(&index, 0, 7, 2), 1, "… again");
	is_u64(node_index_get(&index, 0, 0), IDMAP_NONE, "another frame is not known");
	is_u64(node_index_intern(&index, 0, 0, 2), 2, "… until it is the second child");
	is_u64(node_index_get(&index, 0, 0), 2, "… and is found");
	is_u64(node_index_get(&index, 0, 7), 1, "… like the first");
	is_u64(node_index_get(&index, 2, 0), IDMAP_NONE, "a node without a child");
	is_u64(node_index_get(&index, NODES, 0), IDMAP_NONE, "a missing node");
	is_u64(node_index_get(&index, IDMAP_NONE, IDMAP_NONE), IDMAP_NONE,
	       "an unknown node has no child");
	node_index_prefetch(&index, IDMAP_NONE, 0);
	node_index_release(&index);
	is_u64(node_index_get(&index, 0, 7), IDMAP_NONE, "a released one is empty");
	node_index_release(&index);
}

/* Paths below older nodes, beside a table that hashes all children. */
static void test_many(void)
{
	struct node_index index = { 0 };
	struct idmap all = { 0 };
	uint32_t seed = 2463534242, next = 1, wrong = 0, missed = 0;

	while (next < NODES) {
		uint32_t parent = seed % next;

		for (int i = 0; i < PATH; i++) {
			uint32_t frame, id;

			seed ^= seed << 13;
			seed ^= seed >> 17;
			seed ^= seed << 5;
			frame = seed % FRAMES;
			id = idmap_intern(&all, parent, frame, next);
			missed += node_index_get(&index, parent, frame) !=
				  (id == next ? IDMAP_NONE : id);
			wrong += node_index_intern(&index, parent, frame, next) != id;
			next += id == next;
			parent = id;
		}
	}
	is_u64(wrong, 0, "%u nodes have the ids of a table of all children", next);
	is_u64(missed, 0, "… and are known afterwards");
	ok(index.others.len < all.len / 4, "… and few are hashed");
	ok(index.chunks.len > 2, "… in several chunks");
	node_index_release(&index);
	idmap_release(&all);
}

int main(void)
{
	test_one();
	test_many();
	return done_testing();
}
