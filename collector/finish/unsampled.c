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

/* Returns what could be written. */
static uint64_t write_missing(struct recording *rec, const struct unsampled_owner *owner,
			      uint32_t e, uint64_t rest)
{
	uint64_t time_ns = rec->last_ns - rec->start_ns;
	struct thread *th;

	if (rec->events.data[e].weight && !owner->of_all) {
		tally_spread(&rec->tally, &rec->in, time_ns, e, rest);
		return rest;
	}
	if (!owner->pid && !owner->of_all)
		return 0;
	th = tasks_thread(&rec->tasks, owner->pid, owner->pid);
	tally_write_unsampled(&rec->in, time_ns, tasks_thread_id(&rec->tasks, th), e,
			      rest);
	return rest;
}

void unsampled_write_counts(struct recording *rec, const struct unsampled_owner *owner,
			    const struct unsampled_count *counts)
{
	if (!is_all(rec))
		return;
	for (uint32_t e = 0; e < rec->events.len; e++) {
		struct recording_event *event = &rec->events.data[e];
		uint64_t rest = missing(event, &counts[e]);

		if (rest)
			event->unsampled = write_missing(rec, owner, e, rest);
	}
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

/*
 * What is missing is mostly that of processes which the kernel stopped sampling.  A group that
 * the user named has no process of its own.
 */
static struct unsampled_owner owner(const struct unsampled *u)
{
	struct recording *rec = u->rec;

	if (u->evlist->scope == SCOPE_TASK &&
	    untraceable_is_certain(&rec->untraceable, rec->lost + evlist_lost(u->evlist)))
		return (struct unsampled_owner){
			untraceable_process(&rec->untraceable, &rec->tasks,
					    &rec->in.strings),
			true,
		};
	return (struct unsampled_owner){ .pid = (uint32_t)u->target->pid };
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
		};
	while (counts.len < u->rec->events.len) /* counters of sockets need none */
		*vec_push(&counts) = (struct unsampled_count){ .most = UINT64_MAX };
	if (u->evlist->scope != SCOPE_CPU) {
		const struct unsampled_owner whose = owner(u);

		unsampled_write_counts(u->rec, &whose, counts.data);
	}
	vec_release(&counts);
}
