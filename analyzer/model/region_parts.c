/* SPDX-License-Identifier: Apache-2.0 */
#include "model/region_parts.h"

#include <stdlib.h>

#include "base/xalloc.h"

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
	const struct experiment *exp = open->exp;
	const uint64_t *times = open->times.data;
	const size_t end = open->first[number + 1];
	struct part part = { .most = paths };
	size_t i = open->first[number];
	uint32_t path = 0;
	bool any = i < end;

	for (size_t p = 0; p < parts; p++)
		paths[p] = 0;
	part.ns = xcalloc(exp->region_paths.len, sizeof(*part.ns));
	for (size_t p = 0; any && p < parts; p++) {
		const uint64_t to_ns = from_ns + part_ns;
		uint64_t at = from_ns;

		for (; i < end && times[i] < to_ns; i++) {
			const uint32_t innermost = open->innermost.data[i];

			if (times[i] > at)
				add(&part, path, times[i] - at);
			at = times[i] > at ? times[i] : at;
			path = innermost == NO_REGION ? 0
						      : exp->regions.data[innermost].path;
		}
		if (at < to_ns)
			add(&part, path, to_ns - at);
		end_part(&part);
		from_ns = to_ns;
	}
	vec_release(&part.paths);
	free(part.ns);
	return any;
}
