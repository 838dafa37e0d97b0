/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes all records of the ring but samples: mappings, tasks, counts, switches. */
#include "sample/record.h"

#include <errno.h>
#include <sys/mman.h>

#include "record_check.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct record_id ids = {
	.pid = 100, .tid = 101, .cpu = 3, .time = 123456789, .id = 77
};

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
	rec_end_id(sb, start, RECORD_BASE, at);
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
	rec_end_id(sb, start, RECORD_BASE, at);
}

static void build_words(struct strbuf *sb, uint32_t type, const uint32_t *words,
			size_t count, const struct record_id *at)
{
	size_t start = rec_begin(sb, type, 0);

	for (size_t i = 0; i < count; i++)
		rec_u32(sb, words[i]);
	rec_end_id(sb, start, RECORD_BASE, at);
}

static void build_comm(struct strbuf *sb, uint16_t misc, const struct record_id *at)
{
	size_t start = rec_begin(sb, PERF_RECORD_COMM, misc);

	rec_u32(sb, 5);
	rec_u32(sb, 6);
	rec_text(sb, "make");
	rec_end_id(sb, start, RECORD_BASE, at);
}

enum { BASE_ID = 32 }; /* bytes of struct sample_id in that format */

static const struct record_format base = {
	.sample_type = RECORD_BASE,
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
	record_check_id(&out->at, &ids, RECORD_BASE, what);
	for (size_t len = 0; len < least; len++)
		taken += record_decode_copy(&base, sb, len, &cut) != -EBADMSG;
	is_u64(taken, 0, "%s: shorter ones are refused", what);
	for (size_t len = least; len < sb->len; len++)
		record_decode_copy(&base, sb, len,
				   &cut); /* may pass, but must not read beyond */
}

static void test_mmaps(void)
{
	static const unsigned char with_id[24] = { 20, 0, 0, 0, 0xde, 0xad, [23] = 0xef };
	static const unsigned char long_id[24] = { 21 };
	static const unsigned char short_id[24] = { 8, 0, 0, 0, 1, 2 };
	const uint16_t flag = PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct record_format none_asked = base;
	struct strbuf sb = { 0 };
	struct record r;

	none_asked.no_build_ids = true;
	build_mmap(&sb, &ids);
	take(&sb, &r, 8 + 32 + 1 + BASE_ID, "MMAP");
	ok(r.mmap.pid == 7 && r.mmap.tid == 8 && r.mmap.start == 0x400000 &&
		   r.mmap.len == 0x3000 && r.mmap.pgoff == 0x1000,
	   "MMAP: numbers");
	is_u64(r.mmap.prot, PROT_EXEC, "MMAP: code");
	is_str(r.mmap.path, "/usr/bin/true", "MMAP: path");
	strbuf_clear(&sb);

	build_mmap2(&sb, flag, with_id, &ids);
	take(&sb, &r, 8 + 64 + 1 + BASE_ID, "MMAP2");
	ok(r.mmap.pid == 7 && r.mmap.tid == 8 && r.mmap.start == 0x400000 &&
		   r.mmap.len == 0x3000 && r.mmap.pgoff == 0x1000,
	   "MMAP2: numbers");
	is_u64(r.mmap.prot, PROT_READ | PROT_EXEC, "MMAP2: protection");
	is_str(r.mmap.path, "/usr/bin/true", "MMAP2: path");
	is_u64(r.mmap.build_id_len, 20, "MMAP2: build-id");
	is_mem(r.mmap.build_id, with_id + 4, 20, "MMAP2: its bytes");
	strbuf_clear(&sb);

	build_mmap2(&sb, 0, with_id, &ids);
	take(&sb, &r, 0, "MMAP2 with an inode");
	is_u64(r.mmap.build_id_len, 0, "has no build-id");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, long_id, &ids);
	take(&sb, &r, 0, "MMAP2 with a build-id of 21 bytes");
	is_u64(r.mmap.build_id_len, 0, "has none");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, short_id, &ids);
	take(&sb, &r, 0, "MMAP2 with a build-id of 8 bytes");
	is_u64(r.mmap.build_id_len, 8, "keeps that length");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, short_id, &ids);
	is_i64(record_decode(&none_asked, sb.data, sb.len, &r), 0,
	       "where none was asked for");
	ok(!r.mmap.build_id_len && r.mmap.file.major == 8 && r.mmap.file.minor == 0x201,
	   "it is device and inode");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, long_id, &ids);
	is_i64(record_decode(&none_asked, sb.data, sb.len, &r), 0, "so are 21 bytes");
	ok(!r.mmap.build_id_len && r.mmap.file.major == 21, "device 21");
	strbuf_clear(&sb);
	build_mmap2(&sb, flag, with_id, &ids);
	is_i64(record_decode(&none_asked, sb.data, sb.len, &r), 0, "but 20 bytes");
	is_u64(r.mmap.build_id_len, 20, "were added to the file");
	strbuf_release(&sb);
}

