/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an experiment and reads it back: whole, cut at every byte, with each byte wrong. */
#include "experiment/read.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "experiment/write.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

/* Three flushes: whole blocks end at many places. */
enum { ROUNDS = 3, SAMPLES = 5, WRITTEN = 17 }; /* WRITTEN: tables of a round */

static void write_round(struct exp_writer *w, uint64_t round)
{
	char *name = xasprintf("function_%d", (int)round);

	exp_write_string(w, name);
	exp_write_row(w, EXP_MODULES,
		      (uint64_t[EXP_MODULE_COLUMNS]){ round + 1, 0, EXP_KIND_FILE });
	exp_write_row(w, EXP_FRAMES,
		      (uint64_t[]){ round, UINT64_MAX - round, EXP_FRAME_RETURN });
	exp_write_row(w, EXP_NODES, (uint64_t[]){ round, round });
	exp_write_row(w, EXP_PROCESSES,
		      (uint64_t[]){ 4000000000u + round, round, round + 1, 7 * round });
	exp_write_row(w, EXP_THREADS,
		      (uint64_t[]){ round, 100 + round, 0, 1000 - round });
	for (uint64_t i = 0; i < SAMPLES; i++)
		exp_write_row(w, EXP_SAMPLES,
			      (uint64_t[EXP_SAMPLE_COLUMNS]){
				      1000 * round - i, round, i, 0,
				      UINT64_C(1) << (63 - i), round + 1,
				      round ? UINT64_MAX - i : 0, round * i, 0 });
	exp_write_row(w, EXP_SYMBOLS,
		      (uint64_t[]){ round, 0x1000, 16, round + 1, EXP_SOURCE_SYMTAB,
				    round, round + 2 });
	exp_write_row(w, EXP_LOSSES, (uint64_t[]){ 5, round + 1, 2, 99 });
	exp_write_row(w, EXP_LIVES,
		      (uint64_t[]){ round, round, UINT64_MAX - round, EXP_LIFE_WENT_ON });
	exp_write_row(w, EXP_REGION_PATHS,
		      (uint64_t[]){ round, round + 1, round, round & 1 });
	exp_write_row(w, EXP_REGIONS,
		      (uint64_t[]){ round, round + 1, 7 * round, UINT64_MAX - round,
				    EXP_REGION_CUT });
	exp_write_row(w, EXP_REGION_FAULTS,
		      (uint64_t[]){ round % EXP_REGION_FAULTS_COUNT, round + 3 });
	exp_write_row(w, EXP_MARKS,
		      (uint64_t[]){ round, 9 * round, EXP_MARK_NOTE, round + 1, round,
				    EXP_VALUE_TEXT, round + 1 });
	exp_write_row(w, EXP_SPANS, (uint64_t[]){ 10 * round, 10 * round + 5 });
	exp_write_row(w, EXP_POINTS,
		      (uint64_t[]){ 6 * round, EXP_POINT_SIGNAL, round + 1,
				    EXP_KNOWN_SWITCHES, round, 2 * round, 3 * round,
				    4 * round, 5 * round, UINT64_MAX - round });
	exp_write_row(w, EXP_POINT_COUNTS, (uint64_t[]){ round, 0, 7 * round, 8, 9 });
	free(name);
}

/* The size of the file after each round. */
static void write_whole(const char *dir, uint64_t *ends)
{
	struct exp_log log = { 0 };
	struct exp_writer *w;

	*vec_push(&log.events) = (struct exp_event){ .metric = xstrdup("totalcpu") };
	if (exp_log_write(&log, dir) || exp_writer_open(dir, &w))
		exit(99);
	for (uint64_t r = 0; r < ROUNDS; r++) {
		write_round(w, r);
		if (exp_writer_flush(w))
			exit(99);
		ends[r] = exp_writer_bytes(w);
	}
	if (exp_writer_close(w))
		exit(99);
	exp_log_release(&log);
}

/* ---- the content as text, so any difference shows ---- */

