/* SPDX-License-Identifier: Apache-2.0 */
#include "target/attached.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TIMES_A_LOOK = 64, FEW = 4 };

#define LOOK_NS 50000000u

/* No clock has that number, so it fails. */
#define NO_CLOCK ((clockid_t)INT32_MAX)

/* 0: unknown. */
static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts) < 0)
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

bool attached_have(const struct attached *a, pid_t pid)
{
	uint32_t at = idmap_get(&a->by_pid, (uint64_t)pid, 0);

	return at != IDMAP_NONE && a->ends.data[at].fd >= 0;
}

static bool is_known(const struct attached *a, pid_t pid)
{
	return idmap_get(&a->by_pid, (uint64_t)pid, 0) != IDMAP_NONE;
}

/* For a thread newer kernels (6.18) have ENOENT, others EINVAL. */
static int open_failed(int error)
{
	return error == ENOENT ? -EINVAL : -error;
}

int attached_add(struct attached *a, pid_t pid)
{
	struct attached_process p = {
		.pid = pid,
		.newborn = a->begun,
		.has_times = a->begun,
		.has_io = a->begun,
	};
	int fd;

	if (pid == getpid())
		return -EDEADLK;
	if (is_known(a, pid))
		return -EEXIST;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return open_failed(errno);
	if (clock_getcpuclockid(pid, &p.clock))
		p.clock = NO_CLOCK;
	idmap_set(&a->by_pid, (uint64_t)pid, 0, (uint32_t)a->processes.len);
	*vec_push(&a->processes) = p;
	*vec_push(&a->ends) = (struct pollfd){ .fd = fd, .events = POLLIN };
	a->living++;
	return 0;
}

static uint64_t waited_ns(const struct proc_times *t)
{
	return t->waited_user_ns + t->waited_system_ns;
}

/* Of one that its parent has waited for, nothing is known since the beginning. */
static void read_io(struct attached_process *p)
{
	p->has_io = p->has_io && proc_io_read("", p->pid, &p->io_after);
}

/*
 * Its times can still be read until its parent has waited for it.  After that what was
 * seen in the look before is near enough, unless there were children: the time of the last
 * is added all at once.
 */
static void take_last_times(struct attached *a, struct attached_process *p)
{
	struct proc_times times;

	read_io(p);
	if (proc_times_read("", p->pid, &times))
		p->after = times;
	else if (a->looks - p->seen > 1 || a->processes.len > FEW)
		p->has_times = false;
	else
		a->cut = true;
}

static void note_ends(struct attached *a)
{
	if (poll(a->ends.data, a->ends.len, 0) <= 0)
		return;
	for (size_t i = 0; i < a->processes.len; i++) {
		struct pollfd *end = &a->ends.data[i];

		if (end->fd < 0 || !end->revents)
			continue;
		if (a->begun)
			take_last_times(a, &a->processes.data[i]);
		close(end->fd);
		end->fd = -1;
		a->living--;
	}
}

/* PID was started by one of these. */
static void add_child(struct attached *a, const char *root, pid_t pid)
{
	if (!is_known(a, pid) && a->own_only && !proc_is_own(root, pid)) {
		a->strangers = a->unknown_children = true;
		return;
	}
	if (attached_add(a, pid) == -EMFILE)
		a->unknown_children = true;
	if (is_known(a, pid)) /* else it has ended, or is collect */
		a->processes.data[idmap_get(&a->by_pid, (uint64_t)pid, 0)].below = true;
}

/* The children of the process with that index. */
static void add_children(struct attached *a, const char *root, size_t index)
{
	pid_vec children = { 0 };
	int error = proc_list_children(root, a->processes.data[index].pid, &children);

	vec_for_each(const pid_t, pid, &children)
		add_child(a, root, *pid);
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
	/* children first, whose parents may have their times any moment */
	for (size_t i = a->processes.len; i--;) {
		struct attached_process *p = &a->processes.data[i];

		p->clock_before = p->clock_after = clock_ns(p->clock);
		p->has_times = proc_times_read(root, p->pid, &p->before);
		p->after = p->before;
		p->has_io = proc_io_read(root, p->pid, &p->io_before);
		p->io_after = p->io_before;
		p->before_all = !p->has_times;
	}
	a->begun = true;
}

