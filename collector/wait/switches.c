/* SPDX-License-Identifier: Apache-2.0 */
#include "wait/switches.h"

#include "experiment/format.h"

enum {
	CPUS_MAX = 1 << 16,
	/*
	 * While one event takes over from another, and for a thread that has events of its
	 * own and inherited ones, a switch is reported twice at once.
	 */
	TWICE_NS = 1000000,
};

enum doing {
	RUNS,
	WAITS,
	DOUBTED, /* one of these since then; its next record shows which */
	LOST,    /* records are lost: until the end of all losses, or its next record */
};

#define NOT_CERTAIN UINT32_MAX

struct switch_thread {
	uint64_t since_ns; /* when that began; LOST: from when on nothing is proven */
	uint64_t born_ns;
	uint64_t proof_ns; /* RUNS: the last record that shows it */
	uint64_t
		slept_ns; /* WAITS, DOUBTED: node and state are only true if it waited until then */
	uint64_t address, next_address; /* as node and next_node, of the lock */
	uint32_t waker;                 /* of the wait that is passed on */
	uint32_t tid;
	uint32_t cpu;       /* that it has, or left */
	uint32_t node;      /* WAITS, DOUBTED: its stack */
	uint32_t next_node; /* of the switch to come */
	uint32_t certain;   /* index there, or NOT_CERTAIN */
	uint8_t doing;      /* enum doing */
	uint8_t state;      /* WAITS, DOUBTED if it waited: enum exp_state */
	uint8_t next_state; /* of the switch to come; EXP_STATES: not known */
	bool lived;         /* before it was found */
	bool was_lost;      /* DOUBTED: after a loss, in which it may have ended */
	bool unseen;        /* LOST: until its next record */
	bool node_looked;   /* node is that of a look, not of its switch */
	uint8_t fate;       /* enum switches_fate, see switches_check */
	bool is_used;       /* this slot */
};

void switches_init(struct switches *s, const struct switches_sink *sink)
{
	*s = (struct switches){ .sink = *sink };
}

void switches_release(struct switches *s)
{
	idmap_release(&s->by_tid);
	vec_release(&s->threads);
	vec_release(&s->unused);
	vec_release(&s->certain);
	vec_release(&s->cpus);
	vec_release(&s->runs);
}

static struct switch_thread *find(const struct switches *s, uint32_t tid)
{
	uint32_t index = idmap_get(&s->by_tid, tid, 0);

	return index < s->threads.len ? &s->threads.data[index] : NULL;
}

static bool may_wait(const struct switch_thread *th)
{
	return th && (th->doing == WAITS || th->doing == DOUBTED);
}

bool switches_know(const struct switches *s, uint32_t tid)
{
	return find(s, tid) != NULL;
}

/* The thread was in STATE from when it began to do what it does until TO. */
static void tell(const struct switches *s, const struct switch_thread *th, uint64_t to,
		 enum exp_state state, uint32_t node)
{
	struct switches_wait wait = {
		.tid = th->tid,
		.cpu = th->cpu,
		.node = node,
		.state = state,
		.address = state == EXP_STATE_LOCK || state == EXP_STATE_PAGEFAULT
				   ? th->address
				   : 0,
		.waker = th->waker,
		.from_ns = th->since_ns,
		.to_ns = to,
		.goes_on = th->lived && th->since_ns == th->born_ns,
	};

	if (wait.to_ns > wait.from_ns)
		s->sink.wait(s->sink.ctx, &wait);
}

/* It waited until TO. */
static void tell_wait(const struct switches *s, const struct switch_thread *th,
		      uint64_t to)
{
	if (to < th->slept_ns)
		tell(s, th, to, EXP_STATE_OTHER,
		     th->node_looked ? SWITCHES_NO_STACK : th->node);
	else
		tell(s, th, to, (enum exp_state)th->state, th->node);
}

