/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes samples that the kernel writes into the ring, and others that it never would. */
#include "sample/record.h"

#include <errno.h>
#include <stdlib.h>

#include "record_check.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define USER (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define ALL                                                                              \
	(RECORD_BASE | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CALLCHAIN |  \
	 USER)

#define DATA (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)

/* The formats that collect requests, and perf(1)'s. */
static const struct {
	const char *what;
	uint64_t type, regs;
} formats[] = {
	{ "off", RECORD_BASE, 0 },
	{ "fp", RECORD_BASE | PERF_SAMPLE_CALLCHAIN, 0 },
	{ "cfi", RECORD_BASE | PERF_SAMPLE_CALLCHAIN | USER, 0x105 },
	{ "regs without a stack", RECORD_BASE | PERF_SAMPLE_REGS_USER, 0x7 },
	{ "perf's",
	  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
		  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN,
	  0 },
	{ "no id at all", PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD, 0 },
	{ "all", ALL, 0x105 },
	{ "with data", RECORD_BASE | DATA | PERF_SAMPLE_WEIGHT_STRUCT, 0 },
	{ "with data and one weight", ALL | DATA | PERF_SAMPLE_WEIGHT, 0x105 },
};

static const uint64_t chain[] = {
	(uint64_t)PERF_CONTEXT_KERNEL,
	0xffffffff81000010,
	0xffffffff81000020,
	(uint64_t)PERF_CONTEXT_USER,
	0x401000,
	0x402000,
	0x403000,
};
static const uint64_t regs[] = { 11, 22, 33 };

static const struct rec_sample sample = {
	.at = { .pid = 100, .tid = 101, .cpu = 3, .time = 123456789, .id = 77 },
	.ip = 0x401000,
	.period = 1000003,
	.chain = chain,
	.chain_len = COUNT(chain),
	.abi = PERF_SAMPLE_REGS_ABI_64,
	.regs = regs,
	.regs_len = COUNT(regs),
	.stack_room = 64,
	.stack_used = 40,
	.address = 0x7f0011223344,
	.weight = UINT64_C(0x0003000200000123), /* latency 0x123, other times above */
	.data_source = 0x7788,
};

static void check_data(const struct record_sample *s, uint64_t type, const char *what)
{
	uint64_t latency = type & PERF_SAMPLE_WEIGHT_STRUCT ? sample.weight & UINT32_MAX
			   : type & PERF_SAMPLE_WEIGHT      ? sample.weight
							    : 0;

	is_u64(s->address, type & PERF_SAMPLE_ADDR ? sample.address : 0, "%s: address",
	       what);
	is_u64(s->latency, latency, "%s: latency", what);
	is_u64(s->data_source, type & PERF_SAMPLE_DATA_SRC ? sample.data_source : 0,
	       "%s: source of data", what);
}

static void check_sample(const struct record *r, uint64_t type, const char *what)
{
	const struct record_sample *s = &r->sample;

	record_check_id(&r->at, &sample.at, type, what);
	check_data(s, type, what);
	is_u64(s->ip, sample.ip, "%s: ip", what);
	is_u64(s->period, type & PERF_SAMPLE_PERIOD ? sample.period : 101, "%s: period",
	       what);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		is_u64(s->kernel.len, 2, "%s: kernel part", what);
		is_mem(s->kernel.ips, chain + 1, 16, "%s: kernel addresses", what);
		is_u64(s->user.len, 3, "%s: user part", what);
		is_mem(s->user.ips, chain + 4, 24, "%s: user addresses", what);
	} else {
		ok(!s->kernel.len && !s->user.len, "%s: no chain", what);
	}
	if (type & PERF_SAMPLE_REGS_USER)
		is_mem(s->regs, regs, sizeof(regs), "%s: registers", what);
	else
		ok(!s->regs, "%s: no registers", what);
	is_u64(s->stack_len, type & PERF_SAMPLE_STACK_USER ? 40 : 0, "%s: stack", what);
	if (type & PERF_SAMPLE_STACK_USER)
		is_mem(s->stack, "\0\1\2\3\4\5\6\7", 8, "%s: its bytes", what);
}

