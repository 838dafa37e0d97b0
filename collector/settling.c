/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/settling.h"

#include "recording/settle.h"
#include "base/vec.h"

/*
 * The clock goes on while a hypervisor has the CPU, and in the kernel where that may not
 * be sampled; and a task's is taken away before it has quite ended.  The kernel's books
 * know better, where they are of what was recorded.
 */
static bool has_books(const struct settling *s, size_t e)
{
	return s->whole && s->ladder->rungs.data[e].event.unit == EVENT_UNIT_NS;
}

static uint64_t booked(const struct settling *s, size_t e)
{
	const struct event *event = &s->ladder->rungs.data[e].event;

	if (!has_books(s, e))
		return 0;
	return (event->exclude_user ? 0 : s->target->user_ns) +
	       (event->exclude_kernel ? 0 : s->target->system_ns);
}

static uint64_t counted(const struct settling *s, size_t e)
{
	uint64_t count = evlist_total(s->evlist, e).value;
	uint64_t books = booked(s, e) + s->rec->events.data[e].dropped;

	return count > books ? count : books;
}

static uint64_t most_unsampled(const struct settling *s, size_t e)
{
	uint64_t books = booked(s, e), sampled = s->rec->events.data[e].weight;

	if (!has_books(s, e))
		return UINT64_MAX;
	return books > sampled ? books - sampled : 0;
}

/*
 * The last period that each CPU began is not over.  Of what the kernel counts itself
 * there may be no more than that, and its count is exact.
 */
static uint64_t least_unsampled(const struct settling *s, size_t e)
{
	const struct recording_event *event = &s->rec->events.data[e];

	if (!event->samples ||
	    event_is_counted_by_kernel(&s->ladder->rungs.data[e].event))
		return 0;
	return s->evlist->cpus * (event->weight / event->samples);
}

/* A CPU's counter counts everybody: it tells nothing of the target. */
void settling_run(const struct settling *s)
{
	VEC(struct recording_count) counts = { 0 };
	uint32_t pid = (uint32_t)s->target->pid;

	for (size_t e = 0; e < s->evlist->events; e++)
		*vec_push(&counts) = (struct recording_count){
			.counted = counted(s, e),
			.most = most_unsampled(s, e),
			.least = least_unsampled(s, e),
		};
	while (counts.len < s->rec->events.len) /* those are settled as they are read */
		*vec_push(&counts) = (struct recording_count){ .most = UINT64_MAX };
	if (s->evlist->scope == SCOPE_TASK)
		recording_settle_tasks(s->rec, pid, counts.data);
	else if (s->evlist->scope == SCOPE_CGROUP)
		recording_settle_group(s->rec, pid, counts.data);
	vec_release(&counts);
}