static void show_tables(const struct experiment *e, struct strbuf *out)
{
	for (size_t i = 0; i < e->strings.len; i++)
		strbuf_addf(out, "string %s\n", experiment_string(e, (uint32_t)i));
	vec_for_each(const struct exp_module, m, &e->modules)
		strbuf_addf(out, "module %u %u %d\n", m->path, m->build_id, m->kind);
	vec_for_each(const struct exp_frame, f, &e->frames)
		strbuf_addf(out, "frame %u %zx %u\n", f->module, (size_t)f->offset,
			    f->flags);
	vec_for_each(const struct exp_node, n, &e->nodes)
		strbuf_addf(out, "node %u %u\n", n->parent, n->frame);
	vec_for_each(const struct exp_process, p, &e->processes)
		strbuf_addf(out, "process %zu %u %u %zu\n", (size_t)p->pid, p->parent,
			    p->name, (size_t)p->start_ns);
	vec_for_each(const struct exp_thread, t, &e->threads)
		strbuf_addf(out, "thread %u %u %zu\n", t->process, t->name,
			    (size_t)t->tid);
	vec_for_each(const struct exp_symbol, s, &e->symbols)
		strbuf_addf(out, "symbol %u %zx %zu %u %d %u %u\n", s->module,
			    (size_t)s->start, (size_t)s->size, s->name, s->source,
			    s->file, s->twin);
	vec_for_each(const struct exp_loss, l, &e->losses)
		strbuf_addf(out, "loss %zu %u %u %zu\n", (size_t)l->time_ns, l->thread,
			    l->cpu, (size_t)l->count);
	vec_for_each(const struct exp_life, l, &e->lives)
		strbuf_addf(out, "life %u %zx %zx %u\n", l->thread, (size_t)l->from_ns,
			    (size_t)l->to_ns, l->flags);
	vec_for_each(const struct exp_region_path, p, &e->region_paths)
		strbuf_addf(out, "region path %u %u %u %d\n", p->parent, p->name,
			    p->domain, p->apart);
	vec_for_each(const struct exp_region, r, &e->regions)
		strbuf_addf(out, "region %u %u %zx %zx %u\n", r->thread, r->path,
			    (size_t)r->begin_ns, (size_t)r->end_ns, r->flags);
	for (int f = 0; f < EXP_REGION_FAULTS_COUNT; f++)
		strbuf_addf(out, "region fault %zu\n", (size_t)e->region_faults[f]);
	vec_for_each(const struct span, s, &e->spans.list)
		strbuf_addf(out, "span %zu %zu\n", (size_t)s->from, (size_t)s->to);
	vec_for_each(const struct exp_point, p, &e->points) {
		strbuf_addf(out, "point %zu %d %u %u %zu %zu %zu %zu %zu %zx\n",
			    (size_t)p->time_ns, p->kind, p->name, p->known,
			    (size_t)p->user_ns, (size_t)p->system_ns,
			    (size_t)p->minor_faults, (size_t)p->major_faults,
			    (size_t)p->voluntary, (size_t)p->involuntary);
		for (uint32_t i = 0; i < p->counts; i++) {
			const struct exp_point_count *c =
				&e->point_counts.data[p->count + i];

			strbuf_addf(out, "count at %zu of %u %zu %zu %zu\n",
				    (size_t)p->time_ns, c->event, (size_t)c->count,
				    (size_t)c->enabled_ns, (size_t)c->running_ns);
		}
	}
	vec_for_each(const struct exp_mark, m, &e->marks)
		strbuf_addf(out, "mark %u %zu %d %u %u %d %zu\n", m->thread,
			    (size_t)m->time_ns, m->kind, m->name, m->domain, m->type,
			    (size_t)m->value);
}

/* Returns how many blocks of samples are damaged. */
static unsigned show_samples(struct experiment *e, struct strbuf *out)
{
	struct exp_walk walk = { 0 };
	struct exp_samples s;
	unsigned damaged = 0;
	int more;

	while ((more = experiment_next(e, &walk, &s)) != 0) {
		if (more < 0) {
			damaged++;
			continue;
		}
		for (size_t i = 0; i < s.count; i++)
			strbuf_addf(out, "sample %zu %zu %zu %zu %zx %zu\n",
				    (size_t)s.time_ns[i], (size_t)s.thread[i],
				    (size_t)s.cpu[i], (size_t)s.event[i],
				    (size_t)s.weight[i], (size_t)s.node[i]);
	}
	exp_walk_release(&walk);
	return damaged;
}

struct reading {
	int error;
	bool truncated;
	uint64_t truncated_at, samples;
	size_t strings, counts; /* the first table of a flush, and the last */
	unsigned damaged;
	struct strbuf text;
};

