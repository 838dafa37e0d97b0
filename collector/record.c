/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "cursor.h"

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

/*
 * The kernel puts a marker before each run of addresses (PERF_CONTEXT_*, "negative"
 * numbers); what follows a guest's marker is not ours.
 */
static void split_chain(const uint64_t *ips, size_t len, struct record_sample *s)
{
	struct record_chain none = { 0 }, *run = &none;

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

static void decode_chain(struct cursor *c, struct record_sample *s)
{
	uint64_t len = cursor_u64(c);
	const uint64_t *ips;

	if (len > cursor_left(c) / sizeof(*ips)) {
		cursor_fail(c);
		return;
	}
	ips = cursor_bytes(c, (size_t)len * sizeof(*ips));
	if (ips)
		split_chain(ips, (size_t)len, s);
}

static void decode_regs(struct cursor *c, uint64_t mask, struct record_sample *s)
{
	size_t count = (size_t)__builtin_popcountll(mask);

	if (cursor_u64(c) != PERF_SAMPLE_REGS_ABI_NONE)
		s->regs = cursor_bytes(c, count * sizeof(*s->regs));
}

/* Room for SIZE bytes, of which only the first dyn_size, told behind it, are stack. */
static void decode_stack(struct cursor *c, struct record_sample *s)
{
	uint64_t size = cursor_u64(c), used;

	if (!size)
		return;
	s->stack = cursor_bytes(c, (size_t)size);
	used = cursor_u64(c);
	if (used > size) {
		cursor_fail(c);
		return;
	}
	s->stack_len = (size_t)used;
	s->stack_whole = used < size;
}

enum {
	/* what split out of a sample; anything else asked for would shift the fields */
	SAMPLE_KNOWN = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER
};

static void decode_sample(struct cursor *c, const struct record_format *format,
			  struct record *out)
{
	uint64_t type = format->sample_type;
	struct record_sample *s = &out->sample;

	if (type & ~(uint64_t)SAMPLE_KNOWN) {
		cursor_fail(c);
		return;
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		out->at.id = cursor_u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor_u64(c);
	decode_id(c, type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME), &out->at);
	if (type & PERF_SAMPLE_ID)
		out->at.id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	decode_id(c, type & PERF_SAMPLE_CPU, &out->at);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor_u64(c);
	if (type & PERF_SAMPLE_CALLCHAIN)
		decode_chain(c, s);
	if (type & PERF_SAMPLE_REGS_USER)
		decode_regs(c, format->regs_user, s);
	if (type & PERF_SAMPLE_STACK_USER)
		decode_stack(c, s);
}

static void decode_mmap(struct cursor *c, struct record *out)
{
	struct record_mmap *m = &out->mmap;

	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	m->prot = PROT_EXEC;
	m->path = cursor_str(c);
}

/* The 24 bytes that hold the file's device and inode, or its build-id. */
static void decode_build_id(struct cursor *c, uint16_t misc, struct record_mmap *m)
{
	struct cursor sub = cursor_sub(c, 24);
	unsigned len = cursor_u8(&sub);
	const void *bytes;

	if (!(misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || len > sizeof(m->build_id))
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
	[PERF_RECORD_LOST] = decode_lost,
	[PERF_RECORD_LOST_SAMPLES] = decode_lost_samples,
};

static const struct perf_event_header *header_of(const void *bytes)
{
	return bytes;
}

int record_decode(const struct record_format *format, const void *bytes, size_t len,
		  struct record *out)
{
	size_t id_len = id_fields(format->sample_type) * 8;
	const struct perf_event_header *header;
	struct cursor c;

	cursor_init(&c, bytes, len);
	header = cursor_bytes(&c, sizeof(*header));
	if (!header)
		return -EBADMSG;
	*out = (struct record){ .type = header->type, .misc = header->misc };
	if (out->type == PERF_RECORD_SAMPLE) {
		decode_sample(&c, format, out);
		return cursor_ok(&c) ? 0 : -EBADMSG;
	}
	if (cursor_left(&c) < id_len)
		return -EBADMSG;
	if (out->type == PERF_RECORD_READ)
		decode_read(&c, format, out);
	else if (out->type < sizeof(decoders) / sizeof(decoders[0]) && decoders[out->type])
		decoders[out->type](&c, out);
	if (!cursor_ok(&c) || cursor_left(&c) < id_len)
		return -EBADMSG;
	cursor_bytes(&c, cursor_left(&c) - id_len);
	decode_id(&c, format->sample_type, &out->at);
	return 0;
}

/* In a sample the time stands behind the identifier, the ip and the tid. */
static size_t time_offset(uint64_t type)
{
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	return sizeof(struct perf_event_header) +
	       8 * (size_t)__builtin_popcountll(type & before);
}

/* In another record it has these behind it. */
static size_t time_from_end(uint64_t type)
{
	const uint64_t behind = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
				PERF_SAMPLE_IDENTIFIER;

	return 8 + 8 * (size_t)__builtin_popcountll(type & behind);
}

uint64_t record_time(const struct record_format *format, const void *bytes, size_t len)
{
	uint64_t type = format->sample_type, time;
	size_t at;

	if (!(type & PERF_SAMPLE_TIME) ||
	    len < sizeof(struct perf_event_header) + time_from_end(type))
		return 0;
	at = header_of(bytes)->type == PERF_RECORD_SAMPLE ? time_offset(type)
							   : len - time_from_end(type);
	if (at > len - sizeof(time))
		return 0;
	memcpy(&time, (const char *)bytes + at, sizeof(time));
	return time;
}
