/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples of a recording by thread, time and node.  Time is in ticks; a slot is one
 * thread in one tick, with an entry for each node.  share/page/FORMAT.md describes the
 * columns.
 */
#ifndef PAGE_SLOTS_H
#define PAGE_SLOTS_H

#include <stdint.h>

#include "model/moments.h"
#include "page/stacks.h"
#include "base/strbuf.h"

/* The finest resolution of time. */
enum { PAGE_TICK_LEAST_NS = 1000000 };

/* A thread of all sources. */
struct page_thread {
	uint32_t source, row; /* in the experiment's threads: its last name */
};

struct page_times {
	VEC(struct page_thread) threads; /* those with samples */
	struct moments *moments;         /* by source */
	uint64_t end_ns;                 /* of the last sample and life, at least */
	uint64_t tick_ns;
	uint32_t ticks;
	const struct model *model;
};

/* Where each sample is written, in order. */
enum page_column {
	PAGE_THREAD_SLOTS, /* by thread */
	PAGE_SLOT_TICK,    /* by slot */
	PAGE_SLOT_ENTRIES,
	PAGE_ENTRY_NODE, /* by entry */
	PAGE_ENTRY_SAMPLES,
	PAGE_ENTRY_WEIGHT,
	PAGE_COLUMNS
};

struct page_slots {
	uint64_t weight_unit; /* of PAGE_ENTRY_WEIGHT */
	uint64_t units;       /* of most samples */
	size_t entries;
	uint64_t *node_units; /* by node: of all its entries */
	struct strbuf columns[PAGE_COLUMNS];
};

/* Reads the samples that the filter admits.  Overwrites OUT, which the caller releases. */
void page_times_read(struct page_times *out, struct session *s);
void page_times_release(struct page_times *times);

/*
 * Chooses the finest tick with which there are ENTRIES at most, but no longer one than a
 * timeline needs.  Returns how many there are.
 */
size_t page_times_choose_tick(struct page_times *times, const struct page_stacks *stacks,
			      size_t entries);

/*
 * By last row of a source's thread: 1 + its number in the page; 0: it is not there.  The
 * caller frees it.
 */
uint32_t *page_thread_numbers(const struct page_times *times, uint32_t source);

/* The samples of a thread of the page. */
const struct timeline *page_timeline(const struct page_times *times,
				     const struct page_thread *thread, size_t metric);

/* What follows STEP in 1, 2, 5, 10 … */
uint64_t page_next_step(uint64_t step);

/* Those of METRIC.  Overwrites OUT, which the caller releases. */
void page_slots_write(struct page_slots *out, const struct page_times *times,
		      const struct page_stacks *stacks, uint32_t metric);
void page_slots_release(struct page_slots *slots);

/* WEIGHT in units, rounded; *SHORT_OF is what is owed since the last time. */
uint64_t page_units(const struct page_slots *slots, uint64_t weight, int64_t *short_of);

/* The signed DIFFERENCE as FORMAT.md has it. */
static inline uint64_t page_zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

#endif
