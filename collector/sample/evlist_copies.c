/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/evlist_unit.h"
#include "sample/sample_attr.h"

uint32_t evlist_copy_bytes(const struct evlist *c)
{
	return c->stack_bytes;
}

uint32_t evlist_switch_copy_bytes(const struct evlist *c)
{
	return c->stack_bytes < SAMPLE_SWITCH_STACK ? c->stack_bytes
						    : SAMPLE_SWITCH_STACK;
}

uint32_t evlist_waking_copy_bytes(const struct evlist *c)
{
	return c->stack_bytes < SAMPLE_WAKING_STACK ? c->stack_bytes
						    : SAMPLE_WAKING_STACK;
}

bool evlist_copies_are_fixed(const struct evlist *c)
{
	return sample_stack_is_fixed(&c->setup);
}

uint32_t evlist_larger_copies(const struct evlist *c)
{
	size_t ring_size = evlist_has_small_rings(c) ? c->first_size : c->ring_size;

	return sample_stack_next(&c->setup, ring_size, c->stack_bytes);
}

/* A CPU has all of them anew, or none. */
static int replace_all(struct evlist *c, struct sources *sources)
{
	int error = 0;

	for (size_t unit = 0; unit < c->owners.len && !error; unit++) {
		struct evlist_reopened new = { 0 };

		error = evlist_reopen(c, unit, evlist_ring_fd(c, unit), &new);
		if (!error)
			evlist_take_over(c, unit, &new, sources);
	}
	return error;
}

int evlist_resize_copies(struct evlist *c, uint32_t bytes, struct sources *sources)
{
	uint32_t before = c->stack_bytes;
	int error;

	c->stack_bytes = bytes;
	error = replace_all(c, sources);
	if (error)
		c->stack_bytes = before;
	return error;
}

bool evlist_may_ask_chains(const struct evlist *c)
{
	return c->setup.mode == STACK_CFI && sample_is_replaceable(&c->setup);
}

int evlist_ask_chains(struct evlist *c, bool chains, struct sources *sources)
{
	bool before = c->setup.chains;
	int error;

	c->setup.chains = chains;
	error = replace_all(c, sources);
	if (error)
		c->setup.chains = before;
	return error;
}
