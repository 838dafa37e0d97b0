/* SPDX-License-Identifier: Apache-2.0 */
/* Unsampled counts get rows of their own. */
#include "finish/unsampled.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "experiment/log.h"
#include "experiment/read.h"
#include "sample/sample_attr.h"
#include "scratch.h"
#include "tap.h"

enum { TARGET = 100, CHILD = 101, ID = 7, PERIOD = 1000 };

static void sample(struct recording *rec, uint32_t pid, uint64_t time)
{
	struct record r = { .type = PERF_RECORD_SAMPLE,
			    .at = { .pid = pid, .tid = pid, .time = time, .id = ID },
			    .sample = { .period = PERIOD } };

	recording_take_record(rec, &r);
}

struct run {
	char *root;
	struct exp_writer *writer;
	struct recording rec;
};

/* Makes a recording in a folder of its own. */
static void begin_empty(struct run *run)
{
	struct recording *rec = &run->rec;
	struct recording_setup setup = { .format = sample_format(STACK_OFF),
					 .mode = STACK_OFF,
					 .everyone = true };

	run->root = scratch_make();
	if (exp_writer_open(run->root, &run->writer))
		exit(99);
	setup.writer = run->writer;
	recording_init(rec, &setup);
	recording_expect(rec, 1);
	sources_add(&rec->sources, ID, 0, -1);
}

/* One of ten samples, half of them a child's. */
static void begin(struct run *run)
{
	begin_empty(run);
	for (uint64_t i = 1; i <= 10; i++)
		sample(&run->rec, i % 2 ? TARGET : CHILD, i);
}

/* The weights of an experiment's threads, and of them all. */
struct weights {
	uint64_t all, of[3];
};

static struct weights weights_of(struct experiment *exp)
{
	struct exp_walk walk = { 0 };
	struct exp_samples block;
	struct weights sum = { 0 };

	while (experiment_next(exp, &walk, &block) > 0)
		for (size_t i = 0; i < block.count; i++) {
			sum.all += block.weight[i];
			if (block.thread[i] < 3)
				sum.of[block.thread[i]] += block.weight[i];
		}
	exp_walk_release(&walk);
	return sum;
}

/*
 * Checks the experiment's unsampled weight: the event's, and that of the rows.  Returns the
 * weights.
 */
static struct weights settled(struct run *run, unsigned samples, uint64_t want,
			      const char *what)
{
	struct exp_log log = { 0 };
	struct strbuf err = { 0 };
	struct experiment *exp;
	struct weights got;

	is_u64(run->rec.events.data[0].unsampled, want, "%s", what);
	recording_release(&run->rec);
	*vec_push(&log.events) = (struct exp_event){ .scale = 1 };
	if (exp_writer_close(run->writer) || exp_log_write(&log, run->root) ||
	    experiment_open(run->root, &exp, &err))
		exit(99);
	got = weights_of(exp);
	is_u64(got.all, samples * PERIOD + want, "%s: the sum of the rows", what);
	experiment_free(exp);
	exp_log_release(&log);
	strbuf_release(&err);
	scratch_remove(run->root);
	return got;
}

static const struct unsampled_owner target = { .target = TARGET }, nobody;

/* A count that may be entirely unsampled. */
static struct unsampled_count count_of(uint64_t counted)
{
	return (struct unsampled_count){ .counted = counted, .most = UINT64_MAX };
}

static void counted(uint64_t before, uint64_t least, uint64_t counted, uint64_t want,
		    const char *what)
{
	struct unsampled_count count = count_of(counted);
	struct run run;

	count.least = least;

	begin(&run);
	run.rec.events.data[0].dropped = before;
	unsampled_write_counts(&run.rec, &target, &count);
	settled(&run, 10, want, what);
}

static void limited(void)
{
	struct unsampled_count count = { .counted = 11000, .most = 500 };
	struct run run;

	begin(&run);
	unsampled_write_counts(&run.rec, &target, &count);
	settled(&run, 10, 500, "at most the given limit");
}

