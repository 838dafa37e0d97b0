/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes samples of every layout: any choice of fields, read formats and branch stacks,
 * in either byte order.  Each field has a number of its own, and must be found.
 */
#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "sample/record.h"
#include "base/strbuf.h"
#include "random.h"
#include "tap.h"

enum {
	FIELDS = 25, /* bits of sample_type that there are */
	BRANCH_COUNTERS = 1 << 19,
	TRIALS = 20000,
};

/* The bytes of a record, and its numbers. */
struct form {
	struct record_format format;
	bool swap, no_index; /* an event without branches of its own */
	struct strbuf bytes;
	uint64_t random;
	uint64_t pid_tid, ip, time, address, id, identifier, cpu, period;
	uint64_t count, chain_len, raw_len, branch_len, stack_room, stack_len;
	uint64_t weight, data_source, transaction, physical, cgroup, data_page, code_page,
		aux_len;
	uint64_t first_count, first_ip, last_ip, first_branch, last_reg;
};

static uint64_t draw(struct form *f)
{
	return random_next(&f->random);
}

static void put_u16(struct form *f, uint16_t value)
{
	value = f->swap ? bswap_16(value) : value;
	strbuf_add(&f->bytes, &value, sizeof(value));
}

static void put_u32(struct form *f, uint32_t value)
{
	value = f->swap ? bswap_32(value) : value;
	strbuf_add(&f->bytes, &value, sizeof(value));
}

static uint64_t put(struct form *f, uint64_t value)
{
	uint64_t word = f->swap ? bswap_64(value) : value;

	strbuf_add(&f->bytes, &word, sizeof(word));
	return value;
}

/* A number that most likely no other field has: an address in user memory. */
static uint64_t put_any(struct form *f)
{
	return put(f, draw(f) >> 17);
}

static void put_pair(struct form *f, uint64_t pair)
{
	put_u32(f, (uint32_t)pair);
	put_u32(f, (uint32_t)(pair >> 32));
}

