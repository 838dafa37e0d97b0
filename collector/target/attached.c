/* SPDX-License-Identifier: Apache-2.0 */
#include "target/attached.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { TIMES_A_POLL = 16 };

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (!clock || clock_gettime(clock, &ts) < 0)
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

bool attached_have(const struct attached *a, pid_t pid)
{
	return idmap_get(&a->by_pid, (uint64_t)pid, 0) != IDMAP_NONE;
}

int attached_add(struct attached *a, pid_t pid)
{
	struct attached_process p = {
		.pid = pid,
		.newborn = a->begun,
		.has_times = a->begun,
	};
	int fd;

	if (attached_have(a, pid))
		return -EEXIST;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return -errno;
	if (clock_getcpuclockid(pid, &p.clock))
		p.clock = 0;
	idmap_set(&a->by_pid, (uint64_t)pid, 0, (uint32_t)a->processes.len);
	*vec_push(&a->processes) = p;
	*vec_push(&a->ends) = (struct pollfd){ .fd = fd, .events = POLLIN };
	a->living++;
	return 0;
}

static void note_ends(struct attached *a)
{
	if (poll(a->ends.data, a->ends.len, 0) <= 0)
		return;
	vec_for_each(struct pollfd, end, &a->ends) {
		if (end->fd < 0 || !end->revents)
			continue;
		close(end->fd);
		end->fd = -1;
		a->living--;
	}
}

/* The children of the process with that index. */
static void add_children(struct attached *a, const char *root, size_t index)
{
	pid_vec children = { 0 };
	int error = proc_list_children(root, a->processes.data[index].pid, &children);

	vec_for_each(const pid_t, pid, &children) {
		if (attached_add(a, *pid) == -EMFILE)
			a->unknown_children = true;
		if (attached_have(a, *pid)) /* else it has ended */
			a->processes.data[idmap_get(&a->by_pid, (uint64_t)*pid, 0)]
				.below = true;
	}
	vec_release(&children);
	note_ends(a);
	if (error && a->ends.data[index].fd >= 0)
		a->unknown_children = true;
}

size_t attached_add_below(struct attached *a, const char *root)
{
	size_t first = a->processes.len, before;

	do {
		before = a->processes.len;
		for (size_t i = 0; i < a->processes.len; i++)
			if (a->ends.data[i].fd >= 0)
				add_children(a, root, i);
	} while (a->processes.len > before);
	return a->processes.len - first;
}

void attached_begin(struct attached *a, const char *root)
{
	a->begun = true;
	vec_for_each(struct attached_process, p, &a->processes) {
		p->clock_before = p->clock_after = clock_ns(p->clock);
		p->has_times = proc_times_read(root, p->pid, &p->before);
		p->after = p->before;
	}
}

/* A look at one takes 15 µs, and there may be hundreds. */
static void read_times(struct attached *a, size_t count)
{
	for (size_t i = 0; i < count && i < a->processes.len; i++) {
		size_t at = a->next++ % a->processes.len;
		struct attached_process *p = &a->processes.data[at];
		struct proc_times times;

		if (a->ends.data[at].fd >= 0 && p->has_times &&
		    proc_times_read("", p->pid, &times))
			p->after = times;
	}
}

void attached_poll(struct attached *a, bool all)
{
	read_times(a, all ? SIZE_MAX : TIMES_A_POLL);
	vec_for_each(struct attached_process, p, &a->processes) {
		uint64_t now = clock_ns(p->clock);

		if (now > p->clock_after)
			p->clock_after = now;
	}
	note_ends(a);
}

bool attached_have_ended(const struct attached *a)
{
	return !a->living;
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* By the clock, which is finer; its parts are in proportion to those of the books. */
static void add_own(const struct attached_process *p, uint64_t *user_ns,
		    uint64_t *system_ns)
{
	uint64_t user = since(p->after.user_ns, p->before.user_ns);
	uint64_t system = since(p->after.system_ns, p->before.system_ns);
	uint64_t used = since(p->clock_after, p->clock_before);
	uint64_t in_kernel = 0;

	if (user + system)
		in_kernel = (uint64_t)((double)used * (double)system /
				       (double)(user + system));
	*system_ns += in_kernel;
	*user_ns += used - in_kernel;
}

bool attached_times(const struct attached *a, uint64_t *user_ns, uint64_t *system_ns)
{
	bool known = true;

	*user_ns = *system_ns = 0;
	for (size_t i = 0; i < a->processes.len; i++) {
		const struct attached_process *p = &a->processes.data[i];
		bool inherited = p->below && a->ends.data[i].fd < 0;
		uint64_t user = since(p->after.waited_user_ns, p->before.waited_user_ns);
		uint64_t system = since(p->after.waited_system_ns,
					p->before.waited_system_ns);

		if (inherited && p->newborn)
			continue; /* all of it is its parent's now */
		if (inherited || !p->has_times || (a->unknown_children && user + system))
			known = false;
		add_own(p, user_ns, system_ns);
		*user_ns += user;
		*system_ns += system;
	}
	return known;
}

void attached_release(struct attached *a)
{
	vec_for_each(const struct pollfd, end, &a->ends)
		if (end->fd >= 0)
			close(end->fd);
	vec_release(&a->processes);
	vec_release(&a->ends);
	idmap_release(&a->by_pid);
	*a = (struct attached){ 0 };
}
