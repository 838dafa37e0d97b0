/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mmap ring of one CPU, into which all its events write: perf_event_open(2), "MMAP
 * layout".  The kernel moves the head, we move the tail; between the two lie whole
 * records, the oldest first.
 *
 * Records are handed out where they lie.  One that wraps round the end of the ring is
 * copied, so that a reader sees consecutive bytes either way.
 */
#ifndef RING_H
#define RING_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sample/sys.h"

struct ring {
	const struct sys *sys;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	size_t size;          /* of data, a power of two */
	uint64_t head, tail;  /* as last read; what the kernel knows of tail is older: */
	uint64_t given;       /* the tail that it knows */
	struct strbuf copy;   /* the wrapped record */
	uint64_t bad_records; /* whose size cannot be */
};

/* Maps FD's ring of SIZE bytes of data, a power of two of pages.  0 or a negative errno.
 */
int ring_map(struct ring *ring, const struct sys *sys, int fd, size_t size)
	__attribute__((warn_unused_result));

void ring_unmap(struct ring *ring);

/* Reads how far the kernel has written. */
void ring_look(struct ring *ring);

/*
 * The record at the tail, or NULL where there is none up to the head that was read; *LEN
 * is its size.  Good until ring_step.  Where the bytes cannot be records the rest is
 * dropped and counted.
 */
const void *ring_peek(struct ring *ring, size_t *len);

/*
 * Has the CPU fetch the record behind the one of LEN bytes at the tail, as far as a
 * sample is looked at: another CPU wrote it, and a stack is read line by line with a wait
 * for each.
 */
void ring_prefetch(const struct ring *ring, size_t len);

/*
 * Steps over the record that ring_peek gave.  The kernel has its room back when a part of
 * the ring has been stepped over, or by ring_give_back.
 */
void ring_step(struct ring *ring, size_t len);

/* Gives the kernel back what was stepped over. */
void ring_give_back(struct ring *ring);

#endif
