/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/evlist_unit.h"

#include <errno.h>
#include <linux/capability.h>

#include "sample/sample_attr.h"
#include "base/xalloc.h"

/* Without this right a second ring is mostly refused: the first one took what is allowed. */
static bool may_lock(const struct sys *sys)
{
	return sys_status_number(sys, "CapEff", 16, 0) >> CAP_IPC_LOCK & 1;
}

/*
 * For what waits for its program alone: while a whole machine or a running process is
 * looked up, which can take seconds, rings must hold all that happens.
 */
size_t evlist_first_ring(const struct evlist_setup *setup, size_t ring_size)
{
	size_t most = ring_size;

	while (most > EVLIST_RING_MIN &&
	       most * sys_cpus_online(setup->sys) > EVLIST_RINGS_TOTAL)
		most /= 2;
	return setup->on_exec && setup->scope == SCOPE_CGROUP &&
			       sample_is_replaceable(setup) && may_lock(setup->sys)
		       ? sample_ring_first(setup, ring_size, most)
		       : ring_size;
}

int evlist_map_rings(struct evlist *c)
{
	int error = 0;

	c->rings_grow = c->first_size < c->ring_size;
	c->rings = xcalloc(evlist_rings(c).count, sizeof(*c->rings));
	for (size_t cpu = 0; cpu < c->cpus && !error; cpu++)
		error = ring_map(&c->rings[cpu], c->sys, evlist_ring_fd(c, cpu),
				 c->first_size);
	return error;
}

bool evlist_has_small_rings(const struct evlist *c)
{
	return c->rings_grow && c->grown < c->cpus;
}

bool evlist_rings_grow(const struct evlist *c)
{
	return evlist_has_small_rings(c) && c->first_size < c->ring_size;
}

/*
 * From here on FD has the CPU's ring.  Both report tasks for an instant: a task reported
 * twice is recognized (tasks_fork), a missing one would not be.
 */
static void replace_tracker(struct evlist *c, size_t cpu, int fd)
{
	int *tracker = &c->fds.data[cpu * evlist_slots(c)], old = *tracker;

	c->sys->ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL);
	c->sys->ioctl(old, PERF_EVENT_IOC_DISABLE, NULL);
	c->trackers_lost += evlist_total_of_fd(c, old, 0).lost;
	c->sys->close(old); /* its ring stays until it is unmapped */
	*tracker = fd;
}

/* All that can fail comes first: events of one CPU do not write to two rings. */
static int grow_ring(struct evlist *c, size_t cpu, struct sources *sources)
{
	struct ring *ring = &c->rings[c->cpus + cpu];
	struct evlist_reopened new = { 0 };
	int fd = evlist_open_tracker(c, &c->setup, -1, c->cpu_numbers.data[cpu],
				     c->ring_size);
	int error;

	if (fd < 0)
		return fd;
	error = ring_map(ring, c->sys, fd, c->ring_size);
	if (!error)
		error = evlist_reopen(c, cpu, fd, &new);
	if (error) {
		ring_unmap(ring);
		c->sys->close(fd);
		return error;
	}
	replace_tracker(c, cpu, fd);
	evlist_take_over(c, cpu, &new, sources);
	return 0;
}

int evlist_grow_ring(struct evlist *c, struct sources *sources)
{
	int error = grow_ring(c, c->grown, sources);
	uint32_t copies = sample_stack_first(&c->setup, c->first_size);

	if (!error) {
		c->grown++;
		return 0;
	}
	c->ring_size = c->first_size;
	if (copies < c->stack_bytes && evlist_resize_copies(c, copies, sources))
		return -EIO;
	return error;
}
