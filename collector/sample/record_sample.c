/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/record_sample.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"

enum { BRANCH_COUNTERS = 1 << 19 }; /* of branch_sample_type, Linux 6.8 */

/* The fields that decode_fields reads itself. */
enum {
	SAMPLE_FIXED = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
		       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD
};

/* The first bit of sample_type that Linux 7.0 does not know. */
enum { SAMPLE_UNKNOWN = 1 << 25 };

void record_decode_id(struct cursor *c, uint64_t type, struct record_id *at)
{
	if (type & PERF_SAMPLE_TID) {
		at->pid = cursor_u32(c);
		at->tid = cursor_u32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		at->time = cursor_u64(c);
	if (type & PERF_SAMPLE_ID)
		at->id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	if (type & PERF_SAMPLE_CPU) {
		at->cpu = cursor_u32(c);
		cursor_u32(c);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		at->id = cursor_u64(c);
}

/* COUNT words in the host's order: in place, or in the format's own room. */
static const uint64_t *decode_words(struct cursor *c, const struct record_format *format,
				    uint64_t count)
{
	struct cursor words;
	uint64_t *to;

	if (count > cursor_left(c) / 8 || cursor_left(c) / 8 > RECORD_WORDS_MAX) {
		cursor_fail(c);
		return NULL;
	}
	if (!format->swapped && (uintptr_t)c->at % sizeof(uint64_t)) {
		cursor_fail(c); /* the kernel fills raw bytes up to 8 */
		return NULL;
	}
	if (!format->swapped)
		return cursor_bytes(c, (size_t)count * 8);
	/* the place of a run depends on its original place, so runs do not overlap */
	to = format->swapped + RECORD_WORDS_MAX - cursor_left(c) / 8;
	words = cursor_sub(c, (size_t)count * 8);
	for (size_t i = 0; i < count; i++)
		to[i] = cursor_u64(&words);
	return to;
}

/*
 * The kernel puts a marker before each run of addresses (PERF_CONTEXT_*, "negative"
 * numbers); addresses behind a guest's marker are not ours.  Without markers, as other
 * programs write them, they belong to the sample's own mode.
 */
static void split_chain(const uint64_t *ips, size_t len, uint16_t misc,
			struct record_sample *s)
{
	unsigned mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct record_chain none = { 0 }, *run = &none;

	if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_USER) {
		run = mode == PERF_RECORD_MISC_KERNEL ? &s->kernel : &s->user;
		run->ips = ips;
	}
	for (size_t i = 0; i < len; i++) {
		if (ips[i] >= (uint64_t)PERF_CONTEXT_MAX) {
			run = ips[i] == (uint64_t)PERF_CONTEXT_KERNEL ? &s->kernel
			      : ips[i] == (uint64_t)PERF_CONTEXT_USER ? &s->user
								      : &none;
			*run = (struct record_chain){ .ips = &ips[i + 1] };
		} else if (run->ips) {
			run->len++;
		}
	}
}

static void decode_chain(struct cursor *c, const struct record_format *format,
			 struct record *out)
{
	uint64_t len = cursor_u64(c);
	const uint64_t *ips = decode_words(c, format, len);

	if (!ips)
		return;
	out->sample.chain_len = (size_t)len;
	split_chain(ips, (size_t)len, out->misc, &out->sample);
}

/* The layout of perf_event_open(2), "Reading results", with or without the group. */
static void decode_counts(struct cursor *c, const struct record_format *format,
			  struct record *out)
{
	const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING;
	const uint64_t beside = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	uint64_t type = format->read_format;
	struct record_counts *counts = &out->sample.counts;
	unsigned before = (unsigned)__builtin_popcountll(type & times);

	counts->width = 1 + (size_t)__builtin_popcountll(type & beside);
	if (type & PERF_FORMAT_GROUP) {
		uint64_t len = cursor_u64(c);

		decode_words(c, format, before);
		if (len > cursor_left(c) / (8 * counts->width)) {
			cursor_fail(c);
			return;
		}
		counts->words = decode_words(c, format, len * counts->width);
		counts->len = counts->words ? (size_t)len : 0;
		return;
	}
	/* a single counter has the sample's own id */
	counts->words = decode_words(c, format, counts->width + before);
	counts->len = counts->words ? 1 : 0;
	counts->width = 1;
}

static void decode_raw(struct cursor *c, const struct record_format *format,
		       struct record *out)
{
	uint32_t len = cursor_u32(c);

	(void)format;
	out->sample.raw = cursor_bytes(c, len);
	out->sample.raw_len = out->sample.raw ? len : 0;
}

/* The third word of each is a bit field.  The words are in ROOM, which is ours. */
static void turn_flags(uint64_t *room, const struct record_branches *branches)
{
	uint64_t *words = room + (branches->words - room);

	for (size_t i = 0; i < branches->len; i++)
		words[3 * i + 2] = bits_reversed(words[3 * i + 2]);
}

static void decode_branches(struct cursor *c, const struct record_format *format,
			    struct record *out)
{
	struct record_branches *branches = &out->sample.branches;
	uint64_t len = cursor_u64(c);

	if (format->branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor_u64(c);
	if (len > cursor_left(c) / 24) {
		cursor_fail(c);
		return;
	}
	branches->words = decode_words(c, format, len * 3);
	branches->len = branches->words ? (size_t)len : 0;
	if (format->swapped && branches->len)
		turn_flags(format->swapped, branches);
	if (format->branch_type & BRANCH_COUNTERS)
		decode_words(c, format, len);
}

static void decode_regs(struct cursor *c, const struct record_format *format,
			struct record *out)
{
	struct record_sample *s = &out->sample;

	s->regs_abi = cursor_u64(c);
	if (s->regs_abi != PERF_SAMPLE_REGS_ABI_NONE)
		s->regs = decode_words(c, format,
				       (uint64_t)__builtin_popcountll(format->regs_user));
}

/* Room for SIZE bytes; only the first dyn_size bytes, a number behind it, are stack. */
static void decode_stack(struct cursor *c, const struct record_format *format,
			 struct record *out)
{
	struct record_sample *s = &out->sample;
	uint64_t size = cursor_u64(c), used;

	(void)format;
	if (!size)
		return;
	s->stack = cursor_bytes(c, (size_t)size);
	used = cursor_u64(c);
	if (used > size) {
		cursor_fail(c);
		return;
	}
	s->stack_len = (size_t)used;
	s->stack_room = (size_t)size;
}

/* The struct's low half is the latency of the access, in either byte order. */
static void decode_weight(struct cursor *c, const struct record_format *format,
			  struct record *out)
{
	uint64_t weight = cursor_u64(c);

	if (!(format->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)) {
		out->sample.latency = weight;
		return;
	}
	out->sample.latency = weight & UINT32_MAX;
	out->sample.weight2 = weight >> 32 & UINT16_MAX;
	out->sample.weight3 = (uint16_t)(weight >> 48);
}

/* The registers at the interrupt, which no view shows. */
static void decode_regs_intr(struct cursor *c, const struct record_format *format,
			     struct record *out)
{
	(void)out;
	if (cursor_u64(c) != PERF_SAMPLE_REGS_ABI_NONE)
		decode_words(c, format,
			     (uint64_t)__builtin_popcountll(format->regs_intr));
}

static void decode_aux(struct cursor *c, const struct record_format *format,
		       struct record *out)
{
	uint64_t len = cursor_u64(c);

	(void)format;
	cursor_bytes(c, len < SIZE_MAX ? (size_t)len : SIZE_MAX);
	out->sample.aux_len = len;
}

/*
 * The parts of a sample behind its fixed ones, in their order: a word for an offset in
 * record_sample, or a part that a function decodes.
 */
#define WORD(field) offsetof(struct record_sample, field), NULL
static const struct {
	uint64_t bit;
	size_t word;
	void (*decode)(struct cursor *, const struct record_format *, struct record *);
} sample_parts[] = {
	{ PERF_SAMPLE_READ, 0, decode_counts },
	{ PERF_SAMPLE_CALLCHAIN, 0, decode_chain },
	{ PERF_SAMPLE_RAW, 0, decode_raw },
	{ PERF_SAMPLE_BRANCH_STACK, 0, decode_branches },
	{ PERF_SAMPLE_REGS_USER, 0, decode_regs },
	{ PERF_SAMPLE_STACK_USER, 0, decode_stack },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, 0, decode_weight },
	{ PERF_SAMPLE_DATA_SRC, WORD(data_source) },
	{ PERF_SAMPLE_TRANSACTION, WORD(transaction) },
	{ PERF_SAMPLE_REGS_INTR, 0, decode_regs_intr },
	{ PERF_SAMPLE_PHYS_ADDR, WORD(physical) },
	{ PERF_SAMPLE_CGROUP, WORD(cgroup) },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, WORD(data_page) },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, WORD(code_page) },
	{ PERF_SAMPLE_AUX, 0, decode_aux },
};
#undef WORD

