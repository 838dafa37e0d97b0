/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/waiting.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup2.h"
#include "base/xalloc.h"
#include "experiment/write.h"
#include "process/proc_stat.h"
#include "recording/wakers.h"

enum { CPUS_MAX = 1 << 16 };

/* Samples and switches of what has no number: a task that was taken back, and the idle one. */
static bool is_thread(uint32_t tid)
{
	return tid && tid <= INT32_MAX;
}

static uint32_t unsampled_node(struct intern *in)
{
	return intern_node(in, 0, intern_artificial(in, EXP_UNSAMPLED));
}

static void write_part(struct waiting *w, struct thread *th,
		       const struct switches_wait *wait, const struct span *part)
{
	const uint64_t weight = part->to - part->from;
	const bool stacked = wait->node != SWITCHES_NO_STACK;
	const uint64_t address = wait->state == EXP_STATE_LOCK ? wait->address : 0;

	exp_write_row(
		w->in->writer, EXP_SAMPLES,
		(uint64_t[EXP_SAMPLE_COLUMNS]){
			[EXP_SAMPLE_TIME_NS] = part->to,
			[EXP_SAMPLE_THREAD] = tasks_thread_id(w->tasks, th),
			[EXP_SAMPLE_CPU] = wait->cpu,
			[EXP_SAMPLE_EVENT] = w->events[wait->state],
			[EXP_SAMPLE_WEIGHT] = weight,
			[EXP_SAMPLE_NODE] = stacked ? wait->node : unsampled_node(w->in),
			[EXP_SAMPLE_ADDRESS] = address,
			[EXP_SAMPLE_WAKER] = wait->waker });
	w->sums[wait->state].waits++;
	w->sums[wait->state].ns += weight;
	w->sums[wait->state].addressed += address != 0;
	w->stacked_ns += stacked ? weight : 0;
	w->woken += wait->waker != WAKERS_UNKNOWN;
	if (wait->state == EXP_STATE_WAIT || wait->state == EXP_STATE_UNKNOWN)
		return;
	if (wait->waker == WAKERS_UNKNOWN)
		w->cut += part->to < wait->to_ns || wait->to_ns >= w->stopped_ns;
	if (!stacked) {
		w->bare_ns += weight;
		w->bare_before_ns += wait->goes_on ? weight : 0;
	}
}

/* The first part of [FROM, TO) in which the recording goes on. */
static bool next_part(const struct waiting *w, uint64_t from, uint64_t to,
		      struct span *part)
{
	return spans_piece(w->times, from, to < w->stopped_ns ? to : w->stopped_ns, part);
}

/* A faults' wait. */
static void write_wait(void *ctx, const struct switches_wait *wait)
{
	struct waiting *w = ctx;
	struct thread *th = tasks_find_thread(w->tasks, wait->tid);
	uint64_t from = wait->from_ns;
	struct span part;

	for (; th && next_part(w, from, wait->to_ns, &part); from = part.to)
		write_part(w, th, wait, &part);
}

static void end_wait(void *ctx, const struct switches_wait *wait)
{
	struct waiting *w = ctx;

	faults_wait(&w->faults, wait);
}

static void write_life(void *ctx, const struct switches_life *life)
{
	struct waiting *w = ctx;
	struct thread *th = tasks_find_thread(w->tasks, life->tid);
	uint64_t from = life->from_ns;
	struct span part;

	faults_pass(&w->faults, life->tid);
	for (; th && next_part(w, from, life->to_ns, &part); from = part.to) {
		unsigned flags = life->flags;

		if (part.from > life->from_ns)
			flags |= EXP_LIFE_BEGAN_BEFORE;
		if (part.to < life->to_ns)
			flags |= EXP_LIFE_WENT_ON;
		exp_write_row(w->in->writer, EXP_LIVES,
			      (uint64_t[EXP_LIFE_COLUMNS]){ tasks_thread_id(w->tasks, th),
							    part.from, part.to, flags });
		w->lives++;
	}
}

void waiting_init(struct waiting *w, const struct waiting_setup *setup)
{
	const struct switches_sink sink = { w, end_wait, write_life };

	*w = (struct waiting){
		.in = setup->in,
		.tasks = setup->tasks,
		.root = setup->root,
		.group = setup->group,
		.everyone = setup->everyone,
		.times = setup->times,
		.sampled = setup->sampled,
		.faulted = setup->faulted,
		.keeps = setup->keeps,
		.keeps_faults = setup->keeps_faults,
		.stopped_ns = UINT64_MAX,
	};
	memcpy(w->events, setup->events, sizeof(w->events));
	switches_init(&w->switches, &sink);
	faults_init(&w->faults, write_wait, w);
	if (setup->root && setup->sampled != WAITING_NO_EVENT)
		w->has_names = !cause_open(&w->cause, setup->root);
}

