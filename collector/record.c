/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "cursor.h"

enum { BRANCH_COUNTERS = 1 << 19 }; /* of branch_sample_type, Linux 6.8 */

/* The first bit of sample_type that Linux 7.0 does not know. */
enum { SAMPLE_UNKNOWN = 1 << 25 };

/* Fields of struct sample_id that stand at a record's end, in their order. */
static size_t id_fields(uint64_t sample_type)
{
	const uint64_t bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			      PERF_SAMPLE_IDENTIFIER;

	return (size_t)__builtin_popcountll(sample_type & bits);
}

/* The sample_id at the end of a record that is no sample. */
static void decode_id(struct cursor *c, uint64_t type, struct record_id *at)
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

/* COUNT words in the host's order: where they lie, or in the format's own room. */
static const uint64_t *decode_words(struct cursor *c, const struct record_format *format,
				    uint64_t count)
{
	struct cursor words;
	uint64_t *to;

	if (count > cursor_left(c) / 8 || cursor_left(c) / 8 > RECORD_WORDS_MAX) {
		cursor_fail(c);
		return NULL;
	}
	if (!format->swapped)
		return cursor_bytes(c, (size_t)count * 8);
	/* each run has its place by where it stood, so that they do not overlap */
	to = format->swapped + RECORD_WORDS_MAX - cursor_left(c) / 8;
	words = cursor_sub(c, (size_t)count * 8);
	for (size_t i = 0; i < count; i++)
		to[i] = cursor_u64(&words);
	return to;
}

/*
 * The kernel puts a marker before each run of addresses (PERF_CONTEXT_*, "negative"
 * numbers); what follows a guest's marker is not ours.  Without any, as other programs
 * write them, they are of the sample's own mode.
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
	/* of a single one the id is the sample's own */
	counts->words = decode_words(c, format, counts->width + before);
	counts->len = counts->words ? 1 : 0;
	counts->width = 1;
}

static void decode_raw(struct cursor *c, const struct record_format *format,
		       struct record *out)
{
	(void)format;
	(void)out;
	cursor_bytes(c, cursor_u32(c));
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

/* Room for SIZE bytes, of which only the first dyn_size, told behind it, are stack. */
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

/* Of the struct the low half is the latency of the access, in either byte order. */
static void decode_weight(struct cursor *c, const struct record_format *format,
			  struct record *out)
{
	uint64_t weight = cursor_u64(c);

	out->sample.latency = format->sample_type & PERF_SAMPLE_WEIGHT_STRUCT
				      ? weight & UINT32_MAX
				      : weight;
}

static void decode_data_source(struct cursor *c, const struct record_format *format,
			       struct record *out)
{
	(void)format;
	out->sample.data_source = cursor_u64(c);
}

/*
 * The parts of a sample behind its fixed ones, in their order.  What stands behind them
 * (registers at the interrupt, physical addresses, …) nobody asks for.
 */
static const struct {
	uint64_t bit;
	void (*decode)(struct cursor *, const struct record_format *, struct record *);
} sample_parts[] = {
	{ PERF_SAMPLE_READ, decode_counts },
	{ PERF_SAMPLE_CALLCHAIN, decode_chain },
	{ PERF_SAMPLE_RAW, decode_raw },
	{ PERF_SAMPLE_BRANCH_STACK, decode_branches },
	{ PERF_SAMPLE_REGS_USER, decode_regs },
	{ PERF_SAMPLE_STACK_USER, decode_stack },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, decode_weight },
	{ PERF_SAMPLE_DATA_SRC, decode_data_source },
};

static void decode_sample(struct cursor *c, const struct record_format *format,
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
	decode_id(c, type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME), &out->at);
	if (type & PERF_SAMPLE_ADDR)
		s->address = cursor_u64(c);
	if (type & PERF_SAMPLE_ID)
		out->at.id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	decode_id(c, type & PERF_SAMPLE_CPU, &out->at);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor_u64(c);
	for (size_t i = 0; i < sizeof(sample_parts) / sizeof(sample_parts[0]); i++)
		if (type & sample_parts[i].bit)
			sample_parts[i].decode(c, format, out);
}

static void decode_mmap(struct cursor *c, struct record *out)
{
	struct record_mmap *m = &out->mmap;

	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	m->prot = out->misc & PERF_RECORD_MISC_MMAP_DATA ? PROT_READ : PROT_EXEC;
	m->path = cursor_str(c);
}

