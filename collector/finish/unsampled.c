/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/unsampled.h"

#include "base/vec.h"

/*
 * A later start, or only some of the processes, has no <Unsampled>: counters count all.  Nor
 * has what may be of a pause.
 */
static bool is_all(const struct recording *rec)
{
	return !rec->late && !rec->alone && !rec->blurred;
}

static uint64_t beyond(uint64_t count, uint64_t of)
{
	return count > of ? count - of : 0;
}

static uint64_t missing(const struct recording_event *event,
			const struct unsampled_count *count)
{
	uint64_t rest = beyond(count->counted, event->weight + event->dropped);

	if (rest <= count->least)
		return 0;
	return rest < count->most ? rest : count->most;
}

static void give(struct recording *rec, uint32_t pid, uint32_t e, uint64_t rest)
{
	struct thread *th;

	if (!rest)
		return;
	th = tasks_thread(&rec->tasks, pid, pid);
	tally_write_unsampled(&rec->in, rec->last_ns - rec->start_ns,
			      tasks_thread_id(&rec->tasks, th), e, rest);
}

static void write_missing(struct recording *rec, const struct unsampled_owner *owner,
			  uint32_t e, const struct unsampled_count *count)
{
	struct recording_event *event = &rec->events.data[e];
	uint64_t rest = missing(event, count), shared;

	event->stopped = owner->has_stopped ? beyond(rest, count->tails) : 0;
	shared = rest - event->stopped;
	give(rec, owner->stopped, e, event->stopped);
	if (event->weight)
		tally_spread(&rec->tally, &rec->in, rec->last_ns - rec->start_ns, e,
			     shared);
	else if (owner->target)
		give(rec, owner->target, e, shared);
	else
		shared = 0;
	event->unsampled = event->stopped + shared;
}

void unsampled_write_counts(struct recording *rec, const struct unsampled_owner *owner,
			    const struct unsampled_count *counts)
{
	if (!is_all(rec))
		return;
	for (uint32_t e = 0; e < rec->events.len; e++)
		write_missing(rec, owner, e, &counts[e]);
}

/* ---- from counters and the kernel's accounting ---- */

/*
 * The clock continues while a hypervisor has the CPU, in the kernel if that may not be
 * sampled, and at each switch while its timer is stopped, 4 us in a virtual machine: a third
 * of the count of a server with short requests.  And a task's clock stops before its very
 * end.  The kernel's accounting is better, if it covers the recorded processes; UINT64_MAX:
 * it does not.
 */
static uint64_t accounted_ns(const struct unsampled *u, size_t e)
{
	const struct event *event = &u->ladder->rungs.data[e].event;

	if (event->unit != EVENT_UNIT_NS || !u->most.known)
		return UINT64_MAX;
	return (event->exclude_user ? 0 : u->most.user_ns) +
	       (event->exclude_kernel ? 0 : u->most.system_ns);
}

static uint64_t counted(const struct unsampled *u, size_t e)
{
	uint64_t count = evlist_total(u->evlist, e).value, accounted = accounted_ns(u, e);

	if (!u->whole || accounted == UINT64_MAX)
		return count;
	accounted += u->rec->events.data[e].dropped;
	return count > accounted ? count : accounted;
}

static uint64_t most_unsampled(const struct unsampled *u, size_t e)
{
	uint64_t accounted = accounted_ns(u, e);

	return accounted == UINT64_MAX ? accounted
				       : beyond(accounted, u->rec->events.data[e].weight);
}

/*
 * Each CPU's last period is incomplete, where a counter goes on from process to process.
 * Software events may have no more than that, and their count is exact.
 */
static uint64_t least_unsampled(const struct unsampled *u, size_t e)
{
	const struct recording_event *event = &u->rec->events.data[e];

	if (u->evlist->scope == SCOPE_TASK || !event->samples ||
	    event_is_counted_by_kernel(&u->ladder->rungs.data[e].event))
		return 0;
	return u->evlist->cpus * (event->weight / event->samples);
}

/* A period ends anywhere: on average half of one is left after a thread's last sample. */
static uint64_t tails(const struct unsampled *u, size_t e)
{
	return u->rec->tasks.threads_seen * (u->ladder->rungs.data[e].event.period / 2);
}

/* A group that the user named has no process of its own. */
static struct unsampled_owner owner(const struct unsampled *u)
{
	struct recording *rec = u->rec;
	struct unsampled_owner owner = {
		.target = (uint32_t)u->target->pid,
		.has_stopped = u->evlist->scope == SCOPE_TASK &&
			       untraceable_is_certain(&rec->untraceable,
						      rec->lost + evlist_lost(u->evlist)),
	};

	if (owner.has_stopped)
		owner.stopped = untraceable_process(&rec->untraceable, &rec->tasks,
						    &rec->in.strings);
	return owner;
}

/* A CPU's counter counts everybody: it does not show the target's count. */
void unsampled_write(const struct unsampled *u)
{
	VEC(struct unsampled_count) counts = { 0 };

	for (size_t e = 0; e < u->evlist->events; e++)
		*vec_push(&counts) = (struct unsampled_count){
			.counted = u->ladder->rungs.data[e].waits ? 0 : counted(u, e),
			.most = most_unsampled(u, e),
			.least = least_unsampled(u, e),
			.tails = tails(u, e),
		};
	while (counts.len < u->rec->events.len) /* counters of sockets need none */
		*vec_push(&counts) = (struct unsampled_count){ .most = UINT64_MAX };
	if (u->evlist->scope != SCOPE_CPU) {
		const struct unsampled_owner whose = owner(u);

		unsampled_write_counts(u->rec, &whose, counts.data);
	}
	vec_release(&counts);
}
