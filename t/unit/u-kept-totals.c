/* SPDX-License-Identifier: Apache-2.0 */
/* Kept sums are those of the samples; other samples have none. */
#include "model/kept_totals.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/write.h"
#include "model/aggregate.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

enum { EVENTS = 2, NODES = 300, THREADS = 3, CPUS = 5, SAMPLES = 40000 };

static void write_dictionaries(struct exp_writer *w)
{
	exp_write_string(w, "a");
	exp_write_row(w, EXP_MODULES,
		      (uint64_t[EXP_MODULE_COLUMNS]){ 1, 0, EXP_KIND_FILE });
	exp_write_row(w, EXP_FRAMES, (uint64_t[EXP_FRAME_COLUMNS]){ 0, 16 });
	for (uint64_t i = 0; i < NODES; i++)
		exp_write_row(w, EXP_NODES, (uint64_t[EXP_NODE_COLUMNS]){ i / 2 });
	exp_write_row(w, EXP_PROCESSES, (uint64_t[EXP_PROCESS_COLUMNS]){ 7, 0, 1 });
	for (uint64_t i = 0; i < THREADS; i++)
		exp_write_row(w, EXP_THREADS, (uint64_t[EXP_THREAD_COLUMNS]){ 0, i, 1 });
}

/* Samples whose weights depend on FACTOR. */
static void write_samples(struct exp_writer *w, uint64_t factor)
{
	for (uint64_t i = 0; i < SAMPLES; i++)
		exp_write_row(w, EXP_SAMPLES,
			      (uint64_t[EXP_SAMPLE_COLUMNS]){
				      i * 1000000, i * i % THREADS, i * i % CPUS,
				      i % 7 == 0, 1 + i * factor % 1000,
				      i * i % (NODES / 2) });
}

static struct experiment *make(const char *dir, uint64_t factor)
{
	struct exp_log log = { .complete = true, .started = xstrdup("today") };
	struct strbuf err = { 0 };
	struct experiment *exp;
	struct exp_writer *w;

	for (int i = 0; i < EVENTS; i++)
		*vec_push(&log.events) = (struct exp_event){ 0 };
	if (exp_writer_open(dir, &w))
		exit(99);
	write_dictionaries(w);
	write_samples(w, factor);
	if (exp_writer_close(w) || exp_log_write(&log, dir) ||
	    experiment_open(dir, &exp, &err))
		exit(99);
	exp_log_release(&log);
	strbuf_release(&err);
	return exp;
}

static bool same(const struct value *a, const struct value *b, size_t count)
{
	return !memcmp(a, b, count * sizeof(*a));
}

static bool same_totals(const struct totals *a, const struct totals *b)
{
	return a->events == b->events && a->nodes == b->nodes &&
	       a->threads == b->threads && a->cpus == b->cpus &&
	       a->seconds == b->seconds && a->last_ns == b->last_ns &&
	       same(a->node, b->node, a->events * a->nodes) &&
	       same(a->thread, b->thread, a->events * a->threads) &&
	       same(a->cpu, b->cpu, a->events * a->cpus) &&
	       same(a->second, b->second, a->events * a->seconds) &&
	       same(a->whole, b->whole, a->events);
}

/* Whether there are sums; a failure leaves nothing. */
static bool reads(const struct experiment *exp)
{
	struct totals got;
	bool good = kept_totals_read(&got, exp);

	if (!good && got.node)
		ok(false, "a failure left sums");
	totals_release(&got);
	return good;
}

static void test_damaged(const struct experiment *exp, const char *dir)
{
	struct strbuf whole = { 0 };
	unsigned cut = 0, flipped = 0;

	scratch_read(dir, EXP_SUMS_FILE, &whole);
	for (size_t len = 0; len < whole.len; len++) {
		scratch_write(dir, EXP_SUMS_FILE, whole.data, len);
		cut += reads(exp);
	}
	for (size_t at = 0; at < whole.len; at++) {
		whole.data[at] ^= 0x20;
		scratch_write(dir, EXP_SUMS_FILE, whole.data, whole.len);
		whole.data[at] ^= 0x20;
		flipped += reads(exp);
	}
	is_u64(cut, 0, "cut at any of %zu bytes the file is ignored", whole.len);
	is_u64(flipped, 0, "with any byte changed it is ignored");
	scratch_write(dir, EXP_SUMS_FILE, whole.data, whole.len);
	strbuf_release(&whole);
}

