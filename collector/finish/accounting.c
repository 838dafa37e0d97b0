/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/accounting.h"

#include "process/proc_times.h"

/*
 * Only the group's time includes processes that nobody waits for, such as servers.  Apart
 * from that the two differ by the last microseconds of each process.
 */
static void take_group_books(const struct accounting *b)
{
	struct target *t = b->target;
	uint64_t waited = t->user_ns + t->system_ns, user, system;

	if (!cgroup_cpu(b->cgroup, &user, &system))
		return;
	t->in_group_ns = user + system;
	if (user + system <= waited + waited / 100)
		return;
	t->user_ns = user;
	t->system_ns = system;
	t->by_group = true;
}

/* The times of the group that the user named. */
static void take_named_group(struct target *t)
{
	target_finish(t);
	t->by_group = target_group_times(&t->group, &t->user_ns, &t->system_ns);
	t->no_accounting = !t->by_group;
	if (t->no_accounting)
		t->user_ns = t->system_ns = 0;
}

/* A proc_times_skip_fn. */
static bool is_counted(const void *target, pid_t pid)
{
	return target_has(target, pid);
}

/*
 * A process has all the time of a child at once, when it has waited for it; one that ended
 * after its last look may have got some that was not seen.
 */
static bool lacks_children(const struct attached *a, const struct tasks *tasks)
{
	return a->cut && tasks->processes_seen > a->processes.len;
}

/*
 * The kernel's times and the samples cover the same processes, including surviving
 * children.  For the whole machine there are no times since the start of the recording.
 */
void accounting_take(const struct accounting *b)
{
	struct target *t = b->target;

	if (b->system)
		t->user_ns = t->system_ns = 0;
	if (t->group.path)
		take_named_group(t);
	if (!t->pid || b->rec->alone || b->system)
		return;
	if (b->whole && b->cgroup->path) {
		take_group_books(b);
		return;
	}
	target_finish(t);
	t->no_accounting |= lacks_children(&t->attached, &b->rec->tasks);
	if (t->no_accounting) {
		t->user_ns = t->system_ns = 0;
		return;
	}
	t->by_proc = !target_is_child(t);
	t->living = proc_times_living(&b->rec->tasks, b->root, is_counted, t, &t->user_ns,
				      &t->system_ns);
	if (t->living)
		t->by_proc = true;
}

static struct cpu_time with_ticks(uint64_t user_ns, uint64_t system_ns, size_t processes)
{
	return (struct cpu_time){ true, user_ns + processes * ACCOUNTING_COARSE_NS,
				  system_ns + processes * ACCOUNTING_COARSE_NS };
}

static bool is_none(const void *ctx, pid_t pid)
{
	(void)ctx;
	(void)pid;
	return false;
}

struct cpu_time accounting_now(const struct target *target, const struct cgroup *cgroup,
			       const struct recording *rec, const char *root)
{
	struct cpu_time now = { 0 };
	uint64_t user = 0, system = 0;
	size_t living;

	if (!target_is_child(target) || target->ended)
		return now;
	if (cgroup->path) {
		now.known = cgroup_cpu(cgroup, &now.user_ns, &now.system_ns);
		return now;
	}
	living = proc_times_living(&rec->tasks, root, is_none, NULL, &user, &system);
	return with_ticks(user, system, living);
}

/* What a process that is not our child used between the last look and its end is unknown. */
static bool has_ended_unread(const struct target *t)
{
	return t->attached.living < t->attached.processes.len;
}

struct cpu_time accounting_most(const struct accounting *b)
{
	const struct target *t = b->target;

	if (b->whole)
		return (struct cpu_time){ true, t->user_ns, t->system_ns };
	if (b->at_stop.known)
		return b->at_stop;
	if (t->no_accounting || b->system || b->daemons || has_ended_unread(t) ||
	    !(t->user_ns + t->system_ns))
		return (struct cpu_time){ 0 };
	return with_ticks(t->user_ns, t->system_ns, t->living);
}
