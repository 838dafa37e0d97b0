/* SPDX-License-Identifier: Apache-2.0 */
/* The events start, and with them the recording. */
#include "run/session_state.h"
#include "recording/attach.h"

/*
 * The time in which the recording was prepared is not part of it.  Counters of the whole
 * machine count from then on; the loop starts what begins later.
 */
static void begin_time(struct session *s)
{
	s->log.started_ns = s->sys->now();
	recording_begin(&s->rec, s->log.started_ns);
	if (!s->opt->paused && !s->opt->from_ns)
		sockets_start(&s->sockets);
}

/* If there is a program, signals are for it, and the recording continues. */
static void look_up(struct session *s)
{
	struct attached *a = &s->target.attached;
	size_t known = 0;

	if (s->opt->system)
		attach_all(&s->rec, s->sys->root, !target_is_child(&s->target));
	if (s->target.group.path)
		session_look_up_group(s);
	do { /* what began meanwhile too */
		for (; known < a->processes.len; known++)
			attach_process(&s->rec, s->sys->root,
				       a->processes.data[known].pid);
	} while (s->opt->follow && attached_add_below(a, s->sys->root));
}

/* Whether only the program is recorded, which is not there yet. */
static bool is_launched(const struct session *s)
{
	return target_is_child(&s->target) && !s->opt->system;
}

/*
 * Running processes are looked up before the first sample: many take long, and nobody
 * empties the rings meanwhile.  Trackers report changes during that time; without them,
 * the processes are looked up again.
 */
int session_prepare(struct session *s)
{
	int error;

	if (is_launched(s))
		return 0;
	error = evlist_start_trackers(&s->evlist);
	if (error)
		return error;
	if (s->evlist.format.sample_type & PERF_SAMPLE_CGROUP)
		attach_groups(&s->rec, s->sys->root);
	look_up(s);
	attached_begin(&s->target.attached, s->sys->root);
	if (s->target.group.path)
		target_group_begin(&s->target.group);
	return 0;
}

int session_start(struct session *s)
{
	uint64_t all_ns;
	int error;

	begin_time(s);
	error = s->opt->paused ? evlist_start_trackers(&s->evlist)
			       : evlist_start(&s->evlist);
	if (is_launched(s))
		return error;
	all_ns = s->sys->now() -
		 s->rec.start_ns; /* each of many threads has events of its own */
	if (!error && !s->evlist.trackers)
		look_up(s);
	if (s->opt->waits) {
		waiting_find_all(&s->waiting, all_ns);
		sleepers_add_all(&s->sleepers);
	}
	return error;
}