/* The number of rows of a block, which its checksum covers, but without its content. */
static void test_rows(const struct experiment *exp, const char *dir)
{
	enum { ROWS = 8 };
	size_t at = (size_t)exp->extents.data[0].offset + ROWS;
	struct strbuf data = { 0 }, err = { 0 };
	struct experiment *again = NULL;

	scratch_read(dir, EXP_DATA_FILE, &data);
	data.data[at] ^= 1;
	scratch_write(dir, EXP_DATA_FILE, data.data, data.len);
	data.data[at] ^= 1;
	ok(!experiment_open(dir, &again, &err),
	   "a header that claims other rows is read");
	ok(again->samples != exp->samples && !reads(again),
	   "but the sums are not its own");
	scratch_write(dir, EXP_DATA_FILE, data.data, data.len);
	experiment_free(again);
	strbuf_release(&data);
	strbuf_release(&err);
}

/* Forged sums: one kind has more than the others, or all have more than exists. */
static void test_forged(struct totals *t, const struct experiment *exp)
{
	t->cpu[1].weight++;
	kept_totals_write(t, exp);
	ok(!reads(exp), "not if the sums by CPU have more than those by stack");
	t->cpu[1].weight--;
	t->node[1].samples += SAMPLES;
	t->thread[0].samples += SAMPLES;
	t->cpu[0].samples += SAMPLES;
	t->second[0].samples += SAMPLES;
	kept_totals_write(t, exp);
	ok(!reads(exp), "not if there are more samples than the recording has");
	t->node[1].samples -= SAMPLES;
	t->thread[0].samples -= SAMPLES;
	t->cpu[0].samples -= SAMPLES;
	t->second[0].samples -= SAMPLES;
}

static void test_refused(struct totals *t, struct experiment *exp, const char *dir)
{
	size_t before = scratch_count(dir, ".");

	exp->log.complete = false;
	kept_totals_write(t, exp);
	exp->log.complete = true;
	exp->truncated = true;
	kept_totals_write(t, exp);
	exp->truncated = false;
	t->damaged_blocks = 1;
	kept_totals_write(t, exp);
	t->damaged_blocks = 0;
	is_u64(scratch_count(dir, "."), before,
	       "nothing is kept of an incomplete or damaged recording");
}

int main(void)
{
	char *dir = scratch_make(), *other = scratch_make();
	struct experiment *exp = make(dir, 3), *changed = make(other, 5);
	struct totals want = { 0 }, got;
	struct strbuf bytes = { 0 };

	totals_read(&want, exp, NULL, &(struct division){ 0 }, NULL);
	ok(!kept_totals_read(&got, exp), "none are kept");
	test_refused(&want, exp, dir);
	kept_totals_write(&want, exp);
	ok(kept_totals_read(&got, exp), "they are kept");
	ok(same_totals(&want, &got), "they are the sums of the samples");
	totals_release(&got);
	scratch_read(dir, EXP_SUMS_FILE, &bytes);
	scratch_write(other, EXP_SUMS_FILE, bytes.data, bytes.len);
	changed->bytes = exp->bytes;
	ok(!reads(changed), "not for other samples of the same size");
	exp->bytes++;
	ok(!reads(exp), "not for data of another size");
	exp->bytes--;
	exp->log.started[0] = 'T';
	ok(!reads(exp), "not for another recording");
	exp->log.started[0] = 't';
	test_damaged(exp, dir);
	test_rows(exp, dir);
	ok(reads(exp), "and complete again they are read");
	test_forged(&want, exp);
	strbuf_release(&bytes);
	totals_release(&want);
	experiment_free(exp);
	experiment_free(changed);
	scratch_remove(dir);
	scratch_remove(other);
	return done_testing();
}