/* A look at one takes 15 µs, and there may be hundreds. */
static void read_times(struct attached *a, size_t count)
{
	for (size_t i = 0; i < count && i < a->processes.len; i++) {
		size_t at = a->next++ % a->processes.len;
		struct attached_process *p = &a->processes.data[at];
		struct proc_times times;

		if (a->ends.data[at].fd < 0 || !p->has_times ||
		    !proc_times_read("", p->pid, &times))
			continue;
		p->after = times;
		p->seen = a->looks;
	}
}

static void look_at_times(struct attached *a, size_t count)
{
	a->looks++;
	read_times(a, count);
	vec_for_each(struct attached_process, p, &a->processes) {
		uint64_t now = clock_ns(p->clock);

		if (now > p->clock_after)
			p->clock_after = now;
	}
}

/*
 * At a high rate there are 200 polls a second, which many processes would make dear.  A
 * process often ends soon after it has waited for its last child.
 */
void attached_poll(struct attached *a, bool all)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	for (size_t i = 0; all && i < a->processes.len; i++)
		if (a->ends.data[i].fd >= 0)
			read_io(&a->processes.data[i]);
	if (all || a->processes.len <= FEW || now - a->looked_ns >= LOOK_NS) {
		a->looked_ns = now;
		look_at_times(a, all ? SIZE_MAX : TIMES_A_LOOK);
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

/* By the clock, which is finer; user and system are in proportion to the ticks. */
static void add_own(const struct attached_process *p, struct attached_use *to)
{
	uint64_t user = since(p->after.user_ns, p->before.user_ns);
	uint64_t system = since(p->after.system_ns, p->before.system_ns);
	uint64_t used = since(p->clock_after, p->clock_before);
	uint64_t in_kernel = 0;

	if (user + system)
		in_kernel = (uint64_t)((double)used * (double)system /
				       (double)(user + system));
	to->system_ns += in_kernel;
	to->user_ns += used - in_kernel;
}

static void add_faults(const struct attached_process *p, struct attached_use *to)
{
	const struct proc_times *now = &p->after, *before = &p->before;

	to->minor_faults += since(now->minor_faults, before->minor_faults) +
			    since(now->waited_minor_faults, before->waited_minor_faults);
	to->major_faults += since(now->major_faults, before->major_faults) +
			    since(now->waited_major_faults, before->waited_major_faults);
}

static void add_io(const struct attached_process *p, struct attached_use *to)
{
	to->has_io &= p->has_io;
	to->io.read += since(p->io_after.read, p->io_before.read);
	to->io.written += since(p->io_after.written, p->io_before.written);
}

/* It ended, and its parent has waited for it, or can no longer. */
static bool is_inherited(const struct attached *a, size_t index)
{
	const struct attached_process *p = &a->processes.data[index];
	struct proc_times times;

	return p->below && a->ends.data[index].fd < 0 &&
	       !proc_times_read("", p->pid, &times);
}

/* Whether it used time worth mentioning before the beginning. */
static bool used_before(const struct attached_process *p)
{
	enum { LITTLE_NS = 1000000 };

	return !p->newborn && (p->clock_before > LITTLE_NS || waited_ns(&p->before));
}

bool attached_used(const struct attached *a, struct attached_use *out)
{
	bool known = true;

	/* once a parent has waited for such a child, what that did before is the parent's */
	*out = (struct attached_use){ .has_io = !a->unknown_children };
	for (size_t i = 0; i < a->processes.len; i++) {
		const struct attached_process *p = &a->processes.data[i];
		bool inherited = is_inherited(a, i);
		uint64_t user = since(p->after.waited_user_ns, p->before.waited_user_ns);
		uint64_t system = since(p->after.waited_system_ns,
					p->before.waited_system_ns);

		if (inherited && a->cut)
			known = false;
		if (inherited && p->io_before.read + p->io_before.written)
			out->has_io = false; /* the parent has what was before, too */
		if (p->before_all || (inherited && !used_before(p)))
			continue; /* nothing of it is ours, or all is its parent's now */
		if (inherited || !p->has_times || (a->unknown_children && user + system))
			known = false;
		add_own(p, out);
		add_faults(p, out);
		add_io(p, out);
		out->user_ns += user;
		out->system_ns += system;
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
