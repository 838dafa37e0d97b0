/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/sleepers.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/thread_time.h"
#include "recording/waiting.h"
#include "stack/stack.h"
#include "wait/call_cause.h"

enum {
	ROOM_FIRST = 8192,
	ROOM_FACTOR = 8, /* if the stack is larger */
	ROOM_MAX = ROOM_FIRST * ROOM_FACTOR * ROOM_FACTOR,
	POPS_MAX = 4096, /* threads to look up in a round */
	CPUS_MAX = 4,    /* that count for the share */
	REST_MAX_MS = 100,
	AVERAGED = 16,
	RECORDS_A_ROUND = 64, /* take about as long as the rest of a round */
};

#define SHARE    0.01       /* of each CPU's time */
#define SAVED_NS 10000000.0 /* CPU time for a burst */
#define EACH_NS  20000.0    /* until it was measured */

void sleepers_init(struct sleepers *s, struct recording *rec, size_t cpus)
{
	*s = (struct sleepers){
		.rec = rec,
		.share = SHARE * (double)(cpus < CPUS_MAX ? cpus : CPUS_MAX),
		.left_ns = SAVED_NS,
		.each_ns = EACH_NS,
	};
	sleeper_reader_init(&s->reader, rec->root, call_cause_wants_file);
}

void sleepers_release(struct sleepers *s)
{
	sleeper_reader_release(&s->reader);
	vec_release(&s->queue);
	idmap_release(&s->queued);
	idmap_release(&s->answers);
	kernel_stack_places_release(&s->places);
}

/* From the recording's start. */
static uint64_t since_start(const struct sleepers *s, uint64_t ns)
{
	return ns > s->rec->start_ns ? ns - s->rec->start_ns : 0;
}

/* ---- the queue ---- */

static void push(struct sleepers *s, uint32_t tid, uint32_t room, uint64_t due)
{
	if (idmap_get(&s->queued, tid, 0) != IDMAP_NONE)
		return;
	idmap_set(&s->queued, tid, 0, 1);
	*vec_push(&s->queue) = (struct sleepers_thread){ tid, room, due };
}

static void pop(struct sleepers *s)
{
	idmap_remove(&s->queued, s->queue.data[s->first++].tid, 0);
	if (s->first <= s->queue.len / 2)
		return;
	s->queue.len -= s->first;
	memmove(s->queue.data, s->queue.data + s->first,
		s->queue.len * sizeof(*s->queue.data));
	s->first = 0;
}

/* Whether a look at TID would show what is not known of its wait. */
static bool lacks(const struct sleepers *s, uint32_t tid, struct switches_sleep *sleep)
{
	const struct waiting *w = s->rec->waiting;

	return switches_sleeps(&w->switches, tid, sleep) && !sleep->was_seen &&
	       (!sleep->has_stack || sleep->is_fault ||
		(!sleep->has_cause && !w->has_names));
}

void sleepers_add(struct sleepers *s, uint32_t tid, uint64_t time)
{
	struct switches_sleep sleep;

	if (lacks(s, tid, &sleep))
		push(s, tid, ROOM_FIRST, time + SLEEPERS_DUE_NS);
}

void sleepers_add_all(struct sleepers *s)
{
	vec_for_each(const struct thread, th, &s->rec->tasks.threads)
		if (!th->ended)
			sleepers_add(s, th->tid, 0);
}

/*
 * Behind a loss, threads that sleep on have no record that shows why.  All are visited, so the
 * next time is later the longer that takes.
 */
static void look_again(struct sleepers *s, uint64_t until_ns)
{
	const uint64_t until = since_start(s, until_ns);

	if (until < s->again_ns || !switches_recover(&s->rec->waiting->switches, until))
		return;
	sleepers_add_all(s);
	s->again_ns = until +
		      (uint64_t)((double)(thread_time_ns() - s->used_ns) / s->share);
}

/* The process of TID; NULL: it is not known. */
static struct process *process_of(const struct sleepers *s, uint32_t tid,
				  struct thread **thread)
{
	struct tasks *tasks = &s->rec->tasks;

