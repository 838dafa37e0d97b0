/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/perf_event.h>

#include "sample/evlist_unit.h"
#include "sample/sample_attr.h"

/* The new one counts before the old one ends, so there is no gap. */
int evlist_replace_event(struct evlist *c, size_t unit, size_t e, struct sources *sources)
{
	int *old = evlist_event_fd(c, unit, e);
	struct evlist_total counted;
	int fd;

	if (*old == EVLIST_NOT_HERE)
		return 0;
	fd = evlist_open_event(c, &c->setup, -1, c->cpu_numbers.data[unit], e);
	if (fd < 0)
		return fd;
	if (!evlist_share_ring(c, fd, unit) ||
	    evlist_register_event(c, fd, unit, e, sources) ||
	    c->sys->ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL) < 0) {
		c->sys->close(fd);
		return -EIO;
	}
	c->sys->ioctl(*old, PERF_EVENT_IOC_DISABLE, NULL);
	counted = evlist_total_of_fd(c, *old, 0);
	evlist_add_total(&c->replaced[e], &counted);
	c->sys->close(*old);
	*old = fd;
	return 0;
}

uint32_t evlist_copy_bytes(const struct evlist *c)
{
	return c->stack_bytes;
}

bool evlist_copies_are_fixed(const struct evlist *c)
{
	return sample_stack_is_fixed(&c->setup);
}

uint32_t evlist_larger_copies(const struct evlist *c)
{
	return sample_stack_next(&c->setup, c->ring_size, c->stack_bytes);
}

static int replace_all(struct evlist *c, struct sources *sources)
{
	int error = 0;

	for (size_t unit = 0; unit < c->owners.len && !error; unit++)
		for (size_t e = 0; e < c->events && !error; e++)
			error = evlist_replace_event(c, unit, e, sources);
	return error;
}

int evlist_resize_copies(struct evlist *c, uint32_t bytes, struct sources *sources)
{
	c->stack_bytes = bytes;
	return replace_all(c, sources);
}

bool evlist_may_ask_chains(const struct evlist *c)
{
	return c->setup.mode == STACK_CFI && sample_is_replaceable(&c->setup);
}

int evlist_ask_chains(struct evlist *c, bool chains, struct sources *sources)
{
	c->setup.chains = chains;
	return replace_all(c, sources);
}
