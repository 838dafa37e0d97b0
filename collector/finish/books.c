/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/books.h"

#include "process/proc_times.h"

/*
 * Only the group's time includes processes that nobody waits for, such as servers.  Apart
 * from that the two differ by the last microseconds of each process.
 */
static void take_group_books(const struct books *b)
{
	struct target *t = b->target;
	uint64_t waited = t->user_ns + t->system_ns, user, system;

	if (!cgroup_cpu(b->cgroup, &user, &system) ||
	    user + system <= waited + waited / 100)
		return;
	t->user_ns = user;
	t->system_ns = system;
	t->by_group = true;
}

/*
 * Adds the children that an attached process has waited for since.  They may include
 * earlier children, whose time is not recorded: then the total is unknown.
 */
static void take_waited(struct target *t)
{
	uint64_t user = t->after.waited_user_ns - t->before.waited_user_ns;
	uint64_t system = t->after.waited_system_ns - t->before.waited_system_ns;

	if (!t->has_books || (t->unknown_children && user + system)) {
		t->user_ns = t->system_ns = 0;
		t->no_books = true;
		return;
	}
	t->user_ns += user;
	t->system_ns += system;
	t->by_proc = true;
}

/*
 * The kernel's times and the samples cover the same processes, including surviving
 * children.  For the whole machine there are no times since the start of the recording.
 */
void books_take(const struct books *b)
{
	struct target *t = b->target;

	if (b->system)
		t->user_ns = t->system_ns = 0;
	if (!t->pid || b->rec->only_pid || b->system)
		return;
	if (b->whole && b->cgroup->path) {
		take_group_books(b);
		return;
	}
	if (!target_is_child(t))
		take_waited(t);
	if (t->no_books)
		return;
	t->living = proc_times_living(&b->rec->tasks, b->root, t->pid, &t->user_ns,
				      &t->system_ns);
	if (t->living)
		t->by_proc = true;
}