static void put_counts(struct form *f)
{
	uint64_t type = f->format.read_format;
	bool group = type & PERF_FORMAT_GROUP;

	f->count = group ? draw(f) % 4 : 1;
	if (group)
		put(f, f->count);
	else
		f->first_count = put_any(f);
	if (type & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_any(f);
	if (type & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_any(f);
	for (uint64_t i = 0; i < f->count; i++) {
		uint64_t value = group ? put_any(f) : f->first_count;

		f->first_count = i ? f->first_count : value;
		if (type & PERF_FORMAT_ID)
			put_any(f);
		if (type & PERF_FORMAT_LOST)
			put_any(f);
	}
}

static void put_chain(struct form *f)
{
	f->chain_len = draw(f) % 6;
	put(f, f->chain_len ? f->chain_len + 1 : 0);
	if (f->chain_len)
		put(f, (uint64_t)PERF_CONTEXT_USER);
	for (uint64_t i = 0; i < f->chain_len; i++) {
		f->last_ip = put_any(f);
		f->first_ip = i ? f->first_ip : f->last_ip;
	}
}

static void put_bytes(struct form *f, uint64_t len)
{
	for (uint64_t i = 0; i < len; i++)
		strbuf_addch(&f->bytes, (char)i);
}

static void put_branches(struct form *f)
{
	uint64_t type = f->format.branch_type;

	f->branch_len = f->no_index ? 0 : draw(f) % 5;
	put(f, f->branch_len);
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX && !f->no_index)
		put_any(f);
	for (uint64_t i = 0; i < 3 * f->branch_len; i++) {
		uint64_t word = put_any(f);

		f->first_branch = i ? f->first_branch : word;
	}
	for (uint64_t i = 0; type & BRANCH_COUNTERS && i < f->branch_len; i++)
		put_any(f);
}

static void put_regs(struct form *f, uint64_t mask)
{
	bool any = draw(f) % 4;

	put(f, any ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
	f->last_reg = 0;
	for (; any && mask; mask &= mask - 1)
		f->last_reg = put_any(f);
}

static void put_stack(struct form *f)
{
	f->stack_room = draw(f) % 4 * 8;
	put(f, f->stack_room);
	put_bytes(f, f->stack_room);
	f->stack_len = f->stack_room ? draw(f) % f->stack_room : 0;
	if (f->stack_room)
		put(f, f->stack_len);
}

static void put_first(struct form *f, uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		f->identifier = put_any(f);
	if (type & PERF_SAMPLE_IP)
		f->ip = put_any(f);
	if (type & PERF_SAMPLE_TID)
		put_pair(f, f->pid_tid = draw(f));
	if (type & PERF_SAMPLE_TIME)
		f->time = put_any(f);
	if (type & PERF_SAMPLE_ADDR)
		f->address = put_any(f);
	if (type & PERF_SAMPLE_ID)
		f->id = put_any(f);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_any(f);
	if (type & PERF_SAMPLE_CPU)
		put_pair(f, f->cpu = draw(f));
	if (type & PERF_SAMPLE_PERIOD)
		f->period = put_any(f);
}

static void put_runs(struct form *f, uint64_t type)
{
	uint64_t kept;

	if (type & PERF_SAMPLE_READ)
		put_counts(f);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_chain(f);
	if (type & PERF_SAMPLE_RAW) {
		put_u32(f, (uint32_t)(f->raw_len = 4 + draw(f) % 3 * 8));
		put_bytes(f, f->raw_len);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(f);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(f, f->format.regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(f);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		f->weight = put(f, draw(f));
	if (type & PERF_SAMPLE_DATA_SRC)
		f->data_source = put(f, draw(f));
	if (type & PERF_SAMPLE_TRANSACTION)
		f->transaction = put(f, draw(f));
	kept = f->last_reg;
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(f, f->format.regs_intr);
	f->last_reg = kept;
}

static void put_last(struct form *f, uint64_t type)
{
	if (type & PERF_SAMPLE_PHYS_ADDR)
		f->physical = put_any(f);
	if (type & PERF_SAMPLE_CGROUP)
		f->cgroup = put_any(f);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		f->data_page = put_any(f);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		f->code_page = put_any(f);
	if (type & PERF_SAMPLE_AUX) {
		f->aux_len = put(f, draw(f) % 3 * 8);
		put_bytes(f, f->aux_len);
	}
}

/* A sample of TYPE; the rest of its layout is random. */
static void build(struct form *f, uint64_t type)
{
	struct record_format *format = &f->format;
	uint16_t size;

	format->sample_type = type;
	format->read_format = draw(f) % 32;
	format->branch_type = (draw(f) % 2 ? PERF_SAMPLE_BRANCH_HW_INDEX : 0) |
			      (draw(f) % 2 ? BRANCH_COUNTERS : 0);
	format->regs_user = draw(f) & draw(f) & 0xffffff;
	format->regs_intr = draw(f) & draw(f) & 0xffffff;
	f->no_index = draw(f) % 8 == 0;
	put_u32(f, PERF_RECORD_SAMPLE);
	put_u16(f, PERF_RECORD_MISC_USER);
	put_u16(f, 0);
	put_first(f, type);
	put_runs(f, type);
	put_last(f, type);
	size = (uint16_t)f->bytes.len;
	size = f->swap ? bswap_16(size) : size;
	memcpy(f->bytes.data + 6, &size, sizeof(size));
}

static bool fixed_agree(const struct form *f, const struct record *r)
{
	const struct record_id *at = &r->at;
	uint64_t id = f->format.sample_type & PERF_SAMPLE_ID ? f->id : f->identifier;

	return at->pid == (uint32_t)f->pid_tid && at->tid == f->pid_tid >> 32 &&
	       at->time == f->time && at->id == id && at->cpu == (uint32_t)f->cpu &&
	       r->sample.ip == f->ip && r->sample.period == f->period &&
	       r->sample.address == f->address;
}

static bool runs_agree(const struct form *f, const struct record_sample *s)
{
	const struct record_chain *u = &s->user;

	if (s->counts.len != f->count || u->len != f->chain_len ||
	    s->branches.len != f->branch_len || s->raw_len != f->raw_len ||
	    s->stack_len != f->stack_len || s->stack_room != f->stack_room)
		return false;
	if (f->count && s->counts.words[0] != f->first_count)
		return false;
	if (u->len && (u->ips[0] != f->first_ip || u->ips[u->len - 1] != f->last_ip))
		return false;
	if (f->branch_len && s->branches.words[0] != f->first_branch)
		return false;
	if (f->stack_room > 1 && ((const char *)s->stack)[1] != 1)
		return false;
	return !f->last_reg ||
	       (s->regs &&
		s->regs[__builtin_popcountll(f->format.regs_user) - 1] == f->last_reg);
}

static bool last_agree(const struct form *f, const struct record_sample *s)
{
	bool parts = f->format.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;

	return s->latency == (parts ? f->weight & UINT32_MAX : f->weight) &&
	       s->weight2 == (parts ? f->weight >> 32 & UINT16_MAX : 0) &&
	       s->weight3 == (parts ? f->weight >> 48 : 0) &&
	       s->data_source == f->data_source && s->transaction == f->transaction &&
	       s->physical == f->physical && s->cgroup == f->cgroup &&
	       s->data_page == f->data_page && s->code_page == f->code_page &&
	       s->aux_len == f->aux_len;
}

/* The sorter and the look-up of the event read the same numbers. */
static bool alone_agree(const struct form *f, const void *bytes)
{
	uint64_t type = f->format.sample_type;
	uint64_t id = type & PERF_SAMPLE_IDENTIFIER ? f->identifier : f->id;

	return record_time(&f->format, bytes, f->bytes.len) == f->time &&
	       record_event_id(&f->format, bytes, f->bytes.len) == id;
}

/* Whether the sample, in memory of exactly its size, has the numbers put into it. */
static bool agrees(const struct form *f)
{
	void *copy = malloc(f->bytes.len);
	struct record r;
	bool good;

	memset(&r, 0xa5, sizeof(r));
	memcpy(copy, f->bytes.data, f->bytes.len);
	good = !record_decode(&f->format, copy, f->bytes.len, &r) && fixed_agree(f, &r) &&
	       runs_agree(f, &r.sample) && last_agree(f, &r.sample) &&
	       alone_agree(f, copy);
	free(copy);
	return good;
}

/* Tries COUNT samples of TYPE with SEED; returns how many were decoded wrongly. */
static unsigned try(uint64_t type, uint64_t seed, unsigned count, uint64_t *room)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < count; i++) {
		struct form f = { .random = (seed + i) * 0x9e3779b97f4a7c15u | 1 };

		f.swap = i % 2;
		f.format.swapped = f.swap ? room : NULL;
		build(&f, type);
		wrong += !agrees(&f);
		strbuf_release(&f.bytes);
	}
	return wrong;
}

/* The two kinds of weight share a word, so no event has both. */
static uint64_t allowed(uint64_t type)
{
	return type & PERF_SAMPLE_WEIGHT ? type & ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT
					 : type;
}

int main(void)
{
	const uint64_t all = (UINT64_C(1) << FIELDS) - 1;
	uint64_t *room = calloc(RECORD_WORDS_MAX, sizeof(*room));
	unsigned wrong = 0;

	for (unsigned bit = 0; bit < FIELDS; bit++) {
		uint64_t one = UINT64_C(1) << bit;

		is_u64(try(one, bit, 200, room), 0, "only field %u", bit);
		is_u64(try(allowed(all & ~one), bit, 200, room), 0, "all but field %u",
		       bit);
	}
	is_u64(try(allowed(all), 1, 1000, room), 0, "all fields");
	for (uint64_t i = 0; i < TRIALS; i++) {
		uint64_t type = (i * 0x9e3779b97f4a7c15u >> 20) & all;

		wrong += try(allowed(type), i, 2, room);
	}
	is_u64(wrong, 0, "any choice of fields");
	free(room);
	return done_testing();
}
