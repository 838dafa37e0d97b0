/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same random records as one experiment and as several: the samples of these, one
 * experiment after the other, are those of the one, in all that a reader sees.
 */
#include "recording/recording.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/strbuf.h"
#include "experiment/read.h"
#include "random.h"
#include "scratch.h"
#include "tap.h"

enum { EVENT_ID = 7, PIDS = 12, PAGES = 16, RECORDS = 4000, PARTS = 9, GROUPS = 3 };
enum { FIRST_PID = 100, NEW_PID = 1000, THREAD = 100000, BEGIN_NS = 1000, KINDS = 8 };

/* A fork within a millisecond of one is the same, of a ring that takes over: tasks_fork. */
#define STEP_NS UINT64_C(2000000)

/* A recording and its experiments: PARTS at most. */
struct world {
	struct recording rec;
	char *dirs[PARTS];
	struct exp_writer *writer;
	uint64_t starts[PARTS];
	uint64_t counted[PARTS]; /* samples, by the recording's own count */
	size_t parts;
};

static void begin_part(struct world *w, uint64_t at_ns)
{
	w->dirs[w->parts] = scratch_make();
	w->starts[w->parts] = at_ns;
	if (exp_writer_open(w->dirs[w->parts], &w->writer))
		abort();
	w->parts++;
}

static void end_part(struct world *w)
{
	struct exp_log log = { .complete = true };

	w->counted[w->parts - 1] = w->rec.samples - w->rec.samples_before;
	*vec_push(&log.events) = (struct exp_event){ .scale = 1 };
	if (exp_writer_close(w->writer) || exp_log_write(&log, w->dirs[w->parts - 1]))
		abort();
	exp_log_release(&log);
}

static void open_world(struct world *w)
{
	struct recording_setup setup = {
		.everyone = true, .mode = STACK_FP, .start_ns = BEGIN_NS, .groups = true
	};

	*w = (struct world){ 0 };
	begin_part(w, BEGIN_NS);
	setup.writer = w->writer;
	recording_init(&w->rec, &setup);
	recording_expect(&w->rec, 1);
	sources_add(&w->rec.sources, EVENT_ID, 0, -1);
}

static void turn(struct world *w, uint64_t at_ns, uint64_t lost)
{
	recording_settle(&w->rec, at_ns);
	end_part(w);
	begin_part(w, at_ns);
	recording_turn(&w->rec, w->writer, at_ns, lost);
}

/* ---- records ---- */

static void take_sample(struct recording *rec, uint64_t *state, struct record *r)
{
	uint64_t ips[6];
	size_t len = 1 + random_below(state, 6);

	for (size_t i = 0; i < len; i++)
		ips[i] = 0x1000u * (1 + random_below(state, 3 * PAGES)) +
			 random_below(state, 8);
	r->type = PERF_RECORD_SAMPLE;
	r->misc = PERF_RECORD_MISC_USER;
	r->sample = (struct record_sample){
		.ip = ips[0],
		.period = 1 + random_below(state, 100),
		.user = { ips, len },
		.chain_len = len,
		.cgroup = 1 + r->at.pid % (GROUPS + 1),
	};
	recording_take_record(rec, r);
}

static void take_mmap(struct recording *rec, uint64_t *state, struct record *r)
{
	char path[32];

	snprintf(path, sizeof(path), "/lib/%u", random_below(state, 20));
	r->type = PERF_RECORD_MMAP2;
	r->misc = PERF_RECORD_MISC_USER;
	r->mmap = (struct record_mmap){
		.pid = r->at.pid,
		.tid = r->at.tid,
		.prot = PROT_EXEC,
		.start = 0x1000u * (1 + random_below(state, PAGES)),
		.len = 0x1000u * (1 + random_below(state, 2 * PAGES)),
		.path = path,
	};
	recording_take_record(rec, r);
}

/* A process forked at TIME; numbers are not used again. */
static uint32_t child_at(uint64_t time)
{
	return NEW_PID + (uint32_t)(time / STEP_NS);
}

/* One that ran before, or a younger one; of that the fork may be unknown. */
static uint32_t any_pid(uint64_t *state, uint64_t time)
{
	if (random_below(state, 4))
		return FIRST_PID + random_below(state, PIDS);
	return child_at(time) - 1 - random_below(state, 20);
}

