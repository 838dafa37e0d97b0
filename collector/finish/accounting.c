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
