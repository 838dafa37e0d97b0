/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same random records to a recording without readers, and to some with: the experiments
 * are the same, byte for byte, and so is all that was counted.
 */
#include "recording/ahead.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ahead_stream.h"
#include "random.h"
#include "scratch.h"
#include "tap.h"

enum { PARTS = 2, RECORDS = 3000, BATCH_MAX = 1024 };

/* What a recording is asked for. */
struct wanted {
	enum stack_mode mode;
	uint32_t nodes_max; /* 0: no limit */
	bool turns;         /* another experiment in the middle */
	bool no_splice;
	bool family; /* the processes of one alone */
	bool pauses; /* samples of some times alone */
};

static const struct row {
	const char *what;
	struct stream_setup stream;
	struct wanted wanted;
	unsigned found; /* of 100 samples, at least */
} rows[] = {
	{ "known stacks",
	  { .seed = 101, .processes = 6, .threads = 4, .depth = 16, .paths = 60 },
	  { 0 },
	  40 },
	{ "chains of frame pointers",
	  { .seed = 151,
	    .processes = 6,
	    .threads = 4,
	    .depth = 16,
	    .paths = 60,
	    .rates = { .maps = 2 },
	    .samples = { .kernel = 200, .skid = 100, .chains = 900, .odd = 20 } },
	  { .mode = STACK_FP },
	  15 },
	{ "no registers",
	  { .seed = 161,
	    .processes = 6,
	    .threads = 4,
	    .depth = 16,
	    .paths = 60,
	    .samples = { .kernel = 600, .chains = 300, .bare = 500 } },
	  { 0 },
	  40 },
	{ "cut copies",
	  { .seed = 202,
	    .processes = 3,
	    .threads = 2,
	    .depth = 16,
	    .paths = 30,
	    .samples = { .cut = 300, .kernel = 100 } },
	  { 0 },
	  20 },
	{ "kernel, skid, new stacks",
	  { .seed = 303,
	    .processes = 6,
	    .threads = 4,
	    .depth = 16,
	    .paths = 60,
	    .samples = { .fresh = 300,
			 .kernel = 300,
			 .new_kernel = 200,
			 .skid = 200,
			 .odd = 20 } },
	  { 0 },
	  40 },
	{ "code that changes",
	  { .seed = 404,
	    .processes = 12,
	    .threads = 4,
	    .depth = 10,
	    .paths = 40,
	    .rates = { .maps = 10, .kernel = 1 },
	    .samples = { .cut = 50, .kernel = 100, .odd = 20 } },
	  { 0 },
	  6 },
	{ "the kernel's code changes",
	  { .seed = 454,
	    .processes = 6,
	    .threads = 4,
	    .depth = 10,
	    .paths = 40,
	    .rates = { .kernel = 6 },
	    .samples = { .kernel = 700, .new_kernel = 20 } },
	  { 0 },
	  5 },
	{ "tasks that change",
	  { .seed = 505,
	    .processes = 30,
	    .threads = 3,
	    .depth = 10,
	    .paths = 40,
	    .rates = { .tasks = 20, .names = 10 },
	    .samples = { .cut = 100, .kernel = 100 } },
	  { 0 },
	  15 },
	{ "all of it, and what does not fit together",
	  { .seed = 606,
	    .processes = 20,
	    .threads = 4,
	    .depth = 16,
	    .paths = 60,
	    .rates = { .maps = 2, .tasks = 4, .names = 1, .kernel = 1, .strange = 15 },
	    .samples = { .fresh = 50,
			 .cut = 100,
			 .kernel = 200,
			 .new_kernel = 50,
			 .skid = 100,
			 .odd = 50 } },
	  { .turns = true },
	  8 },
	{ "strange numbers",
	  { .seed = 707,
	    .processes = 16,
	    .threads = 3,
	    .depth = 16,
	    .paths = 40,
	    .rates = { .tasks = 10, .strange = 40 },
	    .samples = { .cut = 200 } },
	  { .turns = true },
	  5 },
	{ "no room for all nodes",
	  { .seed = 808,
	    .processes = 4,
	    .threads = 3,
	    .depth = 16,
	    .paths = 60,
	    .samples = { .fresh = 300, .kernel = 300, .new_kernel = 100, .skid = 200 } },
	  { .nodes_max = 4000 },
	  40 },
	{ "no completion by earlier stacks, several experiments",
	  { .seed = 909,
	    .processes = 4,
	    .threads = 3,
	    .depth = 16,
	    .paths = 60,
	    .samples = { .fresh = 50, .cut = 100, .kernel = 200, .skid = 50 } },
	  { .no_splice = true, .turns = true },
	  20 },
	{ "one family, at some times",
	  { .seed = 1010,
	    .processes = 6,
	    .threads = 3,
	    .depth = 16,
	    .paths = 40,
	    .rates = { .tasks = 3, .strange = 10 },
	    .samples = { .cut = 200, .kernel = 100 } },
	  { .family = true, .pauses = true },
	  30 },
	{ "many nodes",
	  { .seed = 1111,
	    .processes = 2,
	    .threads = 3,
	    .depth = 40,
	    .paths = 40,
	    .samples = { .fresh = 900, .kernel = 500, .new_kernel = 900, .skid = 100 } },
	  { 0 },
	  30 },
};

