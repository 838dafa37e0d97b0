/* SPDX-License-Identifier: Apache-2.0 */
/* What samples of the scheduler's tracepoints show of the waits of threads. */
#include "import/waits.h"

enum { CPUS_MAX = 1 << 16 };

/* A task that was taken back has no number. */
static bool is_numbered(uint32_t tid)
{
	return tid <= INT32_MAX;
}

bool import_traced_is_ours(const struct import *imp, const struct import_sched *sched,
			   const struct record *r)
{
	int64_t pid;

	if (!trace_field_read(&sched->current_pid, r->sample.raw, r->sample.raw_len,
			      imp->swapped != NULL, &pid))
		return false;
	return !r->at.tid || !is_numbered(r->at.tid) || pid == (int64_t)r->at.tid;
}

/* The thread with that number gets CPU, or leaves it. */
static void take_switch(struct import *imp, const struct record_id *at,
			const struct record_switch *switched)
{
	recording_take_record(imp->rec, &(struct record){ .type = PERF_RECORD_SWITCH,
							  .at = *at,
							  .switched = *switched });
}

static void take_next(struct import *imp, const struct record *r, int64_t next)
{
	const struct thread *th = next > 0 && next <= INT32_MAX
					  ? tasks_find_thread(&imp->rec->tasks,
							      (uint32_t)next)
					  : NULL;
	struct record_id at = r->at;

	if (!th || th->ended)
		return; /* it becomes known when it leaves the CPU */
	at.tid = th->tid;
	at.pid = imp->rec->tasks.processes.data[th->process].pid;
	take_switch(imp, &at, &(struct record_switch){ .out = false });
}

static struct import_owner *owner_of(struct import_waits *w, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (w->owners.len <= cpu)
		*vec_push(&w->owners) = (struct import_owner){ 0 };
	return &w->owners.data[cpu];
}

/* From the recording's start. */
static uint64_t now_of(const struct import *imp, const struct record *r)
{
	const uint64_t start = imp->rec->start_ns;

	return r->at.time > start ? r->at.time - start : 0;
}

/*
 * The thread of R leaves its CPU.  If another one had got that, this one got it later: the
 * kernel leaves out some switches of the idle task, and perf record without -a has only
 * those of its threads.
 */
static void check_owner(struct import *imp, const struct record *r, uint32_t next)
{
	struct import_waits *w = imp->waits;
	struct import_owner *owner = owner_of(w, r->at.cpu);
	const uint64_t now = now_of(imp, r);

	if (!r->at.pid) {
		w->waiting.childless = false; /* the idle task is nobody's child */
		w->everyone = true;
	}
	if (!owner)
		return;
	if (is_numbered(r->at.tid))
		w->unseen += waiting_unseen(&w->waiting, r->at.tid, owner->since_ns);
	*owner = (struct import_owner){ next, now };
}

/* A thread that is dead has ended by a record of its own. */
void import_traced_switch(struct import *imp, const struct import_sched *sched,
			  const struct record *r)
{
	const struct record_sample *s = &r->sample;
	const bool swap = imp->swapped != NULL;
	struct import_waits *w = imp->waits;
	int64_t state, next;

	if (!trace_field_read(&sched->prev_state, s->raw, s->raw_len, swap, &state) ||
	    !trace_field_read(&sched->next_pid, s->raw, s->raw_len, swap, &next))
		return;
	if (w->source == IMPORT_SWITCHES_TRACED)
		check_owner(imp, r, next > 0 && next <= INT32_MAX ? (uint32_t)next : 0);
	if ((uint64_t)state & sched->stopped && imp->rec->waiting)
		waiting_state(&w->waiting, r, now_of(imp, r), EXP_STATE_STOPPED);
	if (w->source != IMPORT_SWITCHES_TRACED)
		return;
	take_switch(
		imp, &r->at,
		&(struct record_switch){
			.out = true,
			.preempted = !((uint64_t)state &
				       (sched->asleep | sched->stopped | sched->dead)) });
	take_next(imp, r, next);
}

void import_traced_waking(struct import *imp, const struct import_sched *sched,
			  const struct record *r)
{
	const struct record_sample *s = &r->sample;
	int64_t pid;

	if (!trace_field_read(&sched->pid, s->raw, s->raw_len, imp->swapped != NULL,
			      &pid) ||
	    pid <= 0 || pid > INT32_MAX || r->at.time < imp->rec->start_ns)
		return;
	imp->waits->woken++;
	waiting_woken(&imp->waits->waiting, (uint32_t)pid,
		      r->at.time - imp->rec->start_ns, WAKERS_UNKNOWN);
}
