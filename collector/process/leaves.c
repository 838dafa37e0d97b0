/* SPDX-License-Identifier: Apache-2.0 */
#include "process/leaves.h"

void leaves_release(struct leaves *l)
{
	idmap_release(&l->places);
	vec_release(&l->samples);
	*l = (struct leaves){ 0 };
}

void leaves_take(struct leaves *l, uint32_t module, uint64_t offset)
{
	uint32_t next = (uint32_t)l->samples.len;
	uint32_t place = idmap_intern(&l->places, offset, module, next);

	if (place == next)
		*vec_push(&l->samples) = 0;
	l->samples.data[place]++;
}

uint64_t leaves_at(const struct leaves *l, uint32_t module, uint64_t offset)
{
	uint32_t place = idmap_get(&l->places, offset, module);

	return place == IDMAP_NONE ? 0 : l->samples.data[place];
}