/* Processes of odd numbers have threads, and execute no other program. */
static bool has_threads(uint32_t pid)
{
	return pid % 2;
}

static void take_task(struct recording *rec, uint64_t *state, struct record *r,
		      bool exits)
{
	uint32_t child = child_at(r->at.time);
	bool thread = has_threads(r->at.pid) && random_below(state, 2);

	if (thread)
		child = r->at.pid + THREAD;
	r->type = exits ? PERF_RECORD_EXIT : PERF_RECORD_FORK;
	r->task = (struct record_task){
		.pid = exits || thread ? r->at.pid : child,
		.ppid = r->at.pid,
		.tid = exits ? r->at.tid : child,
		.ptid = r->at.tid,
	};
	recording_take_record(rec, r);
}

static void take_comm(struct recording *rec, uint64_t *state, struct record *r)
{
	char name[40];

	snprintf(name, sizeof(name), "%s%u",
		 random_below(state, 5) ? "name" : "longest-name",
		 random_below(state, 6));
	r->type = PERF_RECORD_COMM;
	r->comm = (struct record_comm){
		.pid = r->at.pid,
		.tid = r->at.tid,
		.exec = !has_threads(r->at.pid) && !random_below(state, 4),
		.name = name,
	};
	recording_take_record(rec, r);
}

/* A thread keeps the group's name from its first sample, so the names come first. */
static void take_groups(struct recording *rec)
{
	for (uint64_t id = 1; id <= GROUPS; id++) {
		struct record r = { .type = PERF_RECORD_CGROUP };
		char path[32];

		snprintf(path, sizeof(path), "/group-%" PRIu64, id);
		r.cgroup = (struct record_cgroup){ .id = id, .path = path };
		recording_take_record(rec, &r);
	}
}

/* The next record, half of them samples. */
static void take_one(struct recording *rec, uint64_t *state, uint64_t time)
{
	uint32_t pid = any_pid(state, time);
	uint32_t tid = has_threads(pid) && random_below(state, 2) ? pid + THREAD : pid;
	struct record r = {
		.at = { .pid = pid, .tid = tid, .id = EVENT_ID, .time = time }
	};

	switch (random_below(state, KINDS)) {
	case 0:
		take_mmap(rec, state, &r);
		break;
	case 1:
		take_task(rec, state, &r, false);
		break;
	case 2:
		take_comm(rec, state, &r);
		break;
	case 3:
		if (tid != pid) /* a process that has ended does nothing */
			take_task(rec, state, &r, true);
		break;
	default:
		take_sample(rec, state, &r);
	}
}

/* ---- what a reader sees ---- */

/*
 * But for the names of processes: a process has the one that it had at its first sample, in
 * each experiment.
 */

static void add_stack(const struct experiment *exp, uint32_t node, struct strbuf *out)
{
	for (; node; node = exp->nodes.data[node].parent) {
		const struct exp_frame *f =
			&exp->frames.data[exp->nodes.data[node].frame];

		strbuf_addf(out, " %s+%" PRIx64 ",%u",
			    experiment_string(exp, exp->modules.data[f->module].path),
			    f->offset, (unsigned)f->flags);
	}
}

static void add_samples(struct experiment *exp, uint64_t start, struct strbuf *out)
{
	struct exp_walk walk = { 0 };
	struct exp_samples s;

	while (experiment_next(exp, &walk, &s) == 1)
		for (size_t i = 0; i < s.count; i++) {
			const struct exp_thread *th = &exp->threads.data[s.thread[i]];
			const struct exp_process *p = &exp->processes.data[th->process];

			strbuf_addf(out, "%" PRIu64 " %d/%d %s %" PRIu64 " %s:",
				    start + s.time_ns[i], (int)p->pid, (int)th->tid,
				    experiment_string(exp, th->name), s.weight[i],
				    experiment_string(exp, th->cgroup));
			add_stack(exp, (uint32_t)s.node[i], out);
			strbuf_addch(out, '\n');
		}
	exp_walk_release(&walk);
}