/* The 24 bytes that hold the file's device and inode, or its build-id. */
static void decode_build_id(struct cursor *c, uint16_t misc, struct record_mmap *m)
{
	struct cursor sub = cursor_sub(c, 24);
	const void *bytes;
	unsigned len;

	if (!(misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		cursor_u64(&sub); /* the device */
		m->inode = cursor_u64(&sub);
		return;
	}
	len = cursor_u8(&sub);
	if (len > sizeof(m->build_id))
		return;
	cursor_bytes(&sub, 3);
	bytes = cursor_bytes(&sub, len);
	if (bytes) {
		memcpy(m->build_id, bytes, len);
		m->build_id_len = len;
	}
}

static void decode_mmap2(struct cursor *c, struct record *out)
{
	struct record_mmap *m = &out->mmap;

	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	decode_build_id(c, out->misc, m);
	m->prot = cursor_u32(c);
	cursor_u32(c); /* flags */
	m->path = cursor_str(c);
}

static void decode_task(struct cursor *c, struct record *out)
{
	out->task.pid = cursor_u32(c);
	out->task.ppid = cursor_u32(c);
	out->task.tid = cursor_u32(c);
	out->task.ptid = cursor_u32(c);
}

static void decode_comm(struct cursor *c, struct record *out)
{
	out->comm.exec = out->misc & PERF_RECORD_MISC_COMM_EXEC;
	out->comm.pid = cursor_u32(c);
	out->comm.tid = cursor_u32(c);
	out->comm.name = cursor_str(c);
}

static void decode_ksymbol(struct cursor *c, struct record *out)
{
	out->ksymbol.start = cursor_u64(c);
	out->ksymbol.len = cursor_u32(c);
	cursor_u16(c); /* what made it */
	out->ksymbol.gone = cursor_u16(c) & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	out->ksymbol.name = cursor_str(c);
}

static void decode_lost(struct cursor *c, struct record *out)
{
	cursor_u64(c); /* the event's id */
	out->lost = cursor_u64(c);
}

static void decode_lost_samples(struct cursor *c, struct record *out)
{
	out->lost = cursor_u64(c);
}

/* The layout of perf_event_open(2), "Reading results", of an event outside a group. */
static void decode_read(struct cursor *c, const struct record_format *format,
			struct record *out)
{
	struct record_read *r = &out->read;

	if (format->read_format & PERF_FORMAT_GROUP) {
		cursor_fail(c);
		return;
	}
	r->pid = cursor_u32(c);
	r->tid = cursor_u32(c);
	r->value = cursor_u64(c);
	if (format->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		r->enabled_ns = cursor_u64(c);
	if (format->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		r->running_ns = cursor_u64(c);
	if (format->read_format & PERF_FORMAT_ID)
		r->id = cursor_u64(c);
}

static void (*const decoders[])(struct cursor *, struct record *) = {
	[PERF_RECORD_MMAP] = decode_mmap,
	[PERF_RECORD_MMAP2] = decode_mmap2,
	[PERF_RECORD_FORK] = decode_task,
	[PERF_RECORD_EXIT] = decode_task,
	[PERF_RECORD_COMM] = decode_comm,
	[PERF_RECORD_KSYMBOL] = decode_ksymbol,
	[PERF_RECORD_LOST] = decode_lost,
	[PERF_RECORD_LOST_SAMPLES] = decode_lost_samples,
};

static size_t id_size(const struct record_format *format)
{
	return format->no_id ? 0 : id_fields(format->sample_type) * 8;
}

static int decode_body(struct cursor *c, const struct record_format *format,
		       struct record *out)
{
	size_t id_len = id_size(format);

	if (cursor_left(c) < id_len)
		return -EBADMSG;
	if (out->type == PERF_RECORD_READ)
		decode_read(c, format, out);
	else if (out->type < sizeof(decoders) / sizeof(decoders[0]) &&
		 decoders[out->type])
		decoders[out->type](c, out);
	if (!cursor_ok(c) || cursor_left(c) < id_len)
		return -EBADMSG;
	cursor_bytes(c, cursor_left(c) - id_len);
	if (id_len)
		decode_id(c, format->sample_type, &out->at);
	return 0;
}

int record_decode(const struct record_format *format, const void *bytes, size_t len,
		  struct record *out)
{
	struct cursor c;

	cursor_init(&c, bytes, len);
	c.swap = format->swapped;
	*out = (struct record){ .type = cursor_u32(&c) };
	out->misc = cursor_u16(&c);
	cursor_u16(&c); /* the size */
	if (!cursor_ok(&c))
		return -EBADMSG;
	if (out->type != PERF_RECORD_SAMPLE)
		return decode_body(&c, format, out);
	decode_sample(&c, format, out);
	return cursor_ok(&c) ? 0 : -EBADMSG;
}

/* ---- one field alone ---- */

/* Words before a field of a sample, or behind one of a sample_id. */
static size_t words_of(uint64_t type, uint64_t fields)
{
	return (size_t)__builtin_popcountll(type & fields);
}

static size_t sample_time(uint64_t type)
{
	return words_of(type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
}

static size_t tail_time(uint64_t type)
{
	return words_of(type, PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
				      PERF_SAMPLE_IDENTIFIER);
}

static size_t sample_id(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	return words_of(type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				      PERF_SAMPLE_ADDR);
}

static size_t tail_id(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	return words_of(type, PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
}

/* The word that has BEFORE others between it and the header, or BEHIND up to the end. */
static uint64_t word_at(const struct record_format *format, const void *bytes, size_t len,
			size_t before, size_t behind)
{
	const size_t header = sizeof(struct perf_event_header);
	uint32_t type;
	uint64_t word;
	size_t at;

	if (len < header + sizeof(word) * (behind + 1))
		return 0;
	memcpy(&type, bytes, sizeof(type));
	if (format->swapped)
		type = bswap_32(type);
	if (type != PERF_RECORD_SAMPLE && format->no_id)
		return 0;
	at = type == PERF_RECORD_SAMPLE ? header + sizeof(word) * before
					: len - sizeof(word) * (behind + 1);
	if (at > len - sizeof(word))
		return 0;
	memcpy(&word, (const char *)bytes + at, sizeof(word));
	return format->swapped ? bswap_64(word) : word;
}

uint64_t record_time(const struct record_format *format, const void *bytes, size_t len)
{
	uint64_t type = format->sample_type;

	if (!(type & PERF_SAMPLE_TIME))
		return 0;
	return word_at(format, bytes, len, sample_time(type), tail_time(type));
}

uint64_t record_event_id(const struct record_format *format, const void *bytes,
			 size_t len)
{
	uint64_t type = format->sample_type;

	if (!(type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)))
		return 0;
	return word_at(format, bytes, len, sample_id(type), tail_id(type));
}