/* What is missing is shared out by the samples of each name. */
static void shared_out(void)
{
	struct record r = { .type = PERF_RECORD_COMM,
			    .at = { .pid = CHILD, .tid = CHILD, .time = 1 },
			    .comm = { .pid = CHILD, .tid = CHILD, .name = "other" } };
	struct unsampled_count count = count_of(44003);
	struct weights got;
	struct run run;

	begin(&run);
	recording_take_record(&run.rec, &r);
	for (uint64_t i = 11; i <= 40; i++)
		sample(&run.rec, CHILD, i);
	unsampled_write_counts(&run.rec, &target, &count);
	got = settled(&run, 40, 4003, "nothing is left over");
	is_u64(got.of[0], 5000, "the first name's row is its latest thread's");
	is_u64(got.of[1], 6000, "it has a quarter of the samples, and of the rest");
	is_u64(got.of[2], 33003, "the other name has three");
}

/* A group that the user named has no process that all was begun for. */
static void named_group(void)
{
	struct unsampled_count count = count_of(20007);
	struct run run;

	begin(&run);
	for (uint64_t i = 11; i <= 20; i++)
		sample(&run.rec, CHILD, i);
	unsampled_write_counts(&run.rec, &nobody, &count);
	settled(&run, 20, 7, "a named group's is shared out as well");

	begin_empty(&run);
	unsampled_write_counts(&run.rec, &nobody, &count);
	is_u64(run.rec.tasks.processes.len, 0, "without a sample nobody is known");
	settled(&run, 0, 0, "without a sample: whose it is is unknown");

	begin_empty(&run);
	unsampled_write_counts(&run.rec, &target, &count);
	is_u64(run.rec.tasks.threads.data[0].tid, TARGET, "the target is known");
	settled(&run, 0, 20007, "without a sample: it is the target's");
}

/* What the kernel did not sample of a process is its own, beyond the rest of the others' periods. */
static void stopped(void)
{
	const struct unsampled_owner owner = { TARGET, true, CHILD };
	struct unsampled_count count = count_of(20007);
	struct weights got;
	struct run run;

	count.tails = 1007;
	begin(&run);
	unsampled_write_counts(&run.rec, &owner, &count);
	is_u64(run.rec.events.data[0].stopped, 9000, "what the kernel did not sample");
	got = settled(&run, 10, 10007, "with what is shared");
	is_u64(got.of[0], 5000, "is not the target's");
	is_u64(got.of[1], 15007, "but that process's");

	count = count_of(11000);
	count.tails = 1007;
	begin(&run);
	unsampled_write_counts(&run.rec, &owner, &count);
	is_u64(run.rec.events.data[0].stopped, 0, "no more is missing than that");
	settled(&run, 10, 1000, "it is shared");
}

static void chosen(void)
{
	struct unsampled_count count = count_of(1000000);
	struct run run;

	begin(&run);
	run.rec.late = true;
	unsampled_write_counts(&run.rec, &target, &count);
	settled(&run, 10, 0, "a later start cannot be settled");

	begin(&run);
	run.rec.blurred = true;
	unsampled_write_counts(&run.rec, &target, &count);
	settled(&run, 10, 0, "nor can a pause with unknown losses");
}

/* A thread that existed at the attach, and inherited another one's event. */
static void inherited(struct recording *rec)
{
	sources_add(&rec->sources, ID + 1, 0, TARGET);
	sources_add(&rec->sources, ID + 2, 0, CHILD);
	recording_take_record(
		rec, &(struct record){ .type = PERF_RECORD_SAMPLE,
				       .at = { TARGET, CHILD, .time = 11, .id = ID + 1 },
				       .sample = { .period = PERIOD } });
}

/* Counters run on after the end, and one counts the same as another. */
static void dropped(void)
{
	struct unsampled_count count = count_of(13007);
	struct run run;

	begin(&run);
	inherited(&run.rec);
	run.rec.start_ns = 1;
	spans_end(&run.rec.times, 11);
	sample(&run.rec, TARGET, 12);
	sample(&run.rec, CHILD, 13);
	unsampled_write_counts(&run.rec, &target, &count);
	is_u64(run.rec.events.data[0].dropped, 3 * PERIOD, "dropped samples");
	settled(&run, 10, 7, "are not unsampled either");
}

int main(void)
{
	counted(0, 2000, 10000, 0, "a group without missing samples");
	counted(0, 2000, 12000, 0, "less than a period is missing on each CPU");
	counted(0, 2000, 12001, 2001, "missing samples");
	counted(0, 0, 10001, 1, "if nothing may be missing, each one counts");
	counted(3000, 2000, 14999, 0, "a count from before the target started");
	counted(0, 2000, 9000, 0, "more samples than counted: nothing is subtracted");
	limited();
	shared_out();
	named_group();
	stopped();
	chosen();
	dropped();
	return done_testing();
}
