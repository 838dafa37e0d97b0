/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/event_scope.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup2.h"
#include "base/file.h"
#include "base/idmap.h"
#include "process/proc_list.h"
#include "sample/group_trial.h"
#include "base/xalloc.h"

/* More events for one process are worse than counting everybody. */
enum { TASK_EVENTS_MAX = 4096 };

/* The scope for a running process, which stays in its own group. */
static enum evlist_scope scope_of_attached(const struct event_scope *o, size_t threads)
{
	size_t events = threads * o->cpus * o->ladder->rungs.len;

	return events > TASK_EVENTS_MAX && evlist_may_see_all(o->sys, o->ladder)
		       ? SCOPE_CPU
		       : SCOPE_TASK;
}

static bool wants_group(const struct event_scope *o)
{
	if (o->opt->system || o->opt->cgroup)
		return false;
	if (o->opt->scope != SCOPES)
		return o->opt->scope == SCOPE_CGROUP;
	return o->opt->follow && evlist_may_see_all(o->sys, o->ladder);
}

void event_scope_make_group(const struct event_scope *o, struct cgroup *group)
{
	if (wants_group(o) && (cgroup_make(group, o->sys->root) ||
			       !evlist_may_see_group(o->sys, o->ladder, group->fd)))
		cgroup_release(group);
}

/* A target that was not born in its group is moved there, or has none. */
static void join_group(const struct event_scope *o, struct cgroup *group)
{
	if (group->path && !o->target->in_group && cgroup_add(group, o->target->pid))
		cgroup_release(group);
}

/* The best available scope, if the user chose none. */
static enum evlist_scope best_scope(const struct event_scope *o, size_t threads,
				    const struct cgroup *group)
{
	if (o->opt->system)
		return SCOPE_CPU;
	if (o->target->group.path)
		return SCOPE_CGROUP;
	if (!target_is_child(o->target))
		return scope_of_attached(o, threads);
	if (group->path)
		return SCOPE_CGROUP;
	return o->opt->follow && evlist_may_see_all(o->sys, o->ladder) ? SCOPE_CPU
								       : SCOPE_TASK;
}

static int choose_scope(const struct event_scope *o, size_t threads, struct cgroup *group,
			enum evlist_scope *scope, struct strbuf *err)
{
	join_group(o, group);
	*scope = o->opt->scope == SCOPES ? best_scope(o, threads, group) : o->opt->scope;
	if (*scope != SCOPE_CGROUP || group->path || o->target->group.path)
		return 0;
	strbuf_addstr(err, "--scope cgroup: cannot create a group for the run; this "
			   "requires root, cgroup v2, and a program to start");
	return -EPERM;
}

/*
 * A task's children must inherit its events, and older kernels do not read inherited ones
 * in samples.
 */
static int check_groups(const struct event_scope *o, enum evlist_scope scope,
			struct strbuf *err)
{
	if (scope != SCOPE_TASK || o->ladder->features & ATTR_INHERIT_READ)
		return 0;
	for (size_t i = 0; i < o->ladder->rungs.len; i++) {
		if (!o->ladder->rungs.data[i].event.group)
			continue;
		group_spell(o->ladder, i, err);
		strbuf_addstr(err, " cannot follow the program's children: before Linux "
				   "6.12 groups are for CPUs only; this requires root, "
				   "or: sudo sysctl kernel.perf_event_paranoid=0");
		return -EOPNOTSUPP;
	}
	return 0;
}

/*
 * Whether to request the control groups of samples: if several programs are recorded, and
 * the kernel reports groups of version 2.
 */
static bool sees_groups(const struct event_scope *o)
{
	return (o->opt->system || o->target->group.path) &&
	       !cgroup1_has_controller(o->sys->root, "perf_event");
}

