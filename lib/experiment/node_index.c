/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/node_index.h"

#include "base/pages.h"

enum { CHUNK_NODES = PAGES_STEP / sizeof(struct node_child) };

void node_index_release(struct node_index *index)
{
	vec_for_each(struct node_child *, chunk, &index->chunks)
		pages_free(*chunk, PAGES_STEP);
	vec_release(&index->chunks);
	idmap_release(&index->others);
}

/* The place of PARENT's first child; NULL: PARENT is no node yet. */
static struct node_child *first_of(const struct node_index *index, uint32_t parent)
{
	size_t chunk = parent / CHUNK_NODES;

	if (chunk >= index->chunks.len)
		return NULL;
	return &index->chunks.data[chunk][parent % CHUNK_NODES];
}

uint32_t node_index_get(const struct node_index *index, uint32_t parent, uint32_t frame)
{
	const struct node_child *first = first_of(index, parent);

	if (!first || !first->node)
		return IDMAP_NONE;
	if (first->frame == frame)
		return first->node;
	return idmap_get(&index->others, parent, frame);
}

static struct node_child *make_room(struct node_index *index, uint32_t parent)
{
	while (parent / CHUNK_NODES >= index->chunks.len)
		*vec_push(&index->chunks) = pages_alloc(PAGES_STEP);
	return first_of(index, parent);
}

uint32_t node_index_intern(struct node_index *index, uint32_t parent, uint32_t frame,
			   uint32_t next)
{
	struct node_child *first = make_room(index, parent);

	if (!first->node)
		*first = (struct node_child){ frame, next };
	if (first->frame == frame)
		return first->node;
	return idmap_intern(&index->others, parent, frame, next);
}

void node_index_prefetch(const struct node_index *index, uint32_t parent, uint32_t frame)
{
	const struct node_child *first = first_of(index, parent);

	if (first)
		__builtin_prefetch(first);
	idmap_prefetch(&index->others, parent, frame);
}
