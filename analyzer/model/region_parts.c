/* SPDX-License-Identifier: Apache-2.0 */
#include "model/region_parts.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* ---- where another region is the innermost ---- */

/* From a time on, until the next one, a path of the experiment is the innermost. */
struct change {
	uint64_t time_ns;
	uint32_t path; /* 0: none */
};

struct changes {
	VEC(struct change) list;
};

/* Times come from the last to the first; of a crafted recording they may not. */
static void add_change(struct changes *to, uint64_t time_ns, uint32_t path)
{
	const size_t len = to->list.len;

	if (len && to->list.data[len - 1].time_ns < time_ns)
		time_ns = to->list.data[len - 1].time_ns;
	*vec_push(&to->list) = (struct change){ time_ns, path };
}

/* The region OUTER, or NO_REGION, ends one in it; those in that have begun before. */
static void add_begins(const struct open_regions *open, struct changes *to,
		       uint32_t *begun, uint32_t outer)
{
	const struct exp_region *regions = open->exp->regions.data;

	for (; *begun != outer && *begun != NO_REGION; *begun = open->outer[*begun])
		add_change(to, regions[*begun].begin_ns, regions[*begun].path);
}

/* From the last end back to the first begin: an instance comes before those in it. */
static void changes_read(struct changes *out, const struct open_regions *open,
			 uint32_t number)
{
	const struct exp_region *regions = open->exp->regions.data;
	uint32_t begun = NO_REGION; /* the innermost whose begin is still to come */

	for (size_t i = open->first[number + 1]; i-- > open->first[number];) {
		const uint32_t at = open->list[i], outer = open->outer[at];

		add_begins(open, out, &begun, outer);
		add_change(out, regions[at].end_ns,
			   outer == NO_REGION ? 0 : regions[outer].path);
		begun = at;
	}
	add_begins(open, out, &begun, NO_REGION);
}

/* ---- parts ---- */

/* Time by path, in one part. */
struct part {
	uint64_t *ns;        /* by path */
	VEC(uint32_t) paths; /* that have some, in the order of time */
	uint32_t *most;      /* where its path goes */
};

static void add(struct part *p, uint32_t path, uint64_t ns)
{
	if (!p->ns[path])
		*vec_push(&p->paths) = path;
	p->ns[path] += ns;
}

/* And begins the next one. */
static void end_part(struct part *p)
{
	uint64_t most = 0;

	vec_for_each(const uint32_t, path, &p->paths) {
		if (p->ns[*path] > most) {
			most = p->ns[*path];
			*p->most = *path;
		}
		p->ns[*path] = 0;
	}
	vec_clear(&p->paths);
	p->most++;
}

bool region_parts_read(const struct open_regions *open, uint32_t number, uint64_t from_ns,
		       uint64_t part_ns, size_t parts, uint32_t *paths)
{
	struct part part = { .most = paths };
	struct changes changes = { 0 };
	uint32_t path = 0;
	bool any;

	changes_read(&changes, open, number);
	any = changes.list.len > 0;
	for (size_t p = 0; p < parts; p++)
		paths[p] = 0;
	part.ns = xcalloc(open->exp->region_paths.len, sizeof(*part.ns));
	for (size_t p = 0, i = changes.list.len; any && p < parts; p++) {
		const uint64_t to_ns = from_ns + part_ns;
		uint64_t at = from_ns;

		for (; i && changes.list.data[i - 1].time_ns < to_ns; i--) {
			const struct change *change = &changes.list.data[i - 1];

			if (change->time_ns > at)
				add(&part, path, change->time_ns - at);
			at = change->time_ns > at ? change->time_ns : at;
			path = change->path;
		}
		if (at < to_ns)
			add(&part, path, to_ns - at);
		end_part(&part);
		from_ns = to_ns;
	}
	vec_release(&changes.list);
	vec_release(&part.paths);
	free(part.ns);
	return any;
}
