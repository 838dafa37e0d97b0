/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/record.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cursor.h"
#include "sample/record_sample.h"

enum { MISC_FILTERED = 1 << 15 }; /* of LOST_SAMPLES: perf writes it, no kernel */

/* The fields of struct sample_id at a record's end, in their order. */
static size_t id_fields(uint64_t sample_type)
{
	const uint64_t bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			      PERF_SAMPLE_IDENTIFIER;

	return (size_t)__builtin_popcountll(sample_type & bits);
}

/* The start of MMAP and MMAP2. */
static void decode_area(struct cursor *c, struct record_mmap *m)
{
	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
}

static void decode_mmap(struct cursor *c, struct record *out)
{
	struct record_mmap *m = &out->mmap;

	decode_area(c, m);
	m->prot = out->misc & PERF_RECORD_MISC_MMAP_DATA ? PROT_READ : PROT_EXEC;
	m->path = cursor_str(c);
}

/*
 * Where a mapping is reported for two events, of which the first asked for build-ids,
 * perf_event_mmap_output (kernel/events/core.c; seen in 6.18) leaves the flag in the second's
 * record, whoever that belongs to.  It has the file's device and inode then, and what would be
 * the length is from the device's major number: 8 for a disk.  Tools add ids of 16 and 20
 * bytes to files whose events asked for none.
 */
static bool is_build_id(const struct record_format *format, uint16_t misc,
			struct cursor c)
{
	enum { LEAST = 16, MOST = 20 };
	unsigned len = cursor_u8(&c);

	return misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	       (!format->no_build_ids || (len >= LEAST && len <= MOST));
}