/* Of all experiments; *SAMPLES: as counted. */
static void read_world(const struct world *w, struct strbuf *out, uint64_t *samples)
{
	struct strbuf err = { 0 };

	*samples = 0;
	for (size_t i = 0; i < w->parts; i++) {
		struct experiment *exp;

		if (experiment_open(w->dirs[i], &exp, &err))
			abort();
		*samples += exp->samples == w->counted[i] ? exp->samples : UINT32_MAX;
		add_samples(exp, w->starts[i], out);
		experiment_free(exp);
	}
	strbuf_release(&err);
}

static void close_world(struct world *w)
{
	recording_release(&w->rec);
	for (size_t i = 0; i < w->parts; i++)
		scratch_remove(w->dirs[i]);
}

static void test_same(uint64_t seed)
{
	struct world one, many;
	struct strbuf expected = { 0 }, got = { 0 };
	uint64_t samples, same, state = seed, again = seed;

	open_world(&one);
	open_world(&many);
	take_groups(&one.rec);
	take_groups(&many.rec);
	for (uint64_t i = 1; i <= RECORDS; i++) {
		take_one(&one.rec, &state, BEGIN_NS + i * STEP_NS);
		if (i % (RECORDS / PARTS) == 0 && many.parts < PARTS)
			turn(&many, BEGIN_NS + i * STEP_NS, 0);
		take_one(&many.rec, &again, BEGIN_NS + i * STEP_NS);
	}
	end_part(&one);
	end_part(&many);
	read_world(&one, &expected, &samples);
	read_world(&many, &got, &same);
	is_u64(many.parts, PARTS, "there are several experiments");
	ok(samples > RECORDS / 4, "the one has samples");
	is_u64(same, samples, "together they have as many samples, as counted and read");
	ok(!strcmp(strbuf_str(&got), strbuf_str(&expected)),
	   "and the same: times, threads, names, groups, weights and stacks");
	strbuf_release(&expected);
	strbuf_release(&got);
	close_world(&one);
	close_world(&many);
}

/* ---- lost records ---- */

static void take_lost(struct recording *rec, uint32_t type, uint64_t time, uint64_t lost)
{
	struct record r = { .type = type, .at.time = time, .lost = lost };

	recording_take_record(rec, &r);
}

/* By the rows of the experiment I. */
static uint64_t losses_of(const struct world *w, size_t i)
{
	struct experiment *exp;
	struct strbuf err = { 0 };
	uint64_t sum = 0;

	if (experiment_open(w->dirs[i], &exp, &err))
		abort();
	vec_for_each(const struct exp_loss, loss, &exp->losses)
		sum += loss->count;
	experiment_free(exp);
	strbuf_release(&err);
	return sum;
}

/* The kernel reports a loss when its ring has room again: here after the turn. */
static void test_lost(void)
{
	struct world w;

	open_world(&w);
	take_lost(&w.rec, PERF_RECORD_LOST, BEGIN_NS + 1, 10);
	w.rec.blurred = true;
	turn(&w, BEGIN_NS + 10, 60);
	ok(!w.rec.blurred, "a late pause was one of the ended experiment");
	take_lost(&w.rec, PERF_RECORD_LOST, BEGIN_NS + 11, 20);
	is_u64(w.rec.lost, 0, "what was lost before a turn is not lost after it");
	turn(&w, BEGIN_NS + 20, 0);
	take_lost(&w.rec, PERF_RECORD_LOST_SAMPLES, BEGIN_NS + 21, 3);
	is_u64(w.rec.lost_samples, 3, "what no ring counts is not taken for it");
	take_lost(&w.rec, PERF_RECORD_LOST, BEGIN_NS + 22, 37);
	is_u64(w.rec.lost, 7, "two turns later neither, but what is beyond it");
	take_lost(&w.rec, PERF_RECORD_LOST, BEGIN_NS + 23, 5);
	is_u64(w.rec.lost, 12, "and all that follows");
	end_part(&w);
	is_u64(losses_of(&w, 0), 10, "the first experiment has what was reported in it");
	is_u64(losses_of(&w, 1), 0, "the second lost nothing");
	is_u64(losses_of(&w, 2), 15, "the third what it lost itself");
	close_world(&w);
}

int main(void)
{
	for (uint64_t i = 0; i < 20; i++)
		test_same(RANDOM_SEED + i);
	test_lost();
	return done_testing();
}
