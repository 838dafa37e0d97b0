/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of the perf ring, put together field by field in the order that
 * <linux/perf_event.h> gives them.  They are appended to a strbuf, whose bytes are
 * aligned to 8 as those of a ring are.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdbool.h>
#include <string.h>

#include "sample/record.h"
#include "base/strbuf.h"

static inline void rec_u32(struct strbuf *sb, uint32_t value)
{
	strbuf_add(sb, &value, sizeof(value));
}

static inline void rec_u64(struct strbuf *sb, uint64_t value)
{
	strbuf_add(sb, &value, sizeof(value));
}

/* A name with its NUL, filled up to 8. */
static inline void rec_text(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text) + 1);
	strbuf_pad(sb, '\0', -sb->len & 7);
}

/* A header, whose size rec_end fills in; gives where the record begins. */
static inline size_t rec_begin(struct strbuf *sb, uint32_t type, uint16_t misc)
{
	const struct perf_event_header h = { .type = type, .misc = misc };
	size_t start = sb->len;

	strbuf_add(sb, &h, sizeof(h));
	return start;
}

static inline void rec_end(struct strbuf *sb, size_t start)
{
	uint16_t size = (uint16_t)(sb->len - start);

	memcpy(sb->data + start + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
}

/* The end of a record that is no sample: struct sample_id. */
static inline void rec_end_id(struct strbuf *sb, size_t start, uint64_t type,
			      const struct record_id *at)
{
	if (type & PERF_SAMPLE_TID) {
		rec_u32(sb, at->pid);
		rec_u32(sb, at->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		rec_u64(sb, at->time);
	if (type & PERF_SAMPLE_ID)
		rec_u64(sb, at->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		rec_u64(sb, 0x57);
	if (type & PERF_SAMPLE_CPU) {
		rec_u32(sb, at->cpu);
		rec_u32(sb, 0xdead);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		rec_u64(sb, at->id);
	rec_end(sb, start);
}

/* What a sample carries; arrays that are NULL are empty. */
struct rec_sample {
	struct record_id at;
	uint64_t ip, period;
	const uint64_t *chain;
	size_t chain_len;
	uint64_t abi; /* PERF_SAMPLE_REGS_ABI_* */
	const uint64_t *regs;
	size_t regs_len;
	size_t stack_room; /* bytes, a multiple of 8; filled with 0, 1, 2, … */
	uint64_t stack_used;
	uint64_t address, weight, data_source;
};

static inline void rec_sample_ids(struct strbuf *sb, uint64_t type,
				  const struct rec_sample *s)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		rec_u64(sb, s->at.id);
	if (type & PERF_SAMPLE_IP)
		rec_u64(sb, s->ip);
	if (type & PERF_SAMPLE_TID) {
		rec_u32(sb, s->at.pid);
		rec_u32(sb, s->at.tid);
	}
	if (type & PERF_SAMPLE_TIME)
		rec_u64(sb, s->at.time);
	if (type & PERF_SAMPLE_ADDR)
		rec_u64(sb, s->address);
	if (type & PERF_SAMPLE_ID)
		rec_u64(sb, s->at.id);
	if (type & PERF_SAMPLE_STREAM_ID)
		rec_u64(sb, 0x57);
	if (type & PERF_SAMPLE_CPU) {
		rec_u32(sb, s->at.cpu);
		rec_u32(sb, 0xdead);
	}
	if (type & PERF_SAMPLE_PERIOD)
		rec_u64(sb, s->period);
}

static inline void rec_sample(struct strbuf *sb, uint64_t type, uint16_t misc,
			      const struct rec_sample *s)
{
	size_t start = rec_begin(sb, PERF_RECORD_SAMPLE, misc);

	rec_sample_ids(sb, type, s);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		rec_u64(sb, s->chain_len);
		for (size_t i = 0; i < s->chain_len; i++)
			rec_u64(sb, s->chain[i]);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		rec_u64(sb, s->abi);
		for (size_t i = 0; s->abi && i < s->regs_len; i++)
			rec_u64(sb, s->regs[i]);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		rec_u64(sb, s->stack_room);
		for (size_t i = 0; i < s->stack_room; i++)
			strbuf_addch(sb, (char)i);
		if (s->stack_room)
			rec_u64(sb, s->stack_used);
	}
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		rec_u64(sb, s->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		rec_u64(sb, s->data_source);
	rec_end(sb, start);
}

#endif
