/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/perf_event.h>

#include "sample/evlist_unit.h"

/* Closes them. */
static void drop(const struct evlist *c, struct evlist_reopened *new)
{
	vec_for_each(const int, fd, &new->fds)
		evlist_close(c, *fd);
	vec_release(&new->fds);
	vec_release(&new->ids);
}

static int reopen_event(struct evlist *c, size_t unit, size_t e, int ring,
			struct evlist_reopened *new)
{
	int fd = EVLIST_NOT_HERE;
	uint64_t id = 0;

	if (*evlist_event_fd(c, unit, e) != EVLIST_NOT_HERE) {
		fd = evlist_open_event(c, &c->setup, -1, c->cpu_numbers.data[unit], e);
		if (fd < 0)
			return fd;
	}
	*vec_push(&new->fds) = fd;
	if (fd != EVLIST_NOT_HERE &&
	    (c->sys->ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (void *)(intptr_t)ring) < 0 ||
	     c->sys->ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0))
		return -errno;
	*vec_push(&new->ids) = id;
	return 0;
}

int evlist_reopen(struct evlist *c, size_t unit, int ring, struct evlist_reopened *new)
{
	int error = 0;

	for (size_t e = 0; e < c->events && !error; e++)
		error = reopen_event(c, unit, e, ring, new);
	if (error)
		drop(c, new);
	return error;
}

/*
 * The new one counts before the old one ends, so there is no gap, and its first samples
 * carry what the old one did not sample.  An open event starts and stops without resources.
 */
static void replace_event(struct evlist *c, size_t unit, size_t e, int fd, uint64_t id,
			  struct sources *sources)
{
	int *old = evlist_event_fd(c, unit, e);
	size_t former = evlist_source(c, unit, e);
	struct evlist_total counted;

	evlist_register_id(c, fd, id, unit, e, sources);
	c->sys->ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL);
	c->sys->ioctl(*old, PERF_EVENT_IOC_DISABLE, NULL);
	counted = evlist_total_of_fd(c, *old, 0);
	evlist_add_total(&c->replaced[e], &counted);
	evlist_vary_on(c, sources, unit, e, former, counted.value);
	c->sys->close(*old);
	*old = fd;
}

void evlist_take_over(struct evlist *c, size_t unit, struct evlist_reopened *new,
		      struct sources *sources)
{
	for (size_t e = 0; e < c->events; e++)
		if (new->fds.data[e] != EVLIST_NOT_HERE)
			replace_event(c, unit, e, new->fds.data[e], new->ids.data[e],
				      sources);
	vec_clear(&new->fds);
	drop(c, new);
}
