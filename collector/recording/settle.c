/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/settle.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* A later start, or a part of the processes, cannot be settled: counters know no choice.
 */
static bool can_settle(const struct recording *rec)
{
	return !rec->from_ns && !rec->only_pid;
}

static void write_unsampled(struct recording *rec, const uint64_t *most)
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

/* Tells the tally what of event E has no sample; gives how much of it can be written. */
typedef uint64_t share_fn(struct recording *rec, uint32_t target_pid, uint32_t e,
			  const struct recording_count *count);

static void settle(struct recording *rec, uint32_t target_pid,
		   const struct recording_count *counts, share_fn *share)
{
	uint64_t *most;

	if (!can_settle(rec))
		return;
	most = xcalloc(rec->events.len, sizeof(*most));
	for (uint32_t e = 0; e < rec->events.len; e++)
		most[e] = share(rec, target_pid, e, &counts[e]);
	write_unsampled(rec, most);
	free(most);
}

/*
 * What the ended tasks did not count is the target's own; but a group's are not told of,
 * and those that live on count too.  In all it is no more than what has no sample.
 */
static uint64_t share_of_tasks(struct recording *rec, uint32_t target_pid, uint32_t e,
			       const struct recording_count *count)
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
			       const struct recording_count *count)
{
	const struct recording_event *event = &rec->events.data[e];
	uint64_t rest = beyond(count->counted, event->weight + event->dropped);

	if (rest > count->least && event->weight)
		tally_spread(&rec->tally, e, rest);
	else if (rest > count->least)
		give_target(rec, target_pid, e, rest);
	return count->most;
}

void recording_settle_tasks(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts)
{
	settle(rec, target_pid, counts, share_of_tasks);
}

void recording_settle_group(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts)
{
	settle(rec, target_pid, counts, share_of_group);
}
