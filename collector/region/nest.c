/* SPDX-License-Identifier: Apache-2.0 */
#include "region/nest.h"

static uint64_t advance(struct nest *nest, uint64_t now_ns)
{
	if (now_ns > nest->last_ns)
		nest->last_ns = now_ns;
	return nest->last_ns;
}

void nest_begin(struct nest *nest, const struct nest_sink *sink, uint32_t label,
		uint64_t now_ns)
{
	const uint32_t parent = nest->open.len
					? nest->open.data[nest->open.len - 1].branch
					: 0;

	now_ns = advance(nest, now_ns);
	if (nest->open.len == NEST_DEPTH_MAX) {
		nest->beyond++;
		sink->faults[EXP_FAULT_TOO_DEEP]++;
		return;
	}
	*vec_push(&nest->open) = (struct nest_region){
		.begin_ns = now_ns,
		.branch = sink->branch(sink->ctx, parent, label),
		.label = label,
	};
}

static void close_innermost(struct nest *nest, const struct nest_sink *sink,
			    uint64_t now_ns, unsigned flags)
{
	const struct nest_region *region = &nest->open.data[--nest->open.len];

	sink->instance(sink->ctx, region->branch, region->begin_ns, now_ns, flags);
}

/* Ends beyond the depth are taken in turn: they have no names here. */
static bool ends_beyond(struct nest *nest)
{
	if (!nest->beyond)
		return false;
	nest->beyond--;
	return true;
}

void nest_end(struct nest *nest, const struct nest_sink *sink, uint32_t label,
	      uint64_t now_ns)
{
	size_t at = nest->open.len;

	now_ns = advance(nest, now_ns);
	if (ends_beyond(nest))
		return;
	while (at && nest->open.data[at - 1].label != label)
		at--;
	if (!at) {
		sink->faults[EXP_FAULT_STRAY_END]++;
		return;
	}
	while (nest->open.len > at) {
		sink->faults[EXP_FAULT_CUT]++;
		close_innermost(nest, sink, now_ns, EXP_REGION_CUT);
	}
	close_innermost(nest, sink, now_ns, 0);
}

void nest_end_innermost(struct nest *nest, const struct nest_sink *sink, uint64_t now_ns)
{
	now_ns = advance(nest, now_ns);
	if (ends_beyond(nest))
		return;
	if (nest->open.len)
		close_innermost(nest, sink, now_ns, 0);
	else
		sink->faults[EXP_FAULT_STRAY_END]++;
}

void nest_finish(struct nest *nest, const struct nest_sink *sink, uint64_t now_ns)
{
	now_ns = advance(nest, now_ns);
	while (nest->open.len) {
		sink->faults[EXP_FAULT_UNENDED]++;
		close_innermost(nest, sink, now_ns, EXP_REGION_UNENDED);
	}
	nest->beyond = 0;
}

void nest_release(struct nest *nest)
{
	vec_release(&nest->open);
}