static void tell_unknown(const struct switches *s, const struct switch_thread *th,
			 uint64_t to)
{
	tell(s, th, to, EXP_STATE_UNKNOWN, SWITCHES_NO_STACK);
}

static void leave_certain(struct switches *s, struct switch_thread *th)
{
	uint32_t last;

	if (th->certain == NOT_CERTAIN)
		return;
	last = s->certain.data[--s->certain.len];
	s->certain.data[th->certain] = last;
	s->threads.data[last].certain = th->certain;
	th->certain = NOT_CERTAIN;
}

/* Of those that run, s->runs has the one of each CPU that is known. */
static void enter_certain(struct switches *s, struct switch_thread *th)
{
	th->certain = (uint32_t)s->certain.len;
	*vec_push(&s->certain) = (uint32_t)(th - s->threads.data);
}

static void begin(struct switches *s, struct switch_thread *th, enum doing doing,
		  uint64_t now, uint32_t cpu)
{
	leave_certain(s, th);
	if (doing == WAITS || doing == DOUBTED)
		enter_certain(s, th);
	th->unseen = false;
	th->doing = (uint8_t)doing;
	th->since_ns = now;
	th->cpu = cpu;
	th->next_state = EXP_STATES;
	th->next_node = SWITCHES_NO_STACK;
	th->next_address = 0;
}

/* What it did is not known: if it waited, neither is for what. */
static void begin_doubt(struct switch_thread *th)
{
	th->doing = DOUBTED;
	th->state = EXP_STATE_OTHER;
	th->node = SWITCHES_NO_STACK;
	th->address = 0;
	th->node_looked = false;
	th->slept_ns = 0;
}

/* Until its next record, nothing shows what the thread did after the last one. */
static void lose_sight(struct switches *s, struct switch_thread *th)
{
	begin(s, th, LOST, th->proof_ns, th->cpu);
	th->unseen = true;
}

/* The thread that has CPU; NULL: none is known. */
static struct switch_thread *find_runner(const struct switches *s, uint32_t cpu)
{
	struct switch_thread *th = cpu < s->runs.len ? find(s, s->runs.data[cpu]) : NULL;

	return th && th->doing == RUNS && th->cpu == cpu ? th : NULL;
}

/*
 * The thread has CPU.  If another had it, that one left without a record: its record is
 * lost, or it runs where nothing is recorded.
 */
static void begin_run(struct switches *s, struct switch_thread *th, uint64_t now,
		      uint32_t cpu)
{
	struct switch_thread *before = find_runner(s, cpu);

	begin(s, th, RUNS, now, cpu);
	th->proof_ns = now;
	if (cpu == SWITCHES_NO_CPU) { /* any loss may concern it */
		enter_certain(s, th);
		return;
	}
	if (cpu >= CPUS_MAX) { /* no losses of it can be known */
		lose_sight(s, th);
		return;
	}
	while (s->runs.len <= cpu)
		*vec_push(&s->runs) = 0;
	if (before && before != th)
		lose_sight(s, before);
	s->runs.data[cpu] = th->tid;
}

/* The thread has no CPU: it waits, if no other CPU may have taken it unseen. */
static void begin_wait(struct switches *s, struct switch_thread *th, uint64_t now,
		       const struct switches_reason *reason)
{
	th->state = (uint8_t)reason->state;
	th->node = reason->node;
	th->address = reason->address;
	th->node_looked = false;
	th->slept_ns = 0;
	begin(s, th, now < s->lost_until_ns ? LOST : WAITS, now, th->cpu);
}

/*
 * Time has come to NOW, when a thread shows what it does: what it did in the loss is not
 * known.  The time of a record that is older than the last one counts as that one's.
 */
static uint64_t settle(const struct switches *s, struct switch_thread *th, uint64_t now)
{
	uint64_t until = th->unseen ? UINT64_MAX : s->lost_until_ns, to;

	if (now < th->since_ns)
		now = th->since_ns;
	if (th->doing != LOST)
		return now;
	to = now < until ? now : until;
	tell_unknown(s, th, to);
	th->since_ns = to;
	if (to == until) {
		begin_doubt(th);
		th->was_lost = true;
	}
	return now;
}

