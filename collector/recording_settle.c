/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_settle.h"

#include <stdlib.h>

#include "xalloc.h"

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

/*
 * What the ended tasks did not count is the target's own; but a group's are not told of,
 * and those that live on count too.  In all it is no more than what has no sample.
 */
void recording_settle_tasks(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts)
{
	uint32_t name = tasks_process(&rec->tasks, target_pid)->name;
	uint64_t *most;

	if (!can_settle(rec))
		return;
	most = xcalloc(rec->events.len, sizeof(*most));
	for (uint32_t e = 0; e < rec->events.len; e++) {
		uint64_t ended = tally_counted(&rec->tally, e);
		uint64_t sampled = rec->events.data[e].weight;
		uint64_t counted = beyond(counts[e].counted, rec->events.data[e].dropped);

		if (counted > ended)
			tally_count(&rec->tally, name, e, target_pid, target_pid,
				    counted - ended);
		most[e] = beyond(counted, sampled);
		if (most[e] > counts[e].most)
			most[e] = counts[e].most;
	}
	write_unsampled(rec, most);
	free(most);
}

void recording_settle_group(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts)
{
	uint32_t name = tasks_process(&rec->tasks, target_pid)->name;
	uint64_t *most;

	if (!can_settle(rec))
		return;
	most = xcalloc(rec->events.len, sizeof(*most));
	for (uint32_t e = 0; e < rec->events.len; e++) {
		const struct recording_event *event = &rec->events.data[e];
		uint64_t rest = beyond(counts[e].counted, event->weight + event->dropped);

		most[e] = counts[e].most;
		if (rest <= counts[e].least)
			continue;
		if (event->weight)
			tally_spread(&rec->tally, e, rest);
		else
			tally_count(&rec->tally, name, e, target_pid, target_pid, rest);
	}
	write_unsampled(rec, most);
	free(most);
}
