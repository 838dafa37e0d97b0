/* SPDX-License-Identifier: Apache-2.0 */
#include "model/durations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/value.h"
#include "base/xalloc.h"

/* Below 256 a part is one number. */
static unsigned power_of(uint64_t ns)
{
	return ns < DURATION_PARTS ? 0 : (unsigned)(63 - __builtin_clzll(ns)) - 6;
}

static unsigned part_of(uint64_t ns, unsigned power)
{
	return (unsigned)(power ? ns >> (power - 1) : ns) & (DURATION_PARTS - 1);
}

static struct duration_part *part_at(struct durations *d, unsigned power, unsigned part)
{
	if (!d->powers[power])
		d->powers[power] = xcalloc(DURATION_PARTS, sizeof(**d->powers));
	return &d->powers[power][part];
}

static void add_to_part(struct durations *d, uint64_t ns)
{
	unsigned power = power_of(ns);
	struct duration_part *part = part_at(d, power, part_of(ns, power));

	part->count++;
	weight_add(&part->sum_ns, ns);
}

static void divide(struct durations *d)
{
	d->powers = xcalloc(DURATION_POWERS, sizeof(struct duration_part *));
	for (size_t i = 0; i < d->count; i++)
		add_to_part(d, d->kept[i]);
}

void durations_add(struct durations *d, uint64_t ns)
{
	if (d->count == DURATIONS_KEPT)
		divide(d);
	if (d->count < DURATIONS_KEPT)
		d->kept[d->count] = ns;
	else
		add_to_part(d, ns);
	d->count++;
	weight_add(&d->sum_ns, ns);
	if (ns > d->longest_ns)
		d->longest_ns = ns;
}

static void merge_parts(struct durations *d, const struct durations *other)
{
	if (!d->powers)
		divide(d);
	for (unsigned p = 0; p < DURATION_POWERS; p++)
		for (unsigned i = 0; other->powers[p] && i < DURATION_PARTS; i++) {
			const struct duration_part *from = &other->powers[p][i];
			struct duration_part *part;

			if (!from->count)
				continue;
			part = part_at(d, p, i);
			part->count += from->count;
			weight_add(&part->sum_ns, from->sum_ns);
		}
	d->count += other->count;
	weight_add(&d->sum_ns, other->sum_ns);
	if (other->longest_ns > d->longest_ns)
		d->longest_ns = other->longest_ns;
}

void durations_merge(struct durations *d, const struct durations *other)
{
	if (other->powers) {
		merge_parts(d, other);
		return;
	}
	for (size_t i = 0; i < other->count; i++)
		durations_add(d, other->kept[i]);
}

/* Whether A and B, kept, would share a part. */
static bool share_part(uint64_t a, uint64_t b)
{
	unsigned power = power_of(a);

	return power == power_of(b) && part_of(a, power) == part_of(b, power);
}

static int by_number(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* The mean of those that share the part of the one of RANK, from 1; 0: only counted. */
static uint64_t kept_quantile(const struct durations *d, uint64_t rank)
{
	struct duration_part part = { 0 };
	uint64_t kept[DURATIONS_KEPT], exact;

	if (!d->count || d->count > DURATIONS_KEPT)
		return 0;
	memcpy(kept, d->kept, sizeof(kept));
	qsort(kept, (size_t)d->count, sizeof(*kept), by_number);
	exact = kept[rank ? rank - 1 : 0];
	for (size_t i = 0; i < d->count; i++)
		if (share_part(kept[i], exact)) {
			part.count++;
			weight_add(&part.sum_ns, kept[i]);
		}
	return part.sum_ns / part.count;
}

uint64_t durations_quantile(const struct durations *d, unsigned percent)
{
	uint64_t rank = d->count / 100 * percent + (d->count % 100 * percent + 99) / 100;

	if (!d->powers)
		return kept_quantile(d, rank);
	for (unsigned p = 0; p < DURATION_POWERS; p++)
		for (unsigned i = 0; d->powers[p] && i < DURATION_PARTS; i++) {
			const struct duration_part *part = &d->powers[p][i];

			if (part->count && part->count >= rank)
				return part->sum_ns / part->count;
			rank -= part->count;
		}
	return 0;
}

void durations_release(struct durations *d)
{
	for (unsigned p = 0; d->powers && p < DURATION_POWERS; p++)
		free(d->powers[p]);
	free(d->powers);
	*d = (struct durations){ 0 };
}