/* Every shorter length is an error, as no field of a sample may be missing. */
static void test_samples(void)
{
	for (size_t i = 0; i < COUNT(formats); i++) {
		struct record_format f = { .sample_type = formats[i].type,
					   .regs_user = formats[i].regs,
					   .period = 101 };
		struct strbuf sb = { 0 };
		struct record r = { .type = 99 };
		size_t taken = 0;

		rec_sample(&sb, f.sample_type, PERF_RECORD_MISC_USER, &sample);
		if (is_i64(record_decode(&f, sb.data, sb.len, &r), 0, "%s: decodes",
			   formats[i].what)) {
			is_u64(r.type, PERF_RECORD_SAMPLE, "%s: type", formats[i].what);
			is_u64(r.misc, PERF_RECORD_MISC_USER, "%s: misc",
			       formats[i].what);
			check_sample(&r, f.sample_type, formats[i].what);
		}
		for (size_t len = 0; len < sb.len; len++)
			taken += record_decode_copy(&f, &sb, len, &r) != -EBADMSG;
		is_u64(taken, 0, "%s: refused if cut at any byte", formats[i].what);
		strbuf_release(&sb);
	}
}

/* A requested field that we do not decode would shift the later ones. */
static void test_unknown_fields(void)
{
	static const uint64_t bits[] = { PERF_SAMPLE_ADDR, PERF_SAMPLE_READ,
					 PERF_SAMPLE_BRANCH_STACK, 1u << 25 };
	struct strbuf sb = { 0 };
	struct record r;

	rec_sample(&sb, RECORD_BASE, 0, &sample);
	for (size_t i = 0; i < COUNT(bits); i++)
		is_i64(record_decode_copy(
			       &(struct record_format){ .sample_type = RECORD_BASE |
								       bits[i] },
			       &sb, sb.len, &r),
		       -EBADMSG, "a sample with field %#llx",
		       (unsigned long long)bits[i]);
	strbuf_release(&sb);
}

/* ---- impossible chains, registers and stacks ---- */

static const struct hostile {
	const char *what;
	uint64_t type, regs; /* of the format; the only field before them is IDENTIFIER */
	uint64_t words[8];
	size_t count;
	int error;
} hostile[] = {
	{ "a chain of nothing", PERF_SAMPLE_CALLCHAIN, 0, { 0 }, 1, 0 },
	{ "a chain longer than its record",
	  PERF_SAMPLE_CALLCHAIN,
	  0,
	  { 3, 1, 2 },
	  3,
	  -EBADMSG },
	{ "a chain whose size wraps to 8",
	  PERF_SAMPLE_CALLCHAIN,
	  0,
	  { UINT64_C(0x2000000000000001), 1, 2 },
	  3,
	  -EBADMSG },
	{ "a chain of 2^64-1",
	  PERF_SAMPLE_CALLCHAIN,
	  0,
	  { UINT64_MAX, 1, 2 },
	  3,
	  -EBADMSG },
	{ "registers of a kernel thread",
	  PERF_SAMPLE_REGS_USER,
	  7,
	  { PERF_SAMPLE_REGS_ABI_NONE },
	  1,
	  0 },
	{ "fewer registers than the mask has",
	  PERF_SAMPLE_REGS_USER,
	  7,
	  { PERF_SAMPLE_REGS_ABI_64, 1, 2 },
	  3,
	  -EBADMSG },
	{ "a mask of all 64",
	  PERF_SAMPLE_REGS_USER,
	  UINT64_MAX,
	  { PERF_SAMPLE_REGS_ABI_64, 1, 2 },
	  3,
	  -EBADMSG },
	{ "no room for a stack", PERF_SAMPLE_STACK_USER, 0, { 0 }, 1, 0 },
	{ "a stack that fills its room",
	  PERF_SAMPLE_STACK_USER,
	  0,
	  { 16, 1, 2, 16 },
	  4,
	  0 },
	{ "more stack than room",
	  PERF_SAMPLE_STACK_USER,
	  0,
	  { 16, 1, 2, 17 },
	  4,
	  -EBADMSG },
	{ "2^64-1 bytes of stack in it",
	  PERF_SAMPLE_STACK_USER,
	  0,
	  { 16, 1, 2, UINT64_MAX },
	  4,
	  -EBADMSG },
	{ "more room than record",
	  PERF_SAMPLE_STACK_USER,
	  0,
	  { 32, 1, 2, 16 },
	  4,
	  -EBADMSG },
	{ "room for 2^64-8",
	  PERF_SAMPLE_STACK_USER,
	  0,
	  { -UINT64_C(8), 1, 2, 16 },
	  4,
	  -EBADMSG },
};

