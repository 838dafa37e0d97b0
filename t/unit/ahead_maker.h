/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that make a stream (ahead_stream.h) have in common. */
#ifndef AHEAD_MAKER_H
#define AHEAD_MAKER_H

#include "ahead_stream.h"
#include "own_stacks.h"

#define MAKER_KERNEL UINT64_C(0xffffffff81000000) /* where its code begins */

/* What a stream is made by. */
struct maker {
	const struct stream_setup *setup;
	struct stream *stream;
	struct self_sample *sample;
	struct own_stacks stacks;
	VEC(const struct self_map *) maps; /* of code */
	uint64_t random, time;
	uint64_t paths;                /* that were fresh */
	uint32_t hot;                  /* a thread's number; 0: none is */
	uint64_t shifts[STREAM_TASKS]; /* how far a process's code is from ours */
};

/* Less than LIMIT. */
uint32_t maker_below(struct maker *m, uint32_t limit);

/* RATE times of 1,000. */
bool maker_happens(struct maker *m, unsigned rate);

/* Of that process. */
uint64_t *maker_shift_of(struct maker *m, uint32_t pid);

/* A thread, and now. */
struct record_id maker_id_of(struct maker *m);

/* It does not fit. */
void maker_be_strange(struct maker *m, struct record_id *at);

/* Begins the next record; gives where. */
size_t maker_begin(struct maker *m, uint32_t type, uint16_t misc);

/* Ends one that is no sample. */
void maker_end(struct maker *m, size_t start, const struct record_id *at);

void maker_add_sample(struct maker *m);

#endif