static void test_tasks(void)
{
	static const uint32_t words[] = { 20, 10, 21, 11, 0, 0 };
	struct strbuf sb = { 0 };
	struct record r;

	for (int i = 0; i < 2; i++) {
		uint32_t type = i ? PERF_RECORD_EXIT : PERF_RECORD_FORK;

		build_words(&sb, type, words, COUNT(words), &ids);
		take(&sb, &r, 8 + 16 + BASE_ID, i ? "EXIT" : "FORK");
		ok(r.task.pid == 20 && r.task.ppid == 10 && r.task.tid == 21 &&
			   r.task.ptid == 11,
		   "%s: who", i ? "EXIT" : "FORK");
		strbuf_clear(&sb);
	}
	build_comm(&sb, 0, &ids);
	take(&sb, &r, 8 + 8 + 1 + BASE_ID, "COMM");
	ok(r.comm.pid == 5 && r.comm.tid == 6 && !r.comm.exec, "COMM: who");
	is_str(r.comm.name, "make", "COMM: name");
	strbuf_clear(&sb);
	build_comm(&sb, PERF_RECORD_MISC_COMM_EXEC, &ids);
	take(&sb, &r, 8 + 8 + 1 + BASE_ID, "COMM of an exec");
	ok(r.comm.exec, "has the flag");
	strbuf_release(&sb);
}

static void test_counts(void)
{
	static const uint32_t words[] = { 1, 0, 42, 0 };
	struct strbuf sb = { 0 };
	struct record r;

	build_words(&sb, PERF_RECORD_LOST, words, 4, &ids);
	take(&sb, &r, 8 + 16 + BASE_ID, "LOST");
	is_u64(r.lost, 42, "LOST: how many");
	strbuf_clear(&sb);
	build_words(&sb, PERF_RECORD_LOST_SAMPLES, words + 2, 2, &ids);
	take(&sb, &r, 8 + 8 + BASE_ID, "LOST_SAMPLES");
	is_u64(r.lost, 42, "LOST_SAMPLES: how many");
	ok(!record_is_filtered(&r), "LOST_SAMPLES: they are lost");
	r.misc |= 1 << 15;
	ok(record_is_filtered(&r), "LOST_SAMPLES: perf's filter dropped them");
	strbuf_clear(&sb);
	build_words(&sb, PERF_RECORD_THROTTLE, words, 4, &ids);
	take(&sb, &r, 8 + BASE_ID, "THROTTLE");
	is_u64(r.type, PERF_RECORD_THROTTLE, "THROTTLE: type");
	strbuf_clear(&sb);
	build_words(&sb, 4711, words, 4, &ids);
	take(&sb, &r, 8 + BASE_ID, "a type of the future");
	is_u64(r.type, 4711, "keeps its number");
	strbuf_release(&sb);
}

static void build_switch(struct strbuf *sb, uint32_t type, uint16_t misc)
{
	size_t start = rec_begin(sb, type, misc);

	if (type == PERF_RECORD_SWITCH_CPU_WIDE) {
		rec_u32(sb, 30);
		rec_u32(sb, 31);
	}
	rec_end_id(sb, start, RECORD_BASE, &ids);
}

/* The flag of preemption means something else in a record of coming in. */
static void test_switches(void)
{
	static const struct {
		uint16_t misc;
		bool out, preempted;
	} kinds[] = {
		{ 0, false, false },
		{ PERF_RECORD_MISC_SWITCH_OUT, true, false },
		{ PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, true,
		  true },
		{ PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, false, false },
	};
	struct strbuf sb = { 0 };
	struct record r;

	for (size_t i = 0; i < 2 * COUNT(kinds); i++) {
		const bool wide = i % 2;

		build_switch(&sb, wide ? PERF_RECORD_SWITCH_CPU_WIDE : PERF_RECORD_SWITCH,
			     kinds[i / 2].misc);
		take(&sb, &r, 8 + (wide ? 8 : 0) + BASE_ID,
		     wide ? "SWITCH_CPU_WIDE" : "SWITCH");
		ok(r.switched.out == kinds[i / 2].out &&
			   r.switched.preempted == kinds[i / 2].preempted,
		   "its flags");
		ok(r.switched.other_pid == (wide ? 30 : 0) &&
			   r.switched.other_tid == (wide ? 31 : 0),
		   "its other thread");
		strbuf_clear(&sb);
	}
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
	is_i64(record_decode_copy(&base, &sb, sb.len, &r), -EBADMSG,
	       "a name without its NUL");
	strbuf_clear(&sb);
	start = rec_begin(&sb, PERF_RECORD_COMM, 0);
	strbuf_pad(&sb, 'x', 8 + 16 + 8);
	strbuf_pad(&sb, '\0', 32);
	rec_end(&sb, start);
	is_i64(record_decode_copy(&base, &sb, sb.len, &r), -EBADMSG,
	       "a name that ends in the time");
	strbuf_release(&sb);
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
	test_mmaps();
	test_tasks();
	test_counts();
	test_switches();
	test_endless_name();
	test_short_time();
	return done_testing();
}
