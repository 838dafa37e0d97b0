/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/take.h"

#include "process/nameless.h"
#include "recording/sleepers.h"
#include "recording/wakers.h"
#include "stack/stack.h"
#include "stack/user.h"

static bool wanted(const struct recording *rec, const struct record *r)
{
	return spans_have(&rec->times, time_of(rec, r)) && ours(rec, r->at.pid);
}

/* A sample to write, once or for each member of its group. */
struct arrival {
	struct recording *rec;
	const struct record *record;
	uint32_t event;  /* the sampled one */
	uint64_t weight; /* its own */
	bool wanted;     /* of this recording: in its time, of its tasks */
	bool dropped;    /* not written; its weight is counted as dropped */
	bool placed;     /* its thread and node are known: */
	uint32_t process, thread, node;
};

static void place(struct arrival *a)
{
	struct recording *rec = a->rec;
	const struct record *r = a->record;
	struct thread *thread;
	bool entered = false;

	meet(rec, r->at.pid);
	thread = tasks_thread(&rec->tasks, r->at.pid, r->at.tid);
	a->process = thread->process;
	a->node = stack_node(&rec->stack, r, &rec->tasks.processes.data[a->process],
			     thread, rec->found);
	generated_take(&rec->generated, &rec->modules,
		       &rec->tasks.processes.data[a->process].space, r->sample.ip);
	nameless_take(&rec->modules, &rec->tasks.processes.data[a->process].space,
		      r->sample.ip);
	if (rec->stack.mode == STACK_CFI)
		tasks_limit_stacks(&rec->tasks, thread);
	if (rec->details.by_thread && r->sample.cgroup)
		entered = tasks_enter_group(thread, r->sample.cgroup);
	a->thread = tasks_thread_id(&rec->tasks, thread);
	if (entered)
		details_write_group(&rec->details, &rec->in, a->thread, r->sample.cgroup);
	command_lines_want(&rec->command_lines, a->process);
	a->placed = true;
}

/* The name of a process as a string of the experiment. */
static uint32_t name_of(struct recording *rec, uint32_t process)
{
	return task_name_id(&rec->tasks.names, &rec->tasks.processes.data[process].name);
}

/* Writes a sample of EVENT with WEIGHT; the data's address is the sampled event's. */
static void write_sample(struct arrival *a, uint32_t event, uint64_t weight)
{
	static const struct record_sample none;
	struct recording *rec = a->rec;
	const struct record *r = a->record;
	const struct record_sample *data = event == a->event ? &r->sample : &none;

	if (a->dropped)
		rec->events.data[event].dropped += weight;
	if (a->dropped || !a->wanted)
		return;
	if (!a->placed)
		place(a);
	details_write(&rec->details, &rec->in, data, rec->stack.mode != STACK_LBR);
	exp_write_row(rec->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){
			      time_of(rec, r), a->thread, r->at.cpu, event, weight,
			      a->node, data->address, data->latency, data->data_source });
	tally_sample(&rec->tally,
		     &(struct tally_row){ .name = name_of(rec, a->process),
					  .event = event,
					  .thread = a->thread },
		     weight);
	rec->samples++;
	rec->events.data[event].samples++;
	rec->events.data[event].weight += weight;
	rec->events.data[event].addressed += data->address != 0;
}

/* A group_counts_fn. */
static void write_member(void *ctx, uint64_t id, uint64_t weight)
{
	struct arrival *a = ctx;
	const struct sources *sources = &a->rec->sources;
	const struct source *source = sources_find(sources, id);

	if (!source)
		return;
	if (sources_event(sources, source)->ticks_idle)
		weight = a->weight;
	write_sample(a, source->event, weight);
}

/* The counters began before the target, and stop a little after a span of time. */
static bool drops(const struct recording *rec, const struct record *r)
{
	return (rec->unborn_pid && rec->unborn_pid == r->at.pid) ||
	       (!spans_have(&rec->times, time_of(rec, r)) && ours(rec, r->at.pid));
}