static struct evlist_setup setup_of(const struct event_scope *o, enum evlist_scope scope,
				    int cgroup, const pid_vec *tasks)
{
	return (struct evlist_setup){
		.sys = o->sys,
		.ladder = o->ladder,
		.mode = o->opt->mode,
		.stack_bytes = o->opt->stack_bytes,
		.follow = o->opt->follow,
		.groups = sees_groups(o),
		.scope = scope,
		.cgroup = cgroup,
		.tasks = tasks->data,
		.ntasks = tasks->len,
		.waits = o->opt->waits,
		.waking = o->waking,
		.waking_event = o->waking_event,
		.on_exec = target_is_child(o->target),
		.pauses = o->opt->regions || o->opt->pause_signal,
		.paused = o->opt->paused,
		.vary = o->opt->vary,
		.chains = o->chains,
	};
}

/* Opens events for the tasks of NOW that are not KNOWN, and adds them to KNOWN. */
static int add_unknown(const struct event_scope *o, struct evlist *evlist,
		       const pid_vec *now, struct idmap *known, struct strbuf *err)
{
	const struct evlist_setup setup = setup_of(o, SCOPE_TASK, -1, now);
	int error = 0;

	for (size_t i = 0; i < now->len && !error; i++) {
		size_t before = known->len;

		idmap_intern(known, (uint64_t)now->data[i], 0, 0);
		if (known->len == before)
			continue;
		error = evlist_add_task(evlist, &setup, now->data[i], err);
		if (error == -ESRCH)
			error = 0;
	}
	return error;
}

/*
 * Threads that were started while the others' events were opened may have inherited all,
 * some or none of these: they get their own.  Repeats until a look finds no more.
 */
static int add_newborn(const struct event_scope *o, struct evlist *evlist,
		       const pid_vec *tasks, struct strbuf *err)
{
	struct idmap known = { 0 };
	size_t before;
	int error = 0;

	vec_for_each(const pid_t, task, tasks)
		idmap_set(&known, (uint64_t)*task, 0, 0);
	do {
		pid_vec now = { 0 };

		before = known.len;
		target_threads(o->target, o->sys->root, o->opt->follow, &now);
		error = add_unknown(o, evlist, &now, &known, err);
		vec_release(&now);
	} while (!error && known.len > before);
	idmap_release(&known);
	return error;
}

/* For another user's process no paranoid level would help.  Whether PID is one. */
static bool explain_stranger(const char *root, pid_t pid, struct strbuf *err)
{
	char *path = xasprintf("%s/proc/%d", root, (int)pid);
	struct stat st;
	bool is = !stat(path, &st) && st.st_uid != geteuid();

	if (is) {
		strbuf_clear(err);
		strbuf_addf(err,
			    "process %d belongs to another user (uid %u), or has rights "
			    "of its own: recording it requires root, or CAP_PERFMON",
			    (int)pid, (unsigned)st.st_uid);
	}
	free(path);
	return is;
}

static void explain_strangers(const struct event_scope *o, struct strbuf *err)
{
	vec_for_each(const struct attached_process, p, &o->target->attached.processes)
		if (explain_stranger(o->sys->root, p->pid, err))
			return;
}

int event_scope_open(const struct event_scope *o, struct cgroup *group,
		     struct evlist *evlist, struct strbuf *err)
{
	struct evlist_setup setup;
	enum evlist_scope scope;
	pid_vec tasks = { 0 };
	int error = 0;

	file_allow_many(); /* the forked program keeps its own limit */
	if (o->target->pid)
		target_threads(o->target, o->sys->root, o->opt->follow, &tasks);
	if (o->target->pid && !tasks.len) {
		strbuf_addf(err, "process %d has ended", (int)o->target->pid);
		error = -ESRCH;
		goto out;
	}
	error = choose_scope(o, tasks.len, group, &scope, err);
	if (!error)
		error = check_groups(o, scope, err);
	if (error)
		goto out;
	setup = setup_of(o, scope, group->path ? group->fd : o->target->group.fd, &tasks);
	error = evlist_open(evlist, &setup, err);
	if (error && o->opt->mode == STACK_LBR)
		strbuf_addstr(err, " (--stack lbr requires a counter of an Intel CPU)");
	if ((error == -EACCES || error == -EPERM) && o->target->attached.processes.len)
		explain_strangers(o, err);
	if (!error && setup.scope == SCOPE_TASK && !setup.on_exec)
		error = add_newborn(o, evlist, &tasks, err);
out:
	vec_release(&tasks);
	return error;
}