/* A recording and its experiments. */
struct world {
	struct recording rec;
	char *dirs[PARTS];
	size_t parts;
	struct ahead *ahead;      /* the recording's; NULL: none */
	struct ahead_stats stats; /* its */
	uint64_t random;          /* when it settles */
	unsigned held, most;      /* records, and how many there are when it does */
};

static void begin_part(struct world *w, struct exp_writer **writer)
{
	w->dirs[w->parts] = scratch_make();
	if (exp_writer_open(w->dirs[w->parts++], writer))
		exit(99);
}

static void end_part(struct exp_writer *writer)
{
	if (exp_writer_close(writer))
		exit(99);
}

static void open_world(struct world *w, const struct row *row,
		       const struct stream *stream, size_t readers)
{
	struct recording_setup setup = {
		.format = stream->format,
		.mode = row->wanted.mode,
		.everyone = !row->wanted.family,
		.trust_paths = true,
		.start_ns = STREAM_BEGIN_NS,
		.no_splice = row->wanted.no_splice,
	};

	*w = (struct world){ .random = row->stream.seed + readers };
	begin_part(w, &setup.writer);
	recording_init(&w->rec, &setup);
	recording_expect(&w->rec, 1);
	sources_add(&w->rec.sources, STREAM_EVENT, 0, -1);
	if (row->wanted.family)
		tasks_thread(&w->rec.tasks, STREAM_PID, STREAM_PID);
	if (row->wanted.nodes_max)
		w->rec.in.nodes_max = row->wanted.nodes_max;
	if (readers)
		w->ahead = ahead_new(&w->rec, readers);
}

static void settle(struct world *w)
{
	if (w->ahead)
		ahead_settle(w->ahead);
	w->held = 0;
	w->most = 1 + random_below(&w->random, BATCH_MAX);
}

static void turn(struct world *w, uint64_t at_ns)
{
	struct exp_writer *last = w->rec.writer, *next;

	settle(w);
	recording_settle(&w->rec, at_ns);
	begin_part(w, &next);
	recording_turn(&w->rec, next, at_ns, 0);
	end_part(last);
}

static void take(struct world *w, const void *bytes, size_t len)
{
	if (!w->ahead) {
		recording_take(&w->rec, bytes, len);
		return;
	}
	ahead_take(w->ahead, bytes, len);
	if (++w->held >= w->most)
		settle(w);
}

/* The times that have samples: three of four. */
static void set_pauses(struct recording *rec)
{
	const uint64_t span = RECORDS / 40 * STREAM_STEP_NS;

	spans_end(&rec->times, 0);
	for (uint64_t i = 0; i < 4 * RECORDS; i += 4)
		spans_add(&rec->times, i * span, (i + 3) * span);
}