/* Whether samples of random periods replace this one, of EVENT. */
static bool is_replaced(const struct recording *rec, const struct record *r,
			uint32_t event)
{
	return rec->stagger.last && event < STAGGER_EVENTS &&
	       rec->stagger.plans[event].period > 0 &&
	       stagger_book_covers(&rec->stagger, heir_of(rec, r->at.tid), r->at.time);
}

/*
 * A sample with a random period counts only in an heir.  Its first number is the event's
 * count, which for a clock is its task's run time on this CPU.
 */
static void take_staggered(struct recording *rec, const struct record *r)
{
	struct arrival a = { .rec = rec, .record = r, .wanted = wanted(rec, r) };
	const struct stagger_generation *g = stagger_book_find(&rec->stagger, r->at.id,
							       &a.event);
	struct thread *th = tasks_find_thread(&rec->tasks, r->at.tid);
	uint64_t weight, position;

	if (!g || !th || !r->sample.counts.len || th->heir != g->number ||
	    !stagger_book_covers(&rec->stagger, g->number, r->at.time))
		return;
	position = r->sample.counts.words[0];
	weight = stagger_plan_weight(&rec->stagger.plans[a.event], r->sample.period,
				     position);
	a.dropped = drops(rec, r);
	if (weight)
		write_sample(&a, a.event, weight);
	if (a.placed)
		rec->events.data[a.event].variance += (double)weight * (double)weight;
}

/* A task that inherited the event has an interval of its own. */
static uint64_t weight_of(struct source *source, const struct record *r)
{
	bool own = source->owner < 0 || (uint32_t)source->owner == r->at.tid;

	return pace_weight(&source->pace, r->at.time, r->sample.period, own);
}

/*
 * The record of a thread's end comes before it wakes its parent, or who joins it.  Its number is
 * another's only after all others were given away.
 */
#define ENDING_NS UINT64_C(100000000)

/* Wakings are samples of anybody's.  Whether the thread of R is one of the recording. */
static enum exp_waker_kind thread_kind(const struct recording *rec,
				       const struct record *r)
{
	const struct record_id *at = &r->at;
	const struct thread *th = tasks_find_thread(&rec->tasks, at->tid);
	bool of_it = th && at->tid &&
		     rec->tasks.processes.data[th->process].pid == at->pid &&
		     has_waits(rec, at->pid);

	if (at->tid > INT32_MAX) /* it was taken back, as it ends */
		return EXP_WAKER_UNKNOWN;
	if (of_it && th->ended && time_of(rec, r) - th->ended_ns >= ENDING_NS)
		return EXP_WAKER_UNKNOWN; /* it took long to end, or another has its number */
	return of_it ? EXP_WAKER_OF_RECORDING : EXP_WAKER_OUTSIDE;
}

/*
 * By whom.  Without its stack an interrupt may be any, and a softirq may be one of an interrupt
 * or of the thread's own call.
 */
static enum exp_waker_kind waker_kind(const struct arrival *a, enum waking_kind how,
				      const struct waking_said *said)
{
	struct waiting *w = a->rec->waiting;
	const struct record_chain *kernel = &a->record->sample.kernel;
	enum exp_waker_kind kind = EXP_WAKER_OF_RECORDING;

	if ((said->interrupt || said->softirq) && how == WAKING_STACKED && w->has_names)
		kind = cause_of_waking(&w->cause, kernel->ips, kernel->len);
	else if (said->interrupt)
		kind = EXP_WAKER_INTERRUPT;
	else if (said->softirq)
		kind = EXP_WAKER_UNKNOWN;
	return kind == EXP_WAKER_OF_RECORDING ? thread_kind(a->rec, a->record) : kind;
}

/* A bare waking has no stack. */
static uint32_t waker_of(struct arrival *a, enum waking_kind how,
			 enum exp_waker_kind kind)
{
	struct recording *rec = a->rec;
	const struct record_id *at = &a->record->at;

	if (kind != EXP_WAKER_OF_RECORDING)
		return wakers_id(rec->wakers, kind, 0, 0);
	if (how == WAKING_STACKED) {
		place(a);
		return wakers_id(rec->wakers, kind, a->thread, a->node);
	}
	return wakers_id(
		rec->wakers, kind,
		tasks_thread_id(&rec->tasks, tasks_thread(&rec->tasks, at->pid, at->tid)),
		intern_node(&rec->in, 0, intern_artificial(&rec->in, EXP_UNSAMPLED)));
}

