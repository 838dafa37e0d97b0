/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/unsampled.h"

#include <stdlib.h>

#include "base/vec.h"
#include "base/xalloc.h"

/*
 * A later start, or only some of the processes, has no <Unsampled>: counters count all.
 */
static bool is_all(const struct recording *rec)
{
	return !rec->late && !rec->alone;
}

static void write_rows(struct recording *rec, const uint64_t *most)
{
	uint64_t *unsampled = xcalloc(rec->events.len, sizeof(*unsampled));

	tally_write(&rec->tally, &rec->tasks, &rec->in, rec->last_ns - rec->start_ns,
		    most, unsampled);
	for (size_t e = 0; e < rec->events.len; e++)
		rec->events.data[e].unsampled = unsampled[e];
	free(unsampled);
}

static uint64_t beyond(uint64_t count, uint64_t of)
{
	return count > of ? count - of : 0;
}

static void give_target(struct recording *rec, uint32_t pid, uint32_t e, uint64_t count)
{
	tally_count(&rec->tally, &rec->tasks, tasks_index(&rec->tasks, pid), pid, e,
		    count);
}

/* Adds event E's unsampled count to the tally; returns how much of it can be written. */
typedef uint64_t share_fn(struct recording *rec, uint32_t target_pid, uint32_t e,
			  const struct unsampled_count *count);

static void write_missing(struct recording *rec, uint32_t target_pid,
			  const struct unsampled_count *counts, share_fn *share)
{
	uint64_t *most;

	if (!is_all(rec))
		return;
	most = xcalloc(rec->events.len, sizeof(*most));
	for (uint32_t e = 0; e < rec->events.len; e++)
		most[e] = share(rec, target_pid, e, &counts[e]);
	write_rows(rec, most);
	free(most);
}

/*
 * The count that ended tasks do not explain is the target's own; but those of a group are
 * not reported, and surviving tasks count too.  The total is at most the unsampled count.
 */
static uint64_t share_of_tasks(struct recording *rec, uint32_t target_pid, uint32_t e,
			       const struct unsampled_count *count)
{
	const struct recording_event *event = &rec->events.data[e];
	uint64_t ended = tally_counted(&rec->tally, e);
	uint64_t counted = beyond(count->counted, event->dropped);
	uint64_t most = beyond(counted, event->weight);

	if (counted > ended)
		give_target(rec, target_pid, e, counted - ended);
	return most < count->most ? most : count->most;
}

static uint64_t share_of_group(struct recording *rec, uint32_t target_pid, uint32_t e,
			       const struct unsampled_count *count)
{
	const struct recording_event *event = &rec->events.data[e];
	uint64_t rest = beyond(count->counted, event->weight + event->dropped);

	if (rest > count->least && event->weight)
		tally_spread(&rec->tally, e, rest);
	else if (rest > count->least && target_pid)
		give_target(rec, target_pid, e, rest);
	return count->most;
}

void unsampled_write_tasks(struct recording *rec, uint32_t target_pid,
			   const struct unsampled_count *counts)
{
	write_missing(rec, target_pid, counts, share_of_tasks);
}

void unsampled_write_group(struct recording *rec, uint32_t target_pid,
			   const struct unsampled_count *counts)
{
	write_missing(rec, target_pid, counts, share_of_group);
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
 * Each CPU's last period is incomplete.  Software events may have no more than that, and
 * their count is exact.
 */
static uint64_t least_unsampled(const struct unsampled *u, size_t e)
{
	const struct recording_event *event = &u->rec->events.data[e];

	if (!event->samples ||
	    event_is_counted_by_kernel(&u->ladder->rungs.data[e].event))
		return 0;
	return u->evlist->cpus * (event->weight / event->samples);
}

/* A CPU's counter counts everybody: it does not show the target's count. */
void unsampled_write(const struct unsampled *u)
{
	VEC(struct unsampled_count) counts = { 0 };
	uint32_t pid = (uint32_t)u->target->pid;

	for (size_t e = 0; e < u->evlist->events; e++)
		*vec_push(&counts) = (struct unsampled_count){
			.counted = u->ladder->rungs.data[e].waits ? 0 : counted(u, e),
			.most = most_unsampled(u, e),
			.least = least_unsampled(u, e),
		};
	while (counts.len < u->rec->events.len) /* counters of sockets need none */
		*vec_push(&counts) = (struct unsampled_count){ .most = UINT64_MAX };
	if (u->evlist->scope == SCOPE_TASK)
		unsampled_write_tasks(u->rec, pid, counts.data);
	else if (u->evlist->scope == SCOPE_CGROUP)
		unsampled_write_group(u->rec, pid, counts.data);
	vec_release(&counts);
}