/* Whether it is proven that the thread waited until TO: by its switch, or by a look. */
static bool has_waited(const struct switch_thread *th, uint64_t to)
{
	return th->doing == WAITS ||
	       (th->doing == DOUBTED && th->slept_ns && th->slept_ns <= to);
}

/* ---- lives ---- */

static struct switch_thread *add(struct switches *s, uint32_t tid, uint64_t now)
{
	struct switch_thread *th;

	if (s->unused.len)
		th = &s->threads.data[s->unused.data[--s->unused.len]];
	else
		th = vec_push(&s->threads);
	*th = (struct switch_thread){
		.tid = tid, .born_ns = now, .certain = NOT_CERTAIN, .is_used = true
	};
	idmap_set(&s->by_tid, tid, 0, (uint32_t)(th - s->threads.data));
	return th;
}

static void drop(struct switches *s, struct switch_thread *th)
{
	idmap_remove(&s->by_tid, th->tid, 0);
	leave_certain(s, th);
	th->is_used = false;
	*vec_push(&s->unused) = (uint32_t)(th - s->threads.data);
}

static void bury(struct switches *s, struct switch_thread *th, uint64_t now,
		 unsigned flags)
{
	struct switches_life life = {
		.tid = th->tid,
		.flags = flags | (th->lived ? EXP_LIFE_BEGAN_BEFORE : 0),
		.from_ns = th->born_ns,
		.to_ns = now,
	};

	if (life.to_ns > life.from_ns)
		s->sink.life(s->sink.ctx, &life);
	drop(s, th);
}

/* It ends at its last sign of life, as the record of its end is missing. */
static void end_unseen(struct switches *s, struct switch_thread *th)
{
	uint64_t last = th->doing == RUNS ? th->proof_ns : th->since_ns;

	settle(s, th, last);
	bury(s, th, last, 0);
}

void switches_vanished(struct switches *s, uint32_t tid)
{
	struct switch_thread *th = find(s, tid);

	if (th)
		end_unseen(s, th);
}

void switches_reused(struct switches *s, uint32_t tid, uint64_t now)
{
	struct switch_thread *th = find(s, tid);

	if (th && (th->lived || now - th->born_ns >= TWICE_NS))
		end_unseen(s, th);
}

void switches_born(struct switches *s, uint32_t tid, uint64_t now)
{
	static const struct switches_reason birth = { SWITCHES_NO_STACK, EXP_STATE_WAIT,
						      0 };
	struct switch_thread *th;

	switches_reused(s, tid, now);
	if (find(s, tid))
		return;
	th = add(s, tid, now);
	begin_wait(s, th, now, &birth);
}

void switches_found(struct switches *s, uint32_t tid, uint64_t now)
{
	struct switch_thread *th;

	if (find(s, tid))
		return;
	th = add(s, tid, now);
	th->lived = true;
	begin(s, th, DOUBTED, now, 0);
	begin_doubt(th);
}

void switches_end(struct switches *s, uint32_t tid, uint64_t now)
{
	struct switch_thread *th = find(s, tid);

	if (!th)
		return;
	now = settle(s, th, now);
	if (th->doing == WAITS)
		tell_unknown(s, th, now); /* it came in without a record */
	bury(s, th, now, 0);
}

void switches_began(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu)
{
	switches_end(s, tid, now);
	begin_run(s, add(s, tid, now), now, cpu);
}

void switches_check(struct switches *s, switches_fate_fn *fate, void *ctx)
{
	vec_for_each(struct switch_thread, th, &s->threads)
		if (th->is_used)
			th->fate = (uint8_t)fate(ctx, th->tid);
}