/* Its stack costs us nothing unless it ends a wait. */
static void take_waking(struct arrival *a, enum waking_kind how)
{
	struct recording *rec = a->rec;
	const uint64_t now = time_of(rec, a->record);
	struct waking_said said;
	enum exp_waker_kind kind;

	if (!wakers_read(rec->wakers, a->record, how, &said) ||
	    !switches_may_wake(&rec->waiting->switches, said.tid, now))
		return;
	kind = waker_kind(a, how, &said);
	if (kind == EXP_WAKER_UNKNOWN)
		return;
	if (rec->sleepers)
		sleepers_wake(rec->sleepers, said.tid, now);
	waiting_woken(rec->waiting, said.tid, now, waker_of(a, how, kind));
}

static void take_stack(struct arrival *a)
{
	struct recording *rec = a->rec;
	const struct record *r = a->record;

	place(a);
	waiting_stack(rec->waiting, r, a->node,
		      &(struct waiting_entry){ stack_call_argument(&rec->stack, r),
					       stack_entry_ip(&rec->stack, r) });
}

/* Whether it was a sample for waits alone, and none of the user's. */
static bool take_waiting(struct arrival *a, const struct source *source)
{
	struct recording *rec = a->rec;
	const struct record *r = a->record;
	const bool ends = source && waiting_owns(rec->waiting, source->event);
	enum waking_kind how;

	if (source && rec->wakers && wakers_want(rec->wakers, source->event, &how)) {
		take_waking(a, how);
		if (!rec->wakers->keeps)
			return true;
	}
	if (!has_waits(rec, r->at.pid))
		return ends;
	meet(rec, r->at.pid);
	if (source && source->event == rec->waiting->faulted)
		waiting_fault(rec->waiting, r, time_of(rec, r));
	waiting_ran(rec->waiting, r, time_of(rec, r));
	if (source && source->event == rec->waiting->sampled && a->wanted &&
	    !sources_is_double(&rec->sources, source, r->at.tid))
		take_stack(a);
	return ends;
}

/*
 * A group's sample has the counters of all its members, whose weights are the changes since
 * the sample before.  A sample that is not written is therefore read too: its changes, of
 * tasks that are not the target's, must not fall to the next one.
 */
void take_sample(struct recording *rec, const struct record *r)
{
	struct source *source = sources_find(&rec->sources, r->at.id);
	struct arrival a = { .rec = rec, .record = r, .wanted = wanted(rec, r) };

	if (rec->waiting && take_waiting(&a, source))
		return;
	if (!source) {
		take_staggered(rec, r);
		return;
	}
	if (is_replaced(rec, r, source->event))
		return;
	a.event = source->event;
	a.weight = weight_of(source, r);
	a.dropped = sources_is_double(&rec->sources, source, r->at.tid) || drops(rec, r);
	if (sources_event(&rec->sources, source)->leads)
		group_counts_take(&rec->counts, &r->sample.counts, true, r->at.id,
				  source->owner < 0 ? 0 : r->at.tid, write_member, &a);
	else
		write_sample(&a, a.event, a.weight);
}

/* Rows stay in time order: the newest record may be later than what is known to be all. */
void recording_add_count(struct recording *rec, uint32_t event, uint32_t pid,
			 uint64_t at_ns, uint64_t count)
{
	const uint64_t last_ns = rec->last_ns > at_ns ? rec->last_ns : at_ns;
	const uint64_t time = spans_nearest(
		&rec->times, last_ns > rec->start_ns ? last_ns - rec->start_ns : 0);
	struct intern *in = &rec->in;
	struct thread *thread;
	uint32_t node;

	thread = tasks_thread(&rec->tasks, pid, pid);
	node = intern_node(in, 0, intern_artificial(in, EXP_NOT_PROGRAM));
	exp_write_row(rec->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){
			      time, tasks_thread_id(&rec->tasks, thread), 0, event, count,
			      node });
	rec->events.data[event].samples++;
	rec->events.data[event].weight += count;
}