/* Starts with dirty outputs. */
static void read_back(const char *dir, struct reading *r)
{
	struct experiment *e = (void *)(uintptr_t)0xa5a5a5a5;
	struct strbuf err = { 0 };

	r->error = experiment_open(dir, &e, &err);
	strbuf_clear(&r->text);
	if (!r->error) {
		r->truncated = e->truncated;
		r->truncated_at = e->truncated_at;
		r->samples = e->samples;
		r->strings = e->strings.len;
		r->counts = e->point_counts.len;
		show_tables(e, &r->text);
		r->damaged = show_samples(e, &r->text);
		experiment_free(e);
	} else if (!err.len) {
		r->error = 99; /* an error without a sentence fails the test */
	}
	strbuf_release(&err);
}

static void test_round_trip(const struct reading *r)
{
	static const char *const some[] = {
		"string function_2\n",
		"module 3 0 1\n",
		"frame 2 fffffffffffffffd 1\n",
		"node 2 2\n",
		"process 4000000002 2 3 14\n",
		"thread 2 0 102\n",
		"symbol 2 1000 16 3 1 2 4\n",
		"loss 5 3 2 99\n",
		"life 2 2 fffffffffffffffd 2\n",
		"region path 2 3 2 0\n",
		"region 2 3 e fffffffffffffffd 2\n",
		"region fault 5\n",
		"mark 2 18 3 3 2 4 3\n",
		"span 20 25\n",
		"point 12 4 3 2 2 4 6 8 10 fffffffffffffffd\n",
		"count at 12 of 0 14 8 9\n",
		"sample 18446744073709551615 0 1 0 4000000000000000 1\n",
		"sample 1996 2 4 0 800000000000000 3\n",
	};

	ok(!r->error && !r->truncated && !r->damaged, "the file can be read");
	is_u64(r->samples, ROUNDS * SAMPLES, "samples");
	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		ok(strstr(strbuf_str(&r->text), some[i]), "%.*s",
		   (int)strlen(some[i]) - 1, some[i]);
}

/* The start of each block by their headers, and the end of the last. */
static size_t find_blocks(const struct strbuf *data, uint64_t *at, size_t room)
{
	size_t count = 0;

	for (uint64_t offset = EXP_HEADER_SIZE; offset < data->len && count + 1 < room;) {
		struct exp_block_header h;

		if (exp_block_header_decode(data->data + offset, &h))
			exit(99);
		at[count++] = offset;
		offset += EXP_BLOCK_HEADER_SIZE + h.stored_size;
	}
	at[count] = data->len;
	return count;
}

/* Cut at any byte, it loads up to the last whole block, and reports its end. */
static void test_cut(const char *dir, const struct strbuf *data, const uint64_t *ends)
{
	uint64_t at[64];
	size_t blocks = find_blocks(data, at, 64), wrong = 0;
	struct reading r = { 0 };

	is_u64(blocks, ROUNDS * WRITTEN, "a block for each table and flush");
	for (size_t len = 0; len < data->len; len++) {
		size_t whole = 0, round = 0;

		scratch_write(dir, "data", data->data, len);
		read_back(dir, &r);
		if (len < EXP_HEADER_SIZE) {
			wrong += r.error != -EBADMSG;
			continue;
		}
		while (whole < blocks && at[whole + 1] <= len)
			whole++;
		while (round < ROUNDS && ends[round] <= len)
			round++;
		wrong += r.error || r.damaged || r.truncated != (len != at[whole]) ||
			 (r.truncated && r.truncated_at != at[whole]) ||
			 r.counts != round ||
			 r.strings != 1 + (whole + WRITTEN - 1) / WRITTEN;
	}
	is_u64(wrong, 0, "cut at each of %zu bytes", data->len);
	strbuf_release(&r.text);
}

/* Every row read was written, and missing ones are reported. */
static bool is_part_of(const char *text, const char *whole)
{
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		size_t len = strcspn(line, "\n") + 1;
		const char *found = whole;

		while (*found && strncmp(found, line, len) != 0)
			found = strchr(found, '\n') + 1;
		if (!*found)
			return false;
	}
	return true;
}

static void test_flipped(const char *dir, const struct strbuf *data, const char *whole)
{
	static const unsigned char masks[] = { 0x01, 0x80 };
	struct reading r = { 0 };
	size_t silent = 0, invented = 0;

	for (size_t i = 0; i < data->len; i++)
		for (size_t m = 0; m < sizeof(masks); m++) {
			data->data[i] ^= (char)masks[m];
			scratch_write(dir, "data", data->data, data->len);
			data->data[i] ^= (char)masks[m];
			read_back(dir, &r);
			if (r.error)
				continue;
			invented += !is_part_of(strbuf_str(&r.text), whole);
			silent += !r.truncated && !r.damaged &&
				  strcmp(strbuf_str(&r.text), whole) != 0;
		}
	is_u64(invented, 0, "a wrong byte never invents a row");
	is_u64(silent, 0, "or hides one silently");
	strbuf_release(&r.text);
}

