/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mmap ring of one CPU, into which all its events write: perf_event_open(2), "MMAP
 * layout".  The kernel moves the head, we move the tail; between the two lie whole
 * records, the oldest first.
 *
 * Records are returned in place.  One that wraps around the end of the ring is copied, so
 * a reader always sees consecutive bytes.
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sample/sys.h"

struct ring {
	const struct sys *sys;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	size_t size;          /* of data, a power of two */
	uint64_t head, tail;  /* as last read; the kernel's tail is older: */
	uint64_t given;       /* the kernel's tail */
	struct strbuf copy;   /* the wrapped record */
	uint64_t bad_records; /* with impossible sizes */
	bool full;            /* there may have been no room for a record, and then */
	uint64_t full_head;   /* the head was here */
	bool told;            /* … and that records may be lost was said */
};

/* Maps FD's ring of SIZE bytes of data, a power of two of pages.  0 or a negative errno.
 */
int ring_map(struct ring *ring, const struct sys *sys, int fd, size_t size)
	__attribute__((warn_unused_result));

void ring_unmap(struct ring *ring);

/* Reads the kernel's head. */
void ring_look(struct ring *ring);

/*
 * The record at the tail, or NULL if there is none before the head; *LEN is its size.
 * If the bytes cannot be records, the rest is dropped and counted.
 */
const void *ring_peek(struct ring *ring, size_t *len);

/*
 * Prefetches what will be read of the next record, behind the one of LEN bytes at the tail: its
 * first SPAN bytes and, if END, its last word, the size of the stack.  Another CPU wrote it, and
 * each cache line would cost a wait.
 */
void ring_prefetch(const struct ring *ring, size_t len, size_t span, bool end);

/*
 * Steps over the record from ring_peek.  Its bytes stay until its space is given back; a copy of
 * a wrapped one until the next ring_look, as no two wrap between two looks.
 */
void ring_step(struct ring *ring, size_t len);

/* Returns the space of finished records to the kernel. */
void ring_give_back(struct ring *ring);

/* The same if it is a good part of the ring. */
void ring_give_back_part(struct ring *ring);

/* Whether it is so much that the kernel may soon lack it. */
bool ring_holds_much(const struct ring *ring);

/* Whether there may have been no room for a record behind the head. */
bool ring_was_full(const struct ring *ring);

/*
 * Whether the kernel may have lost records and not said so: it does with the next record
 * that fits, and there was none.
 */
bool ring_may_hide_losses(const struct ring *ring);

#endif
