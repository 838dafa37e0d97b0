/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where frames are in the source and the instructions that the page has, so that it can sum
 * these up for any span: stacks that differ only there are different nodes.
 */
#ifndef PAGE_PLACES_H
#define PAGE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/frame_map.h"
#include "page/code.h"
#include "session/session.h"

/* All frames with the same lines, those of inlined functions too, and the same instruction. */
struct page_place {
	uint32_t instruction; /* its number; 0: none that the page has */
	uint32_t first, end;  /* its lines in page_places, the outermost first */
};

/* A function of the model at a place. */
struct page_pair {
	uint32_t function, place;
};

struct page_places {
	/* by group of the code's sums: numbers from 1, in the page's order; 0: not in the page */
	uint32_t *line_number, *instruction_number;
	VEC(struct page_place) rows; /* the first is none */
	VEC(uint32_t) lines;         /* their numbers; 0: one that the page has not */
	uint32_t **of_frame;         /* by source and frame */
	VEC(struct page_pair) pairs; /* see page_places_apply */
	size_t sources;
};

/* Overwrites OUT, which the caller releases. */
void page_places_read(struct page_places *out, struct session *s,
		      const struct page_code *code);
void page_places_release(struct page_places *places);

/*
 * Makes the ids of FRAMES, functions, indexes of pairs: of each frame the last one has its
 * place.  Returns whether it could: frames that are one with their callers have no place.
 */
bool page_places_apply(struct page_places *places, struct frame_map *frames);

/* None has one: the code's values are only known of the whole recording. */
void page_places_clear(struct page_places *places);

/* Whether stacks have places. */
static inline bool page_places_any(const struct page_places *places)
{
	return places->pairs.len > 0;
}

#endif