/* It ended or left without a record: what it did after its last one is not known. */
static void finish_gone(struct switches *s, struct switch_thread *th, uint64_t end)
{
	bool left = th->fate == SWITCHES_LEFT;

	if (!left && th->doing == DOUBTED && th->lived && !th->was_lost) {
		drop(s, th); /* it ended before the recording began */
		return;
	}
	if (th->doing == RUNS)
		th->since_ns = th->proof_ns;
	tell_unknown(s, th, end);
	bury(s, th, end, left ? EXP_LIFE_WENT_ON : 0);
}

static void finish_living(struct switches *s, struct switch_thread *th, uint64_t end)
{
	if (th->doing == DOUBTED && th->was_lost && !has_waited(th, end))
		tell_unknown(s, th, end);
	else if (may_wait(th))
		tell_wait(s, th, end);
	bury(s, th, end, EXP_LIFE_WENT_ON);
}

void switches_finish(struct switches *s, uint64_t now)
{
	for (size_t i = 0; i < s->threads.len; i++) {
		struct switch_thread *th = &s->threads.data[i];
		uint64_t end;

		if (!th->is_used)
			continue;
		end = settle(s, th, now);
		if (th->fate != SWITCHES_LIVES)
			finish_gone(s, th, end);
		else
			finish_living(s, th, end);
	}
}

/* ---- switches ---- */

void switches_stack(struct switches *s, uint32_t tid,
		    const struct switches_reason *reason)
{
	struct switch_thread *th = find(s, tid);

	if (!th)
		return;
	th->next_node = reason->node;
	th->next_state = (uint8_t)reason->state;
	th->next_address = reason->address;
}

bool switches_sleeps(const struct switches *s, uint32_t tid, struct switches_sleep *out)
{
	const struct switch_thread *th = find(s, tid);

	if (!may_wait(th) || th->state == EXP_STATE_WAIT)
		return false;
	*out = (struct switches_sleep){
		.since_ns = th->since_ns,
		.has_stack = th->node != SWITCHES_NO_STACK && !th->node_looked,
		.has_cause = th->state != EXP_STATE_OTHER,
		.was_seen = th->slept_ns > 0,
		.is_fault = th->state == EXP_STATE_PAGEFAULT,
	};
	return true;
}

void switches_slept(struct switches *s, uint32_t tid, uint64_t from, uint64_t to,
		    const struct switches_reason *reason)
{
	struct switch_thread *th = find(s, tid);

	if (!may_wait(th) || from < th->since_ns)
		return;
	if (th->node == SWITCHES_NO_STACK || th->node_looked) {
		th->node = reason->node;
		th->node_looked = true;
	}
	if (reason->address)
		th->address = reason->address;
	th->state = (uint8_t)reason->state;
	th->slept_ns = to;
}

void switches_state(struct switches *s, uint32_t tid, enum exp_state state)
{
	struct switch_thread *th = find(s, tid);

	if (th)
		th->next_state = (uint8_t)state;
}

static bool is_twice(const struct switch_thread *th, uint64_t now, uint32_t cpu)
{
	return th->cpu == cpu && now - th->since_ns < TWICE_NS;
}

void switches_out(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu,
		  bool preempted)
{
	struct switch_thread *th = find(s, tid);
	struct switches_reason reason = { .state = EXP_STATE_WAIT };

	if (!th)
		return;
	now = settle(s, th, now);
	if (th->doing == WAITS && is_twice(th, now, cpu))
		return;
	if (th->doing == WAITS)
		tell_unknown(s, th, now);
	if (!preempted)
		reason.state = th->next_state < EXP_STATES
				       ? (enum exp_state)th->next_state
				       : EXP_STATE_OTHER;
	reason.node = th->next_node;
	reason.address = th->next_address;
	th->cpu = cpu;
	begin_wait(s, th, now, &reason);
}

void switches_in(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu)
{
	struct switch_thread *th = find(s, tid);

	if (!th)
		return;
	now = settle(s, th, now);
	if (th->doing == RUNS && is_twice(th, now, cpu))
		return;
	if (may_wait(th))
		tell_wait(s, th, now);
	else if (th->doing == RUNS)
		tell_unknown(s, th, now);
	begin_run(s, th, now, cpu);
}

