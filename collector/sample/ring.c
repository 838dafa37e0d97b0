/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64, PARTS = 16, MUCH = 4 };

int ring_map(struct ring *ring, const struct sys *sys, int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = sys->mmap(page + size, fd);

	if (map == MAP_FAILED)
		return -errno;
	*ring = (struct ring){
		.sys = sys,
		.page = map,
		.data = (const unsigned char *)map + page,
		.size = size,
	};
	return 0;
}

void ring_unmap(struct ring *ring)
{
	if (ring->page)
		ring->sys->munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->size);
	strbuf_release(&ring->copy);
	*ring = (struct ring){ 0 };
}

/*
 * Acquire: once the head is visible, so are the records before it.  The head is a
 * multiple of 8; otherwise a header could cross the end of the ring.
 */
void ring_look(struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);

	ring->head = head & ~UINT64_C(7);
}

/* LEN bytes at the tail, in one piece. */
static const void *whole(struct ring *ring, size_t len)
{
	size_t at = (size_t)ring->tail & (ring->size - 1);

	if (at + len <= ring->size)
		return ring->data + at;
	strbuf_clear(&ring->copy);
	strbuf_add(&ring->copy, ring->data + at, ring->size - at);
	strbuf_add(&ring->copy, ring->data, len - (ring->size - at));
	return ring->copy.data;
}

/*
 * The header is read once: the ring is memory that the kernel can write, and its size
 * may not change between the check and the use.  Headers never wrap, for all sizes are
 * multiples of 8.
 */
const void *ring_peek(struct ring *ring, size_t *len)
{
	uint64_t left = ring->head - ring->tail;
	struct perf_event_header header;

	if (!left)
		return NULL;
	memcpy(&header, ring->data + (ring->tail & (ring->size - 1)), sizeof(header));
	if (left > ring->size || header.size < sizeof(header) || header.size % 8 ||
	    header.size > left) {
		ring->bad_records++;
		ring->tail = ring->head;
		return NULL;
	}
	*len = header.size;
	return whole(ring, header.size);
}

void ring_prefetch(const struct ring *ring, size_t len, size_t span, bool end)
{
	uint64_t from = ring->tail + len;
	size_t left = ring->head - from;

	if (span > left)
		span = left;

	for (size_t at = 0; at < span; at += CACHE_LINE)
		__builtin_prefetch(ring->data + ((from + at) & (ring->size - 1)));
	if (end && len <= left)
		__builtin_prefetch(ring->data + ((from + len - 8) & (ring->size - 1)));
}

/* The largest record; small rings have smaller ones. */
static size_t most_wanted(const struct ring *ring)
{
	return ring->size / 8 < UINT16_MAX ? ring->size / 8 : UINT16_MAX;
}

/* Now, or when space was given back last: a round may do that while the kernel writes on. */
bool ring_was_full(const struct ring *ring)
{
	return (ring->full && ring->full_head == ring->head) ||
	       ring->head - ring->given + most_wanted(ring) > ring->size;
}

/*
 * Release: all reads of the records are done before the kernel may overwrite them.  What
 * it lost for want of this space it lost before the head that is read afterwards.
 */
void ring_give_back(struct ring *ring)
{
	uint64_t before = ring->given, head;

	ring->given = ring->tail;
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	if (head - before + most_wanted(ring) <= ring->size)
		return;
	ring->told = ring->told && ring->full_head == head;
	ring->full = true;
	ring->full_head = head;
}

bool ring_may_hide_losses(const struct ring *ring)
{
	return ring->full && ring->full_head == __atomic_load_n(&ring->page->data_head,
								__ATOMIC_ACQUIRE);
}

void ring_step(struct ring *ring, size_t len)
{
	ring->tail += len;
}

/*
 * The kernel continues to write during a round: space that it gets back early saves
 * records.
 */
void ring_give_back_part(struct ring *ring)
{
	if (ring->tail - ring->given >= ring->size / PARTS)
		ring_give_back(ring);
}

bool ring_holds_much(const struct ring *ring)
{
	return ring->tail - ring->given >= ring->size / MUCH;
}
