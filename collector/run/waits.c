/* SPDX-License-Identifier: Apache-2.0 */
#include "run/session_state.h"

/* The group to which the events are tied, as in /proc/PID/cgroup; NULL: none. */
static const char *recorded_group(const struct session *s)
{
	if (s->evlist.scope != SCOPE_CGROUP)
		return NULL;
	return s->target.group.path ? s->target.group.path : s->cgroup.name;
}

void session_record_waits(struct session *s)
{
	const struct plan_states states = plan_states(&s->plan);
	uint32_t wakings[WAKING_KINDS];

	waiting_init(&s->waiting, &(struct waiting_setup){
					  .in = &s->rec.in,
					  .tasks = &s->rec.tasks,
					  .root = s->sys->root,
					  .group = recorded_group(s),
					  .everyone = s->rec.everyone,
					  .times = &s->rec.times,
					  .sampled = states.switches,
					  .faulted = states.faults,
					  .keeps = states.keeps,
					  .events = states.events,
				  });
	s->rec.waiting = &s->waiting;
	sleepers_init(&s->sleepers, &s->rec, s->log.cpus);
	s->rec.sleepers = &s->sleepers;
	if (!s->plan.wakes)
		return;
	for (uint32_t kind = 0; kind < WAKING_KINDS; kind++)
		wakings[kind] = s->evlist.setup.waking_event + kind;
	wakers_init(&s->wakers, &s->plan.waking, wakings, s->writer);
	s->rec.wakers = &s->wakers;
}