void waiting_name_causes(struct waiting *w, uint64_t from, uint64_t to, uint64_t slide)
{
	if (w->has_names || cause_open(&w->cause, ""))
		return;
	cause_limit(&w->cause, from, to, slide);
	w->has_names = true;
}

void waiting_release(struct waiting *w)
{
	switches_release(&w->switches);
	faults_release(&w->faults);
	cause_release(&w->cause);
	vec_release(&w->cpus);
}

static bool has_ended(const struct waiting *w, uint32_t pid, uint32_t tid)
{
	char *path = xasprintf("%s/proc/%u/task/%u", w->root, (unsigned)pid,
			       (unsigned)tid);
	bool ended = access(path, F_OK) < 0 && errno == ENOENT;

	free(path);
	return ended;
}

static bool has_left(const struct waiting *w, uint32_t pid, uint32_t tid)
{
	char *group = w->group ? cgroup2_of(w->root, (pid_t)pid, (pid_t)tid) : NULL;
	bool left = group && !cgroup2_is_within(group, w->group);

	free(group);
	return left;
}

/* By /proc; a thread lives if that says nothing of it. */
static enum switches_fate fate_of(void *ctx, uint32_t tid)
{
	const struct waiting *w = ctx;
	const struct thread *th = tasks_find_thread(w->tasks, tid);
	uint32_t pid = th ? w->tasks->processes.data[th->process].pid : 0;

	if (!w->root || !th)
		return SWITCHES_LIVES;
	if (has_ended(w, pid, tid))
		return SWITCHES_ENDED;
	return has_left(w, pid, tid) ? SWITCHES_LEFT : SWITCHES_LIVES;
}

void waiting_find_all(struct waiting *w, uint64_t now)
{
	bool any = false, within = false;

	vec_for_each(const struct thread, th, &w->tasks->threads) {
		enum switches_fate fate;

		if (th->ended || !is_thread(th->tid))
			continue;
		fate = fate_of(w, th->tid);
		if (fate != SWITCHES_ENDED)
			switches_found(&w->switches, th->tid, now);
		within |= fate == SWITCHES_LIVES;
		any |= fate == SWITCHES_LEFT;
	}
	if (any && !within) /* a mount from another namespace: paths differ */
		w->group = NULL;
}

/*
 * Whether R is of another thread than TH, the last one known by its number: the record of
 * its birth was lost.  It is in another process, or TH has ended, and in /proc there is
 * one that does not end.
 */
static bool is_another(const struct waiting *w, const struct thread *th,
		       const struct record *r)
{
	struct proc_stat stat;

	if (is_thread(r->at.pid) &&
	    w->tasks->processes.data[th->process].pid != r->at.pid)
		return true;
	return th->ended && w->root && r->type != PERF_RECORD_SAMPLE &&
	       !r->switched.out &&
	       proc_stat_read_thread(w->root, (pid_t)r->at.pid, (pid_t)r->at.tid,
				     &stat) &&
	       !stat.exits;
}

/*
 * Makes the thread of R, which was born after the last one with its number.  False: it is a
 * process of its own, and the lost record would have shown whose child it is.
 */
static bool replace(struct waiting *w, const struct record *r, uint64_t now)
{
	switches_vanished(&w->switches, r->at.tid); /* its row is still that thread's */
	tasks_exit(w->tasks, r->at.tid);
	if (r->at.tid == r->at.pid) {
		tasks_forget(w->tasks, r->at.pid);
		if (!w->everyone)
			return false;
	}
	tasks_fork(w->tasks, r->at.pid, r->at.pid, r->at.tid, now);
	return true;
}

/*
 * Whether the thread of R lives.  A thread that ended has a last switch; one that nobody
 * reported lived before.
 */
static bool meet(struct waiting *w, const struct record *r, uint64_t now)
{
	const struct thread *th;

	if (!is_thread(r->at.tid))
		return false;
	th = tasks_find_thread(w->tasks, r->at.tid);
	if (th && is_another(w, th, r)) {
		if (!replace(w, r, now))
			return false;
	} else if (switches_know(&w->switches, r->at.tid)) {
		return true;
	} else if (th && th->ended) {
		return false;
	} else {
		tasks_thread(w->tasks, r->at.pid, r->at.tid);
	}
	switches_found(&w->switches, r->at.tid, now);
	return true;
}

struct waiting_cpu waiting_of_cpu(const struct waiting *w, uint32_t cpu)
{
	return cpu < w->cpus.len ? w->cpus.data[cpu] : (struct waiting_cpu){ 0 };
}

/* NULL: there is no such CPU. */
static struct waiting_cpu *cpu_of(struct waiting *w, const struct record *r)
{
	const uint32_t cpu = r->at.cpu;

