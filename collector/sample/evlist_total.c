/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "sample/evlist_unit.h"
#include "base/xalloc.h"

/*
 * Reading one event gives count, enabled, running, id, and lost if the kernel counts it;
 * reading a group leader gives the number of members, the two times, then the rest for
 * each member.  MEMBERS: of the group that it leads, or 0.
 */
struct evlist_total evlist_total_of_fd(const struct evlist *c, int fd, size_t members)
{
	bool lost = c->format.read_format & PERF_FORMAT_LOST;
	size_t each = lost ? 3 : 2, value = members ? 3 : 0;
	size_t words = members ? 3 + members * each : 2 + each;
	uint64_t *word = xcalloc(words, sizeof(*word));
	ssize_t size = (ssize_t)(words * sizeof(*word));
	struct evlist_total total = { 0 };

	if (fd != EVLIST_NOT_HERE && c->sys->read(fd, word, (size_t)size) == size)
		total = (struct evlist_total){ word[value], word[1], word[2],
					       lost ? word[members ? 5 : 4] : 0 };
	free(word);
	return total;
}

void evlist_add_total(struct evlist_total *sum, const struct evlist_total *one)
{
	sum->value += one->value;
	sum->enabled_ns += one->enabled_ns;
	sum->running_ns += one->running_ns;
	sum->lost += one->lost;
}

/*
 * The count of one task's events, from unit FIRST on, or of the CPUs' events.
 *
 * An event of a task on one CPU is enabled while the task runs on any CPU, but running
 * only on its own: so each CPU reports the whole enabled time, and a part of the running
 * time.  The sum of the parts may exceed the whole slightly (by 1.5 % for threads that
 * changed CPUs all the time).
 */
static struct evlist_total total_of(const struct evlist *c, size_t first, size_t index)
{
	struct evlist_total sum = { 0 };
	uint64_t longest = 0;

	for (size_t unit = first; unit < first + c->cpus; unit++) {
		struct evlist_total one = evlist_total_of_fd(
			c, *evlist_event_fd(c, unit, index), c->members.data[index]);

		evlist_add_total(&sum, &one);
		if (one.enabled_ns > longest)
			longest = one.enabled_ns;
	}
	if (c->scope == SCOPE_TASK)
		sum.enabled_ns = longest;
	return sum;
}

/* Since the events were opened. */
static struct evlist_total all_of(const struct evlist *c, size_t index)
{
	struct evlist_total sum = c->replaced[index];

	for (size_t unit = 0; unit < c->owners.len; unit += c->cpus) {
		struct evlist_total one = total_of(c, unit, index);

		evlist_add_total(&sum, &one);
	}
	return sum;
}

static uint64_t less(uint64_t from, uint64_t by)
{
	return from > by ? from - by : 0;
}

struct evlist_total evlist_total(const struct evlist *c, size_t index)
{
	const struct evlist_marks *m = &c->marks;
	struct evlist_total sum = m->ended ? m->until[index] : all_of(c, index);

	if (!m->from)
		return sum;
	return (struct evlist_total){
		.value = less(sum.value, m->from[index].value),
		.enabled_ns = less(sum.enabled_ns, m->from[index].enabled_ns),
		.running_ns = less(sum.running_ns, m->from[index].running_ns),
		.lost = less(sum.lost, m->from[index].lost),
	};
}

static uint64_t trackers_lost(const struct evlist *c)
{
	uint64_t lost = c->trackers_lost;

	for (size_t i = 0; c->trackers && i < c->fds.len; i += evlist_slots(c))
		lost += evlist_total_of_fd(c, c->fds.data[i], 0).lost;
	return lost;
}

uint64_t evlist_trackers_lost(const struct evlist *c)
{
	const uint64_t lost = c->marks.ended ? c->marks.trackers_until : trackers_lost(c);

	return less(lost, c->marks.trackers_from);
}

uint64_t evlist_lost(const struct evlist *c)
{
	uint64_t lost = evlist_trackers_lost(c);

	for (size_t i = 0; i < c->events; i++)
		lost += evlist_total(c, i).lost;
	return lost;
}

void evlist_mark(struct evlist *c)
{
	struct evlist_marks *m = &c->marks;

	if (!m->until) {
		m->from = xcalloc(c->events, sizeof(*m->from));
		m->until = xcalloc(c->events, sizeof(*m->until));
	}
	for (size_t i = 0; i < c->events; i++)
		m->until[i] = all_of(c, i);
	m->trackers_until = trackers_lost(c);
	m->ended = true;
}

void evlist_begin_at_mark(struct evlist *c)
{
	struct evlist_marks *m = &c->marks;
	const struct evlist_rings rings = evlist_rings(c);

	memcpy(m->from, m->until, c->events * sizeof(*m->from));
	m->trackers_from = m->trackers_until;
	m->ended = false;
	for (size_t i = 0; i < rings.count; i++)
		rings.first[i].bad_records = 0;
}

void evlist_unmark(struct evlist *c)
{
	c->marks.ended = false;
}

void evlist_leave_rings(struct evlist *c)
{
	const struct evlist_rings rings = evlist_rings(c);

	for (size_t i = 0; i < rings.count; i++)
		rings.first[i].page = NULL;
}

bool evlist_tells_lost_samples(const struct evlist *c)
{
	return c->scope != SCOPE_TASK && c->format.read_format & PERF_FORMAT_LOST;
}

/* Events of tasks count their own losses, but those that inherited them do not. */
bool evlist_may_hide_losses(const struct evlist *c)
{
	const struct evlist_rings rings = evlist_rings(c);
	bool any = false;

	for (size_t i = 0; i < rings.count; i++)
		any |= rings.first[i].page && ring_may_hide_losses(&rings.first[i]);
	return any && !evlist_tells_lost_samples(c);
}

bool evlist_was_full(const struct evlist *c)
{
	const struct evlist_rings rings = evlist_rings(c);
	bool any = false;

	for (size_t i = 0; i < rings.count; i++) {
		if (!rings.first[i].page)
			continue;
		ring_look(&rings.first[i]);
		any |= ring_was_full(&rings.first[i]);
	}
	return any;
}
