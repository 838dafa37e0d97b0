/* SPDX-License-Identifier: Apache-2.0 */
#include "model/durations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/value.h"
#include "base/xalloc.h"

/* Of all, in the order of their durations: below 256 a part is one number. */
static unsigned part_of(uint64_t ns)
{
	unsigned power = ns < DURATION_PARTS ? 0
					     : (unsigned)(63 - __builtin_clzll(ns)) - 6;
	uint64_t part = power ? ns >> (power - 1) : ns;

	return power * DURATION_PARTS + (unsigned)(part & (DURATION_PARTS - 1));
}

static struct duration_part *part_at(struct durations *d, unsigned part)
{
	uint16_t *group;

	if (!d->group_of)
		d->group_of = xcalloc(DURATION_GROUPS, sizeof(*d->group_of));
	group = &d->group_of[part / DURATION_GROUP];
	if (!*group) {
		*vec_push(&d->groups) = (struct duration_group){ 0 };
		*group = (uint16_t)d->groups.len;
	}
	return &d->groups.data[*group - 1].part[part % DURATION_GROUP];
}

static void add_to_part(struct duration_part *part, struct duration_part more)
{
	part->count += more.count;
	weight_add(&part->sum_ns, more.sum_ns);
}

/*
 * Parts are far apart in memory.  A loop over several lets the processor fetch them at
 * once; one for each duration, between other work, would be waited for.
 */
static void divide_kept(struct durations *d)
{
	for (unsigned i = 0; i < d->kept_count; i++)
		add_to_part(part_at(d, part_of(d->kept[i])),
			    (struct duration_part){ 1, d->kept[i] });
	d->kept_count = 0;
}

static void keep(struct durations *d, uint64_t ns)
{
	if (d->kept_count == DURATIONS_KEPT)
		divide_kept(d);
	d->kept[d->kept_count++] = ns;
}

void durations_add(struct durations *d, uint64_t ns)
{
	keep(d, ns);
	d->count++;
	weight_add(&d->sum_ns, ns);
	if (ns > d->longest_ns)
		d->longest_ns = ns;
}

/* NULL: it has none, and neither have those up to the next multiple of DURATION_GROUP. */
static const struct duration_group *group_at(const struct durations *d, unsigned part)
{
	const unsigned group = d->group_of ? d->group_of[part / DURATION_GROUP] : 0;

	return group ? &d->groups.data[group - 1] : NULL;
}

static void merge_group(struct durations *d, unsigned first,
			const struct duration_group *group)
{
	for (unsigned i = 0; group && i < DURATION_GROUP; i++)
		if (group->part[i].count)
			add_to_part(part_at(d, first + i), group->part[i]);
}

void durations_merge(struct durations *d, const struct durations *other)
{
	for (unsigned p = 0; p < DURATION_PARTS_ALL; p += DURATION_GROUP)
		merge_group(d, p, group_at(other, p));
	for (unsigned i = 0; i < other->kept_count; i++)
		keep(d, other->kept[i]);
	d->count += other->count;
	weight_add(&d->sum_ns, other->sum_ns);
	if (other->longest_ns > d->longest_ns)
		d->longest_ns = other->longest_ns;
}

static int by_number(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* Those that are in no part yet, in order. */
struct rest {
	uint64_t ns[DURATIONS_KEPT];
	unsigned at, count;
};

static void rest_init(struct rest *rest, const struct durations *d)
{
	rest->at = 0;
	rest->count = d->kept_count;
	memcpy(rest->ns, d->kept, sizeof(rest->ns));
	qsort(rest->ns, rest->count, sizeof(*rest->ns), by_number);
}

/* Whether the next one is in a part before END. */
static bool rest_begins(const struct rest *rest, unsigned end)
{
	return rest->at < rest->count && part_of(rest->ns[rest->at]) < end;
}

/* Of all; the rest's are taken from it. */
static struct duration_part whole_part(const struct duration_group *group,
				       struct rest *rest, unsigned part)
{
	struct duration_part whole = { 0 };

	if (group)
		whole = group->part[part % DURATION_GROUP];
	for (; rest_begins(rest, part + 1); rest->at++)
		add_to_part(&whole, (struct duration_part){ 1, rest->ns[rest->at] });
	return whole;
}

uint64_t durations_quantile(const struct durations *d, unsigned percent)
{
	uint64_t rank = d->count / 100 * percent + (d->count % 100 * percent + 99) / 100;
	struct rest rest;

	rest_init(&rest, d);
	for (unsigned p = 0; p < DURATION_PARTS_ALL; p += DURATION_GROUP) {
		const struct duration_group *group = group_at(d, p);
		const bool any = group || rest_begins(&rest, p + DURATION_GROUP);

		for (unsigned i = p; any && i < p + DURATION_GROUP; i++) {
			struct duration_part part = whole_part(group, &rest, i);

			if (part.count && part.count >= rank)
				return part.sum_ns / part.count;
			rank -= part.count;
		}
	}
	return 0;
}

void durations_release(struct durations *d)
{
	free(d->group_of);
	vec_release(&d->groups);
	*d = (struct durations){ 0 };
}