/* Takes the whole STREAM; READERS 0: without any. */
static void record(struct world *w, const struct row *row, const struct stream *stream,
		   size_t readers)
{
	const size_t count = stream->starts.len - 1;

	open_world(w, row, stream, readers);
	if (row->wanted.pauses)
		set_pauses(&w->rec);
	w->most = 1;
	for (size_t i = 0; i < count; i++) {
		const size_t from = stream->starts.data[i];
		const size_t end = stream->starts.data[i + 1];

		if (row->wanted.turns && i == count / 2)
			turn(w, STREAM_BEGIN_NS + RECORDS / 2 * STREAM_STEP_NS);
		take(w, stream->bytes.data + from, end - from);
	}
	settle(w);
	end_part(w->rec.writer);
	if (w->ahead)
		w->stats = ahead_stats(w->ahead);
}

static void close_world(struct world *w)
{
	ahead_free(w->ahead);
	recording_release(&w->rec);
	for (size_t i = 0; i < w->parts; i++)
		scratch_remove(w->dirs[i]);
}

/* ---- comparisons ---- */

static void compare_file(const char *dir, const char *other, const char *name,
			 const char *what)
{
	struct strbuf bytes = { 0 }, expected = { 0 };

	scratch_read(dir, name, &bytes);
	scratch_read(other, name, &expected);
	is_u64(bytes.len, expected.len, "%s: bytes of %s", what, name);
	if (bytes.len == expected.len)
		is_mem(bytes.data, expected.data, bytes.len, "%s: %s", what, name);
	strbuf_release(&bytes);
	strbuf_release(&expected);
}

static void compare_folder(const char *dir, const char *expected, const char *what)
{
	DIR *entries = opendir(expected);
	size_t files = 0;

	if (!entries)
		exit(99);
	for (const struct dirent *e; (e = readdir(entries));) {
		if (e->d_name[0] == '.')
			continue;
		compare_file(dir, expected, e->d_name, what);
		files++;
	}
	closedir(entries);
	is_u64(files, scratch_count(dir, "."), "%s: the same files", what);
}

static void compare_counts(const struct recording *rec, const struct recording *expected,
			   const char *what)
{
	const struct stack_builder *b = &rec->stack, *e = &expected->stack;
	struct stack_stats stats = stack_builder_stats(b);
	struct stack_stats wanted = stack_builder_stats(e);

	is_mem(&stats, &wanted, sizeof(stats), "%s: what stacks needed", what);
	is_mem(b->ends, e->ends, sizeof(b->ends), "%s: how they ended", what);
	is_u64(b->spliced, e->spliced, "%s: completed", what);
	is_u64(b->left_out, e->left_out, "%s: left out", what);
	is_u64(rec->samples, expected->samples, "%s: samples", what);
	is_u64(rec->bad, expected->bad, "%s: unreadable records", what);
	is_u64(rec->lost, expected->lost, "%s: lost records", what);
	is_mem(rec->left_out, expected->left_out, sizeof(rec->left_out),
	       "%s: what else was left out", what);
}

static void compare(const struct world *w, const struct world *expected, const char *what)
{
	for (size_t i = 0; i < w->parts; i++)
		compare_folder(w->dirs[i], expected->dirs[i], what);
	compare_counts(&w->rec, &expected->rec, what);
}

static void check_readers(const struct row *row, const struct stream *stream,
			  const struct world *expected, size_t readers)
{
	static struct world w;
	char what[128];

	snprintf(what, sizeof(what), "%s, %zu readers", row->what, readers);
	record(&w, row, stream, readers);
	compare(&w, expected, what);
	ok(w.stats.found * 100 >= expected->rec.samples * row->found,
	   "%s: of %" PRIu64 " samples, %" PRIu64 " looked at, %" PRIu64 " found", what,
	   expected->rec.samples, w.stats.looked_at, w.stats.found);
	close_world(&w);
}

static void check(const struct row *row)
{
	static const size_t readers[] = { 2, 3, 5 };
	static struct world expected;
	struct stream stream;

	stream_make(&stream, &row->stream, RECORDS);
	record(&expected, row, &stream, 0);
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		check_readers(row, &stream, &expected, readers[i]);
	close_world(&expected);
	stream_release(&stream);
}

int main(void)
{
	if (!unwind_arch_host())
		skip_all("stacks of this machine cannot be unwound");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(&rows[i]);
	return done_testing();
}