/* Blocks with a right checksum and false claims. */
static void test_claims(void)
{
	static const struct {
		const char *what;
		uint32_t rows;
		const char *raw;
		size_t len;
		bool damaged;
	} rows[] = {
		{ "no rows and no columns", 0, "\0\0\0\0", 4, false },
		{ "rows without columns", 4, "\0\0\0\0", 4, true },
		{ "more rows than bytes", 1 << 20, "\2\1\1\0\0", 5, true },
		{ "an older version's one column of two", 1, "\1\1\0", 3, false },
	};
	struct exp_rows out = { 0 };
	struct strbuf raw = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct exp_block_header h = {
			.table = EXP_NODES,
			.rows = rows[i].rows,
			.raw_size = (uint32_t)rows[i].len,
			.stored_size = (uint32_t)rows[i].len,
		};
		const unsigned char head[EXP_BLOCK_HEADER_SIZE] = { 0 };

		/* the checksum of head and payload, as zlib documents it */
		h.crc = (uint32_t)crc32(crc32(0, head, 20), (const void *)rows[i].raw,
					(unsigned)rows[i].len);
		is_i64(exp_block_decode(&h, head, rows[i].raw, &raw, &out),
		       rows[i].damaged ? EXP_BLOCK_DAMAGED : 0, "%s", rows[i].what);
		ok(out.room < 1000, "%s: takes no memory", rows[i].what);
	}
	ok(out.count == 1 && out.column[1][0] == 0, "its missing column is zero");
	exp_rows_release(&out);
	strbuf_release(&raw);
}

static void test_fifo(const char *dir)
{
	char *path = xasprintf("%s/%s", dir, EXP_DATA_FILE);
	struct reading r = { 0 };

	if (remove(path) || mkfifo(path, 0600))
		exit(99);
	read_back(dir, &r);
	is_i64(r.error, -EBADMSG, "a FIFO as data does not block");
	strbuf_release(&r.text);
	free(path);
}

/* The collector is killed before the first flush. */
static void test_young(void)
{
	char *dir = scratch_make();
	struct exp_log log = { 0 };
	struct exp_writer *w;
	struct reading r = { 0 };

	if (exp_log_write(&log, dir) || exp_writer_open(dir, &w))
		exit(99);
	read_back(dir, &r);
	ok(!r.error && !r.damaged && !r.samples, "it is an experiment already");
	if (exp_writer_close(w))
		exit(99);
	strbuf_release(&r.text);
	scratch_remove(dir);
}

/* A file that may not grow is like a full disk. */
static void test_missing(void)
{
	char *dir = scratch_make();
	struct rlimit old, small;
	struct exp_writer *w;

	signal(SIGXFSZ, SIG_IGN);
	if (exp_writer_open(dir, &w) || getrlimit(RLIMIT_FSIZE, &old))
		exit(99);
	write_round(w, 1);
	if (exp_writer_flush(w))
		exit(99);
	write_round(w, 2);
	is_u64(exp_writer_missing_ns(w), UINT64_MAX, "what waits is not missing");
	small = old;
	small.rlim_cur = exp_writer_bytes(w);
	if (setrlimit(RLIMIT_FSIZE, &small))
		exit(99);
	is_i64(exp_writer_flush(w), -EFBIG, "a file that may not grow");
	write_round(w, 3);
	is_u64(exp_writer_missing_ns(w), 2000, "the first sample that is missing");
	is_u64(exp_writer_rows(w, EXP_SAMPLES), 3 * SAMPLES, "all are counted");
	is_i64(exp_writer_close(w), -EFBIG, "the error stays");
	if (setrlimit(RLIMIT_FSIZE, &old))
		exit(99);
	scratch_remove(dir);
}

int main(void)
{
	char *dir = scratch_make();
	uint64_t ends[ROUNDS];
	struct reading whole = { 0 };
	struct strbuf data = { 0 };

	test_missing();
	write_whole(dir, ends);
	scratch_read(dir, "data", &data);
	read_back(dir, &whole);
	test_round_trip(&whole);
	test_cut(dir, &data, ends);
	test_flipped(dir, &data, strbuf_str(&whole.text));
	test_claims();
	test_fifo(dir);
	test_young();
	strbuf_release(&whole.text);
	strbuf_release(&data);
	scratch_remove(dir);
	return done_testing();
}
