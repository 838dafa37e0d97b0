/* SPDX-License-Identifier: Apache-2.0 */
/* A control group as the target: its name, its processes, what is possible instead. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/file.h"
#include "base/idmap.h"
#include "base/xalloc.h"
#include "run/session_state.h"
#include "output/note.h"
#include "recording/attach.h"
#include "target/group_find.h"

int session_find_group(struct session *s)
{
	struct group_place place;
	int error = group_find(s->sys->root, s->opt->cgroup, &place, &s->err);

	if (!error) {
		error = target_group_open(&s->target.group, place.directory, place.path);
		if (error)
			strbuf_addf(&s->err, "--cgroup %s: %s", s->opt->cgroup,
				    strerror(-error));
	}
	if (!error) {
		free(s->log.cgroup);
		s->log.cgroup = xstrdup(place.path);
	}
	group_place_release(&place);
	return error ? EXIT_USAGE : 0;
}

/* The processes of the group instead of the group. */
static int attach_processes(struct session *s)
{
	pid_vec pids = { 0 };
	int status = 0;

	file_allow_many(); /* each takes a descriptor */
	target_group_processes(&s->target.group, &pids);
	s->target.attached.own_only = !session_may_record_others(s->sys);
	for (size_t i = 0; i < pids.len && !status; i++)
		status = session_attach_to(s, pids.data[i], true);
	if (!status && !s->target.pid) {
		strbuf_addf(&s->err, "no process is in the control group %s",
			    s->target.group.path);
		status = EXIT_FAILED;
	}
	if (!status)
		attached_add_below(&s->target.attached, s->sys->root);
	vec_release(&pids);
	return status;
}

static void tell_instead(struct session *s, const char *why)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text,
		    "recording the processes of %s, as -P does, and not the group: %s; "
		    "what others move into it is not recorded",
		    s->target.group.path, why);
	log_note(&s->log, "warning", strbuf_str(&text));
	strbuf_release(&text);
}

int session_attach_group(struct session *s)
{
	const struct ladder *ladder = &s->plan.ladder;
	const char *why = "the user wanted --scope task";

	if (s->opt->scope != SCOPE_TASK &&
	    evlist_may_see_group(s->sys, ladder, s->target.group.fd))
		return 0;
	if (attach_processes(s))
		return PLAN_NOT_HERE;
	if (s->opt->scope != SCOPE_TASK)
		why = evlist_may_see_all(s->sys, ladder)
			      ? "the hierarchy has no counters (perf_event)"
			      : "counters of groups require root, CAP_PERFMON, or: sudo "
				"sysctl kernel.perf_event_paranoid=0";
	tell_instead(s, why);
	target_group_release(&s->target.group);
	free(s->log.cgroup);
	s->log.cgroup = NULL;
	return 0;
}

/*
 * Again, for processes that started meanwhile; but a group may start them faster than they are
 * looked up.  Later ones have records of their forks.
 */
enum { GROUP_LOOKS_MAX = 8 };

void session_look_up_group(struct session *s)
{
	struct idmap known = { 0 };
	uint32_t before;
	unsigned looks = 0;

	do {
		pid_vec pids = { 0 };

		before = (uint32_t)known.len;
		target_group_processes(&s->target.group, &pids);
		vec_for_each(const pid_t, pid, &pids) {
			if (idmap_get(&known, (uint64_t)*pid, 0) != IDMAP_NONE)
				continue;
			idmap_set(&known, (uint64_t)*pid, 0, 0);
			attach_process(&s->rec, s->sys->root, *pid);
		}
		vec_release(&pids);
	} while (known.len > before && ++looks < GROUP_LOOKS_MAX);
	idmap_release(&known);
}
