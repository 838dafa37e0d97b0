/* SPDX-License-Identifier: Apache-2.0 */
/* Events start, stop, and pause. */
#include <errno.h>
#include <linux/perf_event.h>

#include "sample/evlist_unit.h"

static int enable(const struct evlist *c, int fd)
{
	return fd != EVLIST_NOT_HERE && c->sys->ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL) < 0
		       ? -errno
		       : 0;
}

/* Those of a program's tasks; not so wakings, which are events of CPUs. */
static bool start_at_exec(const struct evlist *c)
{
	return c->scope == SCOPE_TASK && c->setup.on_exec;
}

static int start_each(const struct evlist *c, size_t step)
{
	int error = 0;

	for (size_t i = 0; !start_at_exec(c) && i < c->fds.len && !error; i += step)
		error = enable(c, c->fds.data[i]);
	return error;
}

int evlist_start_trackers(const struct evlist *c)
{
	return c->trackers ? start_each(c, evlist_slots(c)) : 0;
}

int evlist_start(const struct evlist *c)
{
	int error = start_each(c, 1);

	return error ? error : evlist_start_wakings(c);
}

/* Each event of all units, without the trackers. */
static int all_events(const struct evlist *c, unsigned long request)
{
	int error = 0;

	for (size_t i = 0; i < c->fds.len; i++)
		if (i % evlist_slots(c) >= c->trackers &&
		    c->fds.data[i] != EVLIST_NOT_HERE &&
		    c->sys->ioctl(c->fds.data[i], request, NULL) < 0)
			error = -errno;
	return error;
}

void evlist_run_event(const struct evlist *c, size_t cpu, size_t e, bool on)
{
	for (size_t unit = cpu; unit < c->owners.len; unit += c->cpus) {
		int fd = *evlist_event_fd(c, unit, e);

		if (fd != EVLIST_NOT_HERE)
			c->sys->ioctl(fd,
				      on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
				      NULL);
	}
}

int evlist_pause(const struct evlist *c)
{
	evlist_stop_wakings(c);
	return all_events(c, PERF_EVENT_IOC_DISABLE);
}

int evlist_resume(const struct evlist *c)
{
	int error = all_events(c, PERF_EVENT_IOC_ENABLE);

	return error ? error : evlist_start_wakings(c);
}

void evlist_stop(const struct evlist *c)
{
	vec_for_each(const int, fd, &c->fds)
		if (*fd != EVLIST_NOT_HERE)
			c->sys->ioctl(*fd, PERF_EVENT_IOC_DISABLE, NULL);
	evlist_stop_wakings(c);
}
