/* SPDX-License-Identifier: Apache-2.0 */
#include "region/apart.h"

/* Ends of those that do not fit count as stray. */
static void ignore(struct apart *a, uint64_t number)
{
	const uint32_t count = idmap_get(&a->ignored, number, 0);

	if (count != IDMAP_NONE ? count < IDMAP_MAX : a->ignored.len < APART_MAX)
		idmap_set(&a->ignored, number, 0, count != IDMAP_NONE ? count + 1 : 1);
}

bool apart_was_ignored(struct apart *a, uint64_t number)
{
	const uint32_t count = idmap_get(&a->ignored, number, 0);

	if (count == IDMAP_NONE)
		return false;
	if (count > 1)
		idmap_set(&a->ignored, number, 0, count - 1);
	else
		idmap_remove(&a->ignored, number, 0);
	return true;
}

bool apart_open(struct apart *a, const struct apart_region *region)
{
	uint32_t index = (uint32_t)a->regions.len;

	if (idmap_get(&a->numbers, region->number, 0) != IDMAP_NONE) {
		ignore(a, region->number);
		return true;
	}
	if (a->unused.len)
		index = a->unused.data[--a->unused.len];
	else if (index == APART_MAX)
		return false;
	else
		*vec_push(&a->regions) = (struct apart_region){ 0 };
	a->regions.data[index] = *region;
	a->regions.data[index].is_open = true;
	idmap_set(&a->numbers, region->number, 0, index);
	return true;
}

static void close_at(struct apart *a, uint32_t index, struct apart_region *old)
{
	*old = a->regions.data[index];
	a->regions.data[index].is_open = false;
	*vec_push(&a->unused) = index;
	idmap_remove(&a->numbers, old->number, 0);
}

bool apart_close(struct apart *a, uint64_t number, struct apart_region *old)
{
	const uint32_t index = idmap_get(&a->numbers, number, 0);

	if (index == IDMAP_NONE)
		return false;
	close_at(a, index, old);
	return true;
}

bool apart_close_any(struct apart *a, struct apart_region *old)
{
	for (size_t i = a->regions.len; i--;) {
		if (!a->regions.data[i].is_open) {
			a->regions.len = i; /* nothing is opened any more */
			continue;
		}
		close_at(a, (uint32_t)i, old);
		return true;
	}
	return false;
}

void apart_release(struct apart *a)
{
	idmap_release(&a->numbers);
	idmap_release(&a->ignored);
	vec_release(&a->regions);
	vec_release(&a->unused);
}