	if (cpu >= CPUS_MAX)
		return NULL;
	while (w->cpus.len <= cpu)
		*vec_push(&w->cpus) = (struct waiting_cpu){ 0 };
	return &w->cpus.data[cpu];
}

bool waiting_owns(const struct waiting *w, uint32_t event)
{
	return (event == w->sampled && !w->keeps) ||
	       (event == w->faulted && !w->keeps_faults);
}

void waiting_count(struct waiting *w, const struct record *r)
{
	struct waiting_cpu *cpu;

	if (!r->switched.out || !is_thread(r->at.tid))
		return;
	cpu = cpu_of(w, r);
	if (cpu)
		cpu->outs++;
}

void waiting_switch(struct waiting *w, const struct record *r, uint64_t now)
{
	if (!meet(w, r, now))
		return;
	if (r->switched.out)
		switches_out(&w->switches, r->at.tid, now, r->at.cpu,
			     r->switched.preempted);
	else
		switches_in(&w->switches, r->at.tid, now, r->at.cpu);
}

void waiting_ran(struct waiting *w, const struct record *r, uint64_t now)
{
	if (!meet(w, r, now))
		return;
	if ((r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		faults_pass(&w->faults, r->at.tid);
	switches_ran(&w->switches, r->at.tid, now, r->at.cpu);
}

/* Before waiting_ran: the thread has not gone on yet. */
void waiting_fault(struct waiting *w, const struct record *r, uint64_t now)
{
	faults_served(&w->faults, r->at.tid, now, r->sample.ip, r->sample.address);
}

static uint64_t address_of(const struct cause_row *row, const struct waiting_entry *entry)
{
	if (row && row->state == EXP_STATE_PAGEFAULT)
		return entry->ip;
	return row && cause_has_address(row) ? entry->argument : 0;
}

void waiting_stack(struct waiting *w, const struct record *r, uint32_t node,
		   const struct waiting_entry *entry)
{
	const struct record_chain *kernel = &r->sample.kernel;
	const struct cause_row *row = NULL;
	struct waiting_cpu *cpu = cpu_of(w, r);

	w->stacks++;
	if (cpu) {
		cpu->stacks++;
		cpu->bytes += r->sample.stack_len;
	}
	if (w->has_names)
		row = cause_row(&w->cause, kernel->ips, kernel->len);
	switches_stack(&w->switches, r->at.tid,
		       &(struct switches_reason){
			       .node = node,
			       .state = row ? row->state : EXP_STATE_OTHER,
			       .address = address_of(row, entry),
		       });
}

void waiting_state(struct waiting *w, const struct record *r, uint64_t now,
		   enum exp_state state)
{
	if (meet(w, r, now))
		switches_state(&w->switches, r->at.tid, state);
}

bool waiting_unseen(struct waiting *w, uint32_t tid, uint64_t from)
{
	return switches_unseen(&w->switches, tid, from);
}

void waiting_woken(struct waiting *w, uint32_t tid, uint64_t now, uint32_t waker)
{
	switches_woken(&w->switches, tid, now, waker);
}

void waiting_reused(struct waiting *w, uint32_t tid, uint64_t now)
{
	switches_reused(&w->switches, tid, now);
}

void waiting_fork(struct waiting *w, uint32_t tid, uint64_t now)
{
	if (is_thread(tid) && !w->childless)
		switches_born(&w->switches, tid, now);
}

void waiting_exit(struct waiting *w, uint32_t tid, uint64_t now)
{
	switches_end(&w->switches, tid, now);
}

void waiting_leave(struct waiting *w, uint32_t pid, uint32_t executor, uint64_t now)
{
	switches_end(&w->switches, executor, now);
	switches_end(&w->switches, pid, now);
}

void waiting_exec(struct waiting *w, uint32_t pid, uint64_t now, uint32_t cpu)
{
	if (is_thread(pid))
		switches_began(&w->switches, pid, now, cpu);
}

void waiting_seen(struct waiting *w, const struct record *r, uint64_t now)
{
	switches_seen(&w->switches, r->at.cpu, now);
}

void waiting_lost(struct waiting *w, const struct record *r, uint64_t now)
{
	switches_lost(&w->switches, r->at.cpu, now);
	faults_pass_all(&w->faults);
}

void waiting_stop(struct waiting *w, uint64_t now)
{
	w->stopped_ns = now;
	switches_check(&w->switches, fate_of, w);
}

void waiting_hides(struct waiting *w, uint32_t cpu, uint64_t until)
{
	switches_hides(&w->switches, cpu, until < w->stopped_ns ? until : w->stopped_ns);
	faults_pass_all(&w->faults);
}

void waiting_finish(struct waiting *w)
{
	switches_finish(&w->switches, w->stopped_ns);
	faults_pass_all(&w->faults);
}