bool switches_may_wake(const struct switches *s, uint32_t tid, uint64_t now)
{
	const struct switch_thread *th = find(s, tid);

	return th && th->doing == WAITS && th->state != EXP_STATE_WAIT &&
	       now >= th->since_ns;
}

void switches_woken(struct switches *s, uint32_t tid, uint64_t now, uint32_t waker)
{
	struct switch_thread *th = find(s, tid);

	if (!switches_may_wake(s, tid, now))
		return;
	th->waker = waker;
	tell_wait(s, th, now);
	th->waker = 0;
	th->state = EXP_STATE_WAIT;
	th->since_ns = now;
	th->slept_ns = 0;
}

/* One of a thread that waits was taken while it went. */
void switches_ran(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu)
{
	struct switch_thread *th = find(s, tid);

	if (!th || th->doing == WAITS)
		return;
	now = settle(s, th, now);
	if (th->doing != RUNS)
		begin_run(s, th, now, cpu);
	else if (th->cpu == cpu && th->proof_ns < now)
		th->proof_ns = now;
}

/* ---- losses ---- */

static void see(struct switches *s, uint32_t cpu, uint64_t now, bool hides)
{
	if (cpu >= CPUS_MAX)
		return;
	while (s->cpus.len <= cpu)
		*vec_push(&s->cpus) = (struct switches_cpu){ 0 };
	s->cpus.data[cpu] = (struct switches_cpu){ now, hides };
}

void switches_seen(struct switches *s, uint32_t cpu, uint64_t now)
{
	see(s, cpu, now, false);
}

/* Records from FROM on are missing, which may be the thread's. */
static void doubt(struct switches *s, struct switch_thread *th, uint64_t from)
{
	if (from < th->since_ns)
		from = th->since_ns;
	if (has_waited(th, from))
		tell_wait(s, th, from);
	else if (th->doing == DOUBTED)
		from = th->since_ns; /* what was in doubt until now never becomes clear */
	begin(s, th, LOST, from, th->cpu);
}

bool switches_unseen(struct switches *s, uint32_t tid, uint64_t from)
{
	struct switch_thread *th = find(s, tid);

	if (!th || th->doing != WAITS)
		return false;
	doubt(s, th, from);
	th->unseen = true;
	return true;
}

/*
 * Threads that are LOST already remain so until the new end, and need no visit: a thread
 * is visited once for each record that made certain what it does, however many are lost.
 */
static void lose(struct switches *s, uint32_t cpu, uint64_t to)
{
	const uint64_t from = cpu < s->cpus.len ? s->cpus.data[cpu].seen_ns : 0;
	struct switch_thread *runner = find_runner(s, cpu);

	if (to <= from)
		return;
	if (to > s->lost_until_ns)
		s->lost_until_ns = to;
	s->any_lost = true;
	if (runner)
		doubt(s, runner, from);
	while (s->certain.len)
		doubt(s, &s->threads.data[s->certain.data[s->certain.len - 1]], from);
}

void switches_lost(struct switches *s, uint32_t cpu, uint64_t to)
{
	if (cpu >= s->cpus.len || !s->cpus.data[cpu].hides)
		lose(s, cpu, to);
}

void switches_hides(struct switches *s, uint32_t cpu, uint64_t to)
{
	lose(s, cpu, to);
	see(s, cpu, to, true);
}

/* Each thread that was LOST can be lost again, so this costs as much as the losses did. */
bool switches_recover(struct switches *s, uint64_t now)
{
	if (!s->any_lost || now < s->lost_until_ns)
		return false;
	s->any_lost = false;
	vec_for_each(struct switch_thread, th, &s->threads) {
		if (!th->is_used || th->doing != LOST || th->unseen)
			continue;
		settle(s, th, s->lost_until_ns);
		enter_certain(s, th);
	}
	return true;
}
