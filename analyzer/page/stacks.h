/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page's numbers of functions and nodes: functions by name, so that names share their
 * beginnings; nodes in the order of a walk: 0 the root, each before all below it, and these
 * before its next sibling.
 *
 * A tree larger than a browser can show loses its smallest branches: each becomes part of
 * one node <Merged> below the nearest node that stays.
 *
 * Nodes with the same parent and function differ in their places.
 */
#ifndef PAGE_STACKS_H
#define PAGE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/places.h"
#include "page/strip.h"
#include "session/session.h"

struct page_node {
	uint32_t parent, function; /* the root's: 0, 0 */
	uint32_t place;            /* of its frame, where its function is the last one */
	bool inlined;              /* wherever it occurs */
};

struct page_stacks {
	VEC(struct page_node) nodes;
	VEC(uint32_t)
	functions;         /* of the model, in the page's order; <Merged> is MODEL_NONE */
	struct value *own; /* that of metric M and node N is own[M × nodes + N] */
	uint32_t **leaf;   /* source → node of its experiment → node */
	size_t merged;     /* nodes of the tree that are in <Merged> */
	struct value merged_value; /* their METRIC */
	const struct model *model;
	struct page_strip *strip; /* borrowed */
};

/*
 * At most NODES of them, those with most of METRIC, besides <Merged>.  Clears PLACES if there
 * are too many nodes with them.  Overwrites OUT, which the caller releases.
 */
void page_stacks_build(struct page_stacks *out, struct session *s,
		       struct page_strip *strip, struct page_places *places,
		       uint32_t metric, size_t nodes);
void page_stacks_release(struct page_stacks *stacks);

/* By node, the first one with the same functions; the caller frees it. */
uint32_t *page_stacks_first_alike(const struct page_stacks *stacks);

/* What a page calls FUNCTION of page_stacks. */
const char *page_function_name(struct session *s, struct page_strip *strip,
			       uint32_t function);

#endif