/* The 24 bytes that hold the file's device and inode, or its build-id. */
static void decode_file(struct cursor *c, const struct record_format *format,
			uint16_t misc, struct record_mmap *m)
{
	struct cursor sub = cursor_sub(c, 24);
	const void *bytes;
	unsigned len;

	if (!is_build_id(format, misc, sub)) {
		m->file.major = cursor_u32(&sub);
		m->file.minor = cursor_u32(&sub);
		m->file.inode = cursor_u64(&sub);
		m->file.generation = cursor_u64(&sub);
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

static void decode_mmap2(struct cursor *c, const struct record_format *format,
			 struct record *out)
{
	struct record_mmap *m = &out->mmap;

	decode_area(c, m);
	decode_file(c, format, out->misc, m);
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
	cursor_u16(c); /* its maker */
	out->ksymbol.gone = cursor_u16(c) & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	out->ksymbol.name = cursor_str(c);
}

static void decode_cgroup(struct cursor *c, struct record *out)
{
	out->cgroup.id = cursor_u64(c);
	out->cgroup.path = cursor_str(c);
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

static void decode_switch(struct cursor *c, struct record *out)
{
	(void)c;
	out->switched.out = out->misc & PERF_RECORD_MISC_SWITCH_OUT;
	out->switched.preempted = out->switched.out &&
				  out->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
}

static void decode_switch_of_cpu(struct cursor *c, struct record *out)
{
	out->switched.other_pid = cursor_u32(c);
	out->switched.other_tid = cursor_u32(c);
	decode_switch(c, out);
}

bool record_is_filtered(const struct record *record)
{
	return record->type == PERF_RECORD_LOST_SAMPLES && record->misc & MISC_FILTERED;
}

static void (*const decoders[])(struct cursor *, struct record *) = {
	[PERF_RECORD_MMAP] = decode_mmap,
	[PERF_RECORD_FORK] = decode_task,
	[PERF_RECORD_EXIT] = decode_task,
	[PERF_RECORD_COMM] = decode_comm,
	[PERF_RECORD_KSYMBOL] = decode_ksymbol,
	[PERF_RECORD_CGROUP] = decode_cgroup,
	[PERF_RECORD_LOST] = decode_lost,
	[PERF_RECORD_LOST_SAMPLES] = decode_lost_samples,
	[PERF_RECORD_SWITCH] = decode_switch,
	[PERF_RECORD_SWITCH_CPU_WIDE] = decode_switch_of_cpu,
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
	if (out->type == PERF_RECORD_MMAP2)
		decode_mmap2(c, format, out);
	else if (out->type < sizeof(decoders) / sizeof(decoders[0]) &&
		 decoders[out->type])
		decoders[out->type](c, out);
	if (!cursor_ok(c) || cursor_left(c) < id_len)
		return -EBADMSG;
	cursor_bytes(c, cursor_left(c) - id_len);
	if (id_len)
		record_decode_id(c, format->sample_type, &out->at);
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
	record_decode_sample(&c, format, out);
	return cursor_ok(&c) ? 0 : -EBADMSG;
}

/* ---- a single field ---- */

/*
 * Counts the words before a field of a sample, or behind one of a sample_id.  Needed for
 * each record, so each bit is tested: plain x86-64 has no instruction that counts bits.
 */
static size_t has(uint64_t type, uint64_t field)
{
	return (type & field) != 0;
}

static size_t sample_time(uint64_t type)
{
	return has(type, PERF_SAMPLE_IDENTIFIER) + has(type, PERF_SAMPLE_IP) +
	       has(type, PERF_SAMPLE_TID);
}

static size_t tail_time(uint64_t type)
{
	return has(type, PERF_SAMPLE_ID) + has(type, PERF_SAMPLE_STREAM_ID) +
	       has(type, PERF_SAMPLE_CPU) + has(type, PERF_SAMPLE_IDENTIFIER);
}

static size_t sample_id(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	return has(type, PERF_SAMPLE_IP) + has(type, PERF_SAMPLE_TID) +
	       has(type, PERF_SAMPLE_TIME) + has(type, PERF_SAMPLE_ADDR);
}

static size_t tail_id(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	return has(type, PERF_SAMPLE_STREAM_ID) + has(type, PERF_SAMPLE_CPU);
}

static size_t sample_cpu(uint64_t type)
{
	return sample_time(type) + has(type, PERF_SAMPLE_TIME) +
	       has(type, PERF_SAMPLE_ADDR) + has(type, PERF_SAMPLE_ID) +
	       has(type, PERF_SAMPLE_STREAM_ID);
}

static size_t tail_cpu(uint64_t type)
{
	return has(type, PERF_SAMPLE_IDENTIFIER);
}

/* Where the word lies with BEFORE others between it and the header, or BEHIND to the end. */
static const void *place_of(const struct record_format *format, const void *bytes,
			    size_t len, size_t before, size_t behind)
{
	const size_t header = sizeof(struct perf_event_header), word = sizeof(uint64_t);
	uint32_t type;
	size_t at;

	if (len < header + word * (behind + 1))
		return NULL;
	memcpy(&type, bytes, sizeof(type));
	if (format->swapped)
		type = bswap_32(type);
	if (type != PERF_RECORD_SAMPLE && format->no_id)
		return NULL;
	at = type == PERF_RECORD_SAMPLE ? header + word * before
					: len - word * (behind + 1);
	return at > len - word ? NULL : (const char *)bytes + at;
}

static uint64_t word_at(const struct record_format *format, const void *bytes, size_t len,
			size_t before, size_t behind)
{
	const void *place = place_of(format, bytes, len, before, behind);
	uint64_t word = 0;

	if (place)
		memcpy(&word, place, sizeof(word));
	return format->swapped ? bswap_64(word) : word;
}

uint32_t record_type(const struct record_format *format, const void *bytes)
{
	uint32_t type;

	memcpy(&type, bytes, sizeof(type));
	return format->swapped ? bswap_32(type) : type;
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

uint32_t record_cpu(const struct record_format *format, const void *bytes, size_t len)
{
	uint64_t type = format->sample_type;
	const void *place;
	uint32_t cpu;

	if (!(type & PERF_SAMPLE_CPU))
		return UINT32_MAX;
	place = place_of(format, bytes, len, sample_cpu(type), tail_cpu(type));
	if (!place)
		return UINT32_MAX;
	memcpy(&cpu, place, sizeof(cpu));
	return format->swapped ? bswap_32(cpu) : cpu;
}