static void test_hostile(void)
{
	for (size_t i = 0; i < COUNT(hostile); i++) {
		const struct hostile *h = &hostile[i];
		struct record_format f = { .sample_type = PERF_SAMPLE_IDENTIFIER |
							  h->type,
					   .regs_user = h->regs };
		struct strbuf sb = { 0 };
		size_t start = rec_begin(&sb, PERF_RECORD_SAMPLE, 0);
		struct record r;

		rec_u64(&sb, 5);
		for (size_t w = 0; w < h->count; w++)
			rec_u64(&sb, h->words[w]);
		rec_end(&sb, start);
		if (is_i64(record_decode_copy(&f, &sb, sb.len, &r), h->error, "%s",
			   h->what) &&
		    !h->error)
			ok(r.at.id == 5 && !r.sample.regs && !r.sample.user.len &&
				   r.sample.stack_len == (h->count == 4 ? 16 : 0),
			   "%s: its content", h->what);
		strbuf_release(&sb);
	}
}

/* Addresses after each marker, after unknown markers, and before any. */
static void test_contexts(void)
{
	static const uint64_t odd[] = {
		0x99, /* before any marker: dropped */
		(uint64_t)PERF_CONTEXT_HV,
		0x88,
		(uint64_t)PERF_CONTEXT_GUEST_USER,
		0x77,
		(uint64_t)PERF_CONTEXT_USER,
		0x401000,
		(uint64_t)PERF_CONTEXT_GUEST,
		0x66,
		(uint64_t)PERF_CONTEXT_KERNEL,
	};
	struct rec_sample s = sample;
	struct record_format f = { .sample_type = RECORD_BASE | PERF_SAMPLE_CALLCHAIN };
	struct strbuf sb = { 0 };
	struct record r = { .type = 99 };

	s.chain = odd;
	s.chain_len = COUNT(odd);
	rec_sample(&sb, f.sample_type, 0, &s);
	is_i64(record_decode(&f, sb.data, sb.len, &r), 0, "a chain of odd markers");
	is_u64(r.sample.user.len, 1, "one user address");
	is_u64(r.sample.user.len ? r.sample.user.ips[0] : 0, 0x401000, "the right one");
	is_u64(r.sample.kernel.len, 0, "no kernel address");
	strbuf_release(&sb);
}

/* ---- only the time ---- */

static void test_time(void)
{
	static const uint32_t words[] = { 20, 10, 21, 11, 0, 0 };

	for (size_t i = 0; i < COUNT(formats); i++) {
		struct record_format f = { .sample_type = formats[i].type };
		uint64_t want = f.sample_type & PERF_SAMPLE_TIME ? sample.at.time : 0;
		struct strbuf sb = { 0 };
		size_t start;

		rec_sample(&sb, f.sample_type, 0, &sample);
		is_u64(record_time(&f, sb.data, sb.len), want, "%s: time of a sample",
		       formats[i].what);
		strbuf_clear(&sb);
		start = rec_begin(&sb, PERF_RECORD_FORK, 0);
		for (size_t w = 0; w < COUNT(words); w++)
			rec_u32(&sb, words[w]);
		rec_end_id(&sb, start, f.sample_type, &sample.at);
		is_u64(record_time(&f, sb.data, sb.len), want, "%s: time of a fork",
		       formats[i].what);
		strbuf_release(&sb);
	}
}

int main(void)
{
	test_samples();
	test_unknown_fields();
	test_hostile();
	test_contexts();
	test_time();
	return done_testing();
}