static void decode_part(struct cursor *c, const struct record_format *format, size_t part,
			struct record *out)
{
	char *sample = (char *)&out->sample;
	uint64_t word;

	if (sample_parts[part].decode) {
		sample_parts[part].decode(c, format, out);
		return;
	}
	word = cursor_u64(c);
	memcpy(sample + sample_parts[part].word, &word, sizeof(word));
}

/* Most samples have one or two of them, and those come first. */
static void decode_parts(struct cursor *c, const struct record_format *format,
			 struct record *out)
{
	const size_t count = sizeof(sample_parts) / sizeof(sample_parts[0]);
	uint64_t left = format->sample_type & ~(uint64_t)SAMPLE_FIXED;

	for (size_t i = 0; left && i < count; i++) {
		if (left & sample_parts[i].bit)
			decode_part(c, format, i, out);
		left &= ~sample_parts[i].bit;
	}
}

static void decode_fields(struct cursor *c, const struct record_format *format,
			  struct record *out)
{
	uint64_t type = format->sample_type;
	struct record_sample *s = &out->sample;

	/* a field that we do not know would shift others */
	if (type >= SAMPLE_UNKNOWN) {
		cursor_fail(c);
		return;
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		out->at.id = cursor_u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor_u64(c);
	record_decode_id(c, type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME), &out->at);
	if (type & PERF_SAMPLE_ADDR)
		s->address = cursor_u64(c);
	if (type & PERF_SAMPLE_ID)
		out->at.id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	record_decode_id(c, type & PERF_SAMPLE_CPU, &out->at);
	s->period = type & PERF_SAMPLE_PERIOD ? cursor_u64(c) : format->period;
	decode_parts(c, format, out);
}

/*
 * An event without branches of its own, such as a software event among others with
 * branches, reports 0 branches and omits the index behind them: then the sample's size
 * fits only without it.
 */
static bool leaves_index_out(const struct cursor *c, const struct record_format *format,
			     const struct record *out)
{
	return format->sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       format->branch_type & PERF_SAMPLE_BRANCH_HW_INDEX &&
	       !out->sample.branches.len && !(cursor_ok(c) && !cursor_left(c));
}

static void decode_without_index(struct cursor *c, const struct record_format *format,
				 struct record *out)
{
	struct record_format bare = *format;

	*out = (struct record){ .type = out->type, .misc = out->misc };
	bare.branch_type &= ~(uint64_t)PERF_SAMPLE_BRANCH_HW_INDEX;
	decode_fields(c, &bare, out);
}

void record_decode_sample(struct cursor *c, const struct record_format *format,
			  struct record *out)
{
	const struct cursor start = *c;

	decode_fields(c, format, out);
	if (!leaves_index_out(c, format, out))
		return;
	*c = start;
	decode_without_index(c, format, out);
}
