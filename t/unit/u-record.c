/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes records that the kernel writes into the ring, and others that it never would. */
#include "sample/record.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "records.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define BASE                                                                             \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |  \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define USER (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define ALL  (BASE | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CALLCHAIN | USER)

#define DATA (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)

/* The formats that collect requests, and perf(1)'s. */
static const struct {
	const char *what;
	uint64_t type, regs;
} formats[] = {
	{ "off", BASE, 0 },
	{ "fp", BASE | PERF_SAMPLE_CALLCHAIN, 0 },
	{ "cfi", BASE | PERF_SAMPLE_CALLCHAIN | USER, 0x105 },
	{ "regs without a stack", BASE | PERF_SAMPLE_REGS_USER, 0x7 },
	{ "perf's",
	  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
		  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN,
	  0 },
	{ "no id at all", PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD, 0 },
	{ "all", ALL, 0x105 },
	{ "with data", BASE | DATA | PERF_SAMPLE_WEIGHT_STRUCT, 0 },
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

/* Decodes a copy of LEN bytes, so a sanitizer notices reads beyond it. */
static int decode(const struct record_format *format, const struct strbuf *bytes,
		  size_t len, struct record *out)
{
	void *copy = malloc(len ? len : 1);
	int error;

	memset(out, 0xa5, sizeof(*out));
	if (len)
		memcpy(copy, bytes->data, len);
	error = record_decode(format, copy, len, out);
	free(copy);
	return error;
}

static void check_id(const struct record_id *got, const struct record_id *want,
		     uint64_t type, const char *what)
{
	bool tid = type & PERF_SAMPLE_TID;
	bool id = type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);

	is_u64(got->pid, tid ? want->pid : 0, "%s: pid", what);
	is_u64(got->tid, tid ? want->tid : 0, "%s: tid", what);
	is_u64(got->time, type & PERF_SAMPLE_TIME ? want->time : 0, "%s: time", what);
	is_u64(got->cpu, type & PERF_SAMPLE_CPU ? want->cpu : 0, "%s: cpu", what);
	is_u64(got->id, id ? want->id : 0, "%s: id", what);
}

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

	check_id(&r->at, &sample.at, type, what);
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
			taken += decode(&f, &sb, len, &r) != -EBADMSG;
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

	rec_sample(&sb, BASE, 0, &sample);
	for (size_t i = 0; i < COUNT(bits); i++)
		is_i64(decode(&(struct record_format){ .sample_type = BASE | bits[i] },
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
		if (is_i64(decode(&f, &sb, sb.len, &r), h->error, "%s", h->what) &&
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
	struct record_format f = { .sample_type = BASE | PERF_SAMPLE_CALLCHAIN };
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

/* ---- all other records ---- */

static void build_mmap2(struct strbuf *sb, uint16_t misc, const void *id24,
			const struct record_id *at)
{
	size_t start = rec_begin(sb, PERF_RECORD_MMAP2, misc);

	rec_u32(sb, 7);
	rec_u32(sb, 8);
	rec_u64(sb, 0x400000);
	rec_u64(sb, 0x3000);
	rec_u64(sb, 0x1000);
	strbuf_add(sb, id24, 24);
	rec_u32(sb, PROT_READ | PROT_EXEC);
	rec_u32(sb, MAP_PRIVATE);
	rec_text(sb, "/usr/bin/true");
	rec_end_id(sb, start, BASE, at);
}

static void build_mmap(struct strbuf *sb, const struct record_id *at)
{
	size_t start = rec_begin(sb, PERF_RECORD_MMAP, 0);

	rec_u32(sb, 7);
	rec_u32(sb, 8);
	rec_u64(sb, 0x400000);
	rec_u64(sb, 0x3000);
	rec_u64(sb, 0x1000);
	rec_text(sb, "/usr/bin/true");
	rec_end_id(sb, start, BASE, at);
}

static void build_words(struct strbuf *sb, uint32_t type, const uint32_t *words,
			size_t count, const struct record_id *at)
{
	size_t start = rec_begin(sb, type, 0);

	for (size_t i = 0; i < count; i++)
		rec_u32(sb, words[i]);
	rec_end_id(sb, start, BASE, at);
}

static void build_comm(struct strbuf *sb, uint16_t misc, const struct record_id *at)
{
	size_t start = rec_begin(sb, PERF_RECORD_COMM, misc);

	rec_u32(sb, 5);
	rec_u32(sb, 6);
	rec_text(sb, "make");
	rec_end_id(sb, start, BASE, at);
}

enum { BASE_ID = 32 }; /* bytes of struct sample_id in that format */

static const struct record_format base = {
	.sample_type = BASE,
	.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
		       PERF_FORMAT_ID,
};

/* Decodes SB, checks its ids, and that every shorter one is refused; clears it. */
static void take(struct strbuf *sb, struct record *out, size_t least, const char *what)
{
	struct record cut;
	size_t taken = 0;

	memset(out, 0xa5, sizeof(*out));
	is_i64(record_decode(&base, sb->data, sb->len, out), 0, "%s decodes", what);
	check_id(&out->at, &sample.at, BASE, what);
	for (size_t len = 0; len < least; len++)
		taken += decode(&base, sb, len, &cut) != -EBADMSG;
	is_u64(taken, 0, "%s: shorter ones are refused", what);
	for (size_t len = least; len < sb->len; len++)
		decode(&base, sb, len, &cut); /* may pass, but must not read beyond */
}

static void test_mmaps(void)
{
	static const unsigned char with_id[24] = { 20, 0, 0, 0, 0xde, 0xad, [23] = 0xef };
	static const unsigned char long_id[24] = { 21 };
	static const unsigned char short_id[24] = { 8, 0, 0, 0, 1, 2 };
	const uint16_t flag = PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct strbuf sb = { 0 };
	struct record r;

	build_mmap(&sb, &sample.at);
	take(&sb, &r, 8 + 32 + 1 + BASE_ID, "MMAP");
	ok(r.mmap.pid == 7 && r.mmap.tid == 8 && r.mmap.start == 0x400000 &&
		   r.mmap.len == 0x3000 && r.mmap.pgoff == 0x1000,
	   "MMAP: numbers");
	is_u64(r.mmap.prot, PROT_EXEC, "MMAP: code");
	is_str(r.mmap.path, "/usr/bin/true", "MMAP: path");
	strbuf_clear(&sb);

	build_mmap2(&sb, flag, with_id, &sample.at);
	take(&sb, &r, 8 + 64 + 1 + BASE_ID, "MMAP2");
	ok(r.mmap.pid == 7 && r.mmap.tid == 8 && r.mmap.start == 0x400000 &&
		   r.mmap.len == 0x3000 && r.mmap.pgoff == 0x1000,
	   "MMAP2: numbers");
	is_u64(r.mmap.prot, PROT_READ | PROT_EXEC, "MMAP2: protection");
	is_str(r.mmap.path, "/usr/bin/true", "MMAP2: path");
	is_u64(r.mmap.build_id_len, 20, "MMAP2: build-id");
	is_mem(r.mmap.build_id, with_id + 4, 20, "MMAP2: its bytes");
	strbuf_clear(&sb);

	build_mmap2(&sb, 0, with_id, &sample.at);
	take(&sb, &r, 0, "MMAP2 with an inode");
	is_u64(r.mmap.build_id_len, 0, "has no build-id");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, long_id, &sample.at);
	take(&sb, &r, 0, "MMAP2 with a build-id of 21 bytes");
	is_u64(r.mmap.build_id_len, 0, "has none");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, short_id, &sample.at);
	take(&sb, &r, 0, "MMAP2 with a build-id of 8 bytes");
	is_u64(r.mmap.build_id_len, 8, "keeps that length");
	strbuf_release(&sb);
}

static void test_tasks(void)
{
	static const uint32_t words[] = { 20, 10, 21, 11, 0, 0 };
	struct strbuf sb = { 0 };
	struct record r;

	for (int i = 0; i < 2; i++) {
		uint32_t type = i ? PERF_RECORD_EXIT : PERF_RECORD_FORK;

		build_words(&sb, type, words, COUNT(words), &sample.at);
		take(&sb, &r, 8 + 16 + BASE_ID, i ? "EXIT" : "FORK");
		ok(r.task.pid == 20 && r.task.ppid == 10 && r.task.tid == 21 &&
			   r.task.ptid == 11,
		   "%s: who", i ? "EXIT" : "FORK");
		strbuf_clear(&sb);
	}
	build_comm(&sb, 0, &sample.at);
	take(&sb, &r, 8 + 8 + 1 + BASE_ID, "COMM");
	ok(r.comm.pid == 5 && r.comm.tid == 6 && !r.comm.exec, "COMM: who");
	is_str(r.comm.name, "make", "COMM: name");
	strbuf_clear(&sb);
	build_comm(&sb, PERF_RECORD_MISC_COMM_EXEC, &sample.at);
	take(&sb, &r, 8 + 8 + 1 + BASE_ID, "COMM of an exec");
	ok(r.comm.exec, "has the flag");
	strbuf_release(&sb);
}

static void test_counts(void)
{
	static const uint32_t words[] = { 1, 0, 42, 0 };
	struct strbuf sb = { 0 };
	struct record r;

	build_words(&sb, PERF_RECORD_LOST, words, 4, &sample.at);
	take(&sb, &r, 8 + 16 + BASE_ID, "LOST");
	is_u64(r.lost, 42, "LOST: how many");
	strbuf_clear(&sb);
	build_words(&sb, PERF_RECORD_LOST_SAMPLES, words + 2, 2, &sample.at);
	take(&sb, &r, 8 + 8 + BASE_ID, "LOST_SAMPLES");
	is_u64(r.lost, 42, "LOST_SAMPLES: how many");
	ok(!record_is_filtered(&r), "LOST_SAMPLES: they are lost");
	r.misc |= 1 << 15;
	ok(record_is_filtered(&r), "LOST_SAMPLES: perf's filter dropped them");
	strbuf_clear(&sb);
	build_words(&sb, PERF_RECORD_THROTTLE, words, 4, &sample.at);
	take(&sb, &r, 8 + BASE_ID, "THROTTLE");
	is_u64(r.type, PERF_RECORD_THROTTLE, "THROTTLE: type");
	strbuf_clear(&sb);
	build_words(&sb, 4711, words, 4, &sample.at);
	take(&sb, &r, 8 + BASE_ID, "a type of the future");
	is_u64(r.type, 4711, "keeps its number");
	strbuf_release(&sb);
}

/* The final count of an ended task's counter, in the requested layout. */
static void test_read(void)
{
	static const uint32_t words[] = { 20, 21, 1000, 0, 500, 0, 400, 0, 77, 0 };
	struct record_format group = base;
	struct strbuf sb = { 0 };
	struct record r;

	build_words(&sb, PERF_RECORD_READ, words, COUNT(words), &sample.at);
	take(&sb, &r, 8 + 40 + BASE_ID, "READ");
	ok(r.read.pid == 20 && r.read.tid == 21 && r.read.value == 1000 &&
		   r.read.enabled_ns == 500 && r.read.running_ns == 400 &&
		   r.read.id == 77,
	   "READ: numbers");
	group.read_format |= PERF_FORMAT_GROUP;
	is_i64(decode(&group, &sb, sb.len, &r), -EBADMSG, "READ of a group");
	strbuf_clear(&sb);
	build_words(&sb, PERF_RECORD_READ, words, 4, &sample.at);
	is_i64(record_decode(&(struct record_format){ .sample_type = BASE }, sb.data,
			     sb.len, &r),
	       0, "READ of only the value");
	ok(r.read.value == 1000 && !r.read.enabled_ns && !r.read.id, "has nothing else");
	strbuf_release(&sb);
}

/* A name without a NUL runs into the numbers behind it, and is refused. */
static void test_endless_name(void)
{
	struct strbuf sb = { 0 };
	struct record r;
	size_t start = rec_begin(&sb, PERF_RECORD_COMM, 0);

	strbuf_pad(&sb, 'x', 8 + 16 + BASE_ID);
	rec_end(&sb, start);
	is_i64(decode(&base, &sb, sb.len, &r), -EBADMSG, "a name without its NUL");
	strbuf_clear(&sb);
	start = rec_begin(&sb, PERF_RECORD_COMM, 0);
	strbuf_pad(&sb, 'x', 8 + 16 + 8);
	strbuf_pad(&sb, '\0', 32);
	rec_end(&sb, start);
	is_i64(decode(&base, &sb, sb.len, &r), -EBADMSG, "a name that ends in the time");
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

static void test_short_time(void)
{
	struct strbuf sb = { 0 };
	size_t start = rec_begin(&sb, PERF_RECORD_THROTTLE, 0);

	strbuf_pad(&sb, 'x', 16);
	rec_end(&sb, start);
	is_u64(record_time(&base, sb.data, sb.len), 0, "a record too short for a time");
	strbuf_clear(&sb);
	start = rec_begin(&sb, PERF_RECORD_SAMPLE, 0);
	strbuf_pad(&sb, 'x', 24);
	rec_end(&sb, start);
	is_u64(record_time(&base, sb.data, sb.len), 0, "a sample too short for a time");
	strbuf_release(&sb);
}

int main(void)
{
	test_samples();
	test_unknown_fields();
	test_hostile();
	test_contexts();
	test_mmaps();
	test_tasks();
	test_counts();
	test_read();
	test_endless_name();
	test_time();
	test_short_time();
	return done_testing();
}