	*thread = tasks_find_thread(tasks, tid);
	if (!*thread || (*thread)->ended)
		return NULL;
	return &tasks->processes.data[(*thread)->process];
}

/*
 * The first thread of the queue joins the batch, unless it has run since, and waits anew.
 * False: the batch is full.
 */
static bool choose(struct sleepers *s, uint64_t now)
{
	const struct sleepers_thread e = s->queue.data[s->first];
	const struct process *p;
	struct switches_sleep sleep;
	struct thread *th;

	p = process_of(s, e.tid, &th);
	if (!p || sleeper_reader_avoids(&s->reader, p->pid) ||
	    !switches_sleeps(&s->rec->waiting->switches, e.tid, &sleep) ||
	    (e.room == ROOM_FIRST && !lacks(s, e.tid, &sleep))) {
		pop(s);
	} else if (sleep.since_ns + SLEEPERS_DUE_NS > now) {
		pop(s);
		push(s, e.tid, ROOM_FIRST, now + SLEEPERS_DUE_NS);
	} else if (sleeper_reader_add(&s->reader, p->pid, e.tid, e.room)) {
		s->left_ns -= s->each_ns;
		pop(s);
	} else {
		return false;
	}
	return true;
}

/* A batch in which one is stuck costs the others nothing but time. */
static void check_reader(struct sleepers *s, uint64_t now)
{
	struct sleeper_again again[SLEEPERS_MAX];
	size_t count = sleeper_reader_check(&s->reader, now, again);

	for (size_t i = 0; i < count; i++)
		push(s, again[i].tid, (uint32_t)again[i].room, 0);
	if (!sleeper_reader_is_exhausted(&s->reader))
		return;
	s->dropped += s->queue.len - s->first;
	while (s->first < s->queue.len)
		pop(s);
}

static void send_batch(struct sleepers *s, uint64_t now)
{
	const uint64_t time = since_start(s, now);
	unsigned pops = POPS_MAX;

	if (s->first == s->queue.len || !sleeper_reader_get(&s->reader))
		return;
	while (s->first < s->queue.len && s->queue.data[s->first].due_ns <= time &&
	       s->left_ns > s->each_ns && pops--)
		if (!choose(s, time))
			break;
	sleeper_reader_send(&s->reader, now);
}

/* ---- the answers ---- */

/* Of a thread of the kernel: as a sample of its switch would have it. */
static void reason_in_kernel(struct sleepers *s, const struct sleeper *a,
			     struct switches_reason *reason)
{
	struct waiting *w = s->rec->waiting;
	uint64_t ips[KERNEL_STACK_MAX];
	const struct cause_row *row;
	size_t count;
	uint32_t node;

	if (!w->has_names)
		return;
	count = kernel_stack_parse(&s->places, &w->cause.names, (const char *)a->stack,
				   a->len, ips);
	if (!count)
		return;
	node = stack_node_of_kernel(&s->rec->stack, ips, count);
	if (node == INTERN_NO_NODE)
		return;
	row = cause_row(&w->cause, ips, count);
	reason->node = node;
	reason->state = row ? row->state : EXP_STATE_OTHER;
}

/* *CUT: more of its stack would help. */
static void reason_of(struct sleepers *s, const struct sleeper *a, struct process *p,
		      struct thread *th, bool has_stack, struct switches_reason *reason,
		      bool *cut)
{
	*reason = (struct switches_reason){ SWITCHES_NO_STACK, EXP_STATE_OTHER, 0 };
	*cut = false;
	if (a->in_kernel) {
		reason_in_kernel(s, a, reason);
		return;
	}
	reason->state = call_cause_state(a);
	reason->address = call_cause_address(a);
	if (has_stack)
		return;
	reason->node = stack_node_of_sleeper(&s->rec->stack, a, p, th, cut);
	tasks_limit_stacks(&s->rec->tasks, th);
}

/* Of a process whose mappings could not be read, user frames have no place. */
static bool is_of(const struct sleeper *a, const struct process *p)
{
	return p && p->pid == a->pid && (a->in_kernel || p->space.len);
}

/* Its switches so far show that it slept all the time that the reading took. */
static void keep(struct sleepers *s, const struct sleeper *a)
{
	const uint64_t from = since_start(s, a->from_ns), to = since_start(s, a->to_ns);
	struct waiting *w = s->rec->waiting;
	struct switches_reason reason;
	struct switches_sleep sleep;
	struct thread *th;
	struct process *p = process_of(s, a->tid, &th);
	bool cut;

	if (!is_of(a, p) || !switches_sleeps(&w->switches, a->tid, &sleep) ||
	    from < sleep.since_ns)
		return;
	reason_of(s, a, p, th, sleep.has_stack, &reason, &cut);
	switches_slept(&w->switches, a->tid, from, to, &reason);
	s->kept++;
	if (cut && a->room < ROOM_MAX)
		push(s, a->tid, (uint32_t)a->room * ROOM_FACTOR, to);
}

static void settle(struct sleepers *s, uint32_t answer)
{
	const struct sleeper *a = &s->answer[answer];

	idmap_remove(&s->answers, a->tid, 0);
	s->settled++;
	s->read++;
	s->refused += a->error == -EPERM || a->error == -EACCES;
	if (!a->error)
		keep(s, a);
}

void sleepers_take(struct sleepers *s)
{
	uint64_t spent;

	if (!s->rec || s->answers_len)
		return;
	s->answer = sleeper_reader_answers(&s->reader, &s->answers_len, &spent);
	s->settled = 0;
	if (!s->answers_len)
		return;
	s->left_ns += (double)s->answers_len * s->each_ns - (double)spent;
	s->each_ns += ((double)spent / (double)s->answers_len - s->each_ns) / AVERAGED;
	for (size_t i = 0; i < s->answers_len; i++)
		idmap_set(&s->answers, s->answer[i].tid, 0, (uint32_t)i);
}

/* Before that time if ever; a later answer is worthless now. */
void sleepers_wake(struct sleepers *s, uint32_t tid, uint64_t time)
{
	uint32_t answer = idmap_get(&s->answers, tid, 0);

	if (answer != IDMAP_NONE && since_start(s, s->answer[answer].to_ns) <= time)
		settle(s, answer);
}

static void settle_until(struct sleepers *s, uint64_t until_ns)
{
	for (size_t i = 0; i < s->answers_len; i++)
		if (s->answer[i].to_ns <= until_ns &&
		    idmap_get(&s->answers, s->answer[i].tid, 0) == i)
			settle(s, (uint32_t)i);
	if (s->settled < s->answers_len)
		return;
	s->answers_len = 0;
	sleeper_reader_done(&s->reader);
}

/* ---- rounds ---- */

/* What the round took without its records, as it takes that however short it is. */
static double without_records(const struct sleepers *s, uint64_t used)
{
	return (double)used / (1 + (double)s->records / RECORDS_A_ROUND);
}

static void measure(struct sleepers *s, uint64_t now)
{
	const uint64_t used = thread_time_ns();

	if (s->looked_ns && now > s->looked_ns) {
		s->left_ns += (double)(now - s->looked_ns) * s->share;
		s->round_ns += (without_records(s, used - s->used_ns) - s->round_ns) /
			       AVERAGED;
	}
	if (s->left_ns > SAVED_NS)
		s->left_ns = SAVED_NS;
	s->looked_ns = now;
	s->used_ns = used;
	s->records = 0;
}

void sleepers_look(struct sleepers *s, uint64_t now, uint64_t until_ns)
{
	if (!s->rec)
		return;
	measure(s, now);
	if (s->answers_len)
		settle_until(s, until_ns);
	if (until_ns == UINT64_MAX)
		return;
	look_again(s, until_ns);
	if (!s->answers_len) {
		check_reader(s, now);
		send_batch(s, now);
	}
}

int sleepers_rest_ms(const struct sleepers *s)
{
	double ms = s->round_ns / s->share / 1e6;

	if (!s->rec ||
	    (s->rec->waiting->sampled != WAITING_NO_EVENT && s->first == s->queue.len &&
	     !s->answers_len) ||
	    sleeper_reader_is_exhausted(&s->reader))
		return INT_MAX;
	return ms < REST_MAX_MS ? 1 + (int)ms : REST_MAX_MS;
}
