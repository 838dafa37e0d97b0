/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_events.h"

#include <unistd.h>

#include "base/vec.h"

const pid_t fake_target = 77;

void fake_ladder(struct ladder *ladder, size_t count)
{
	*ladder = (struct ladder){ .features = ATTR_BUILD_ID | ATTR_INHERIT_THREAD |
					       ATTR_LOST };
	for (size_t i = 0; i < count; i++) {
		struct rung *r = vec_push(&ladder->rungs);

		*r = (struct rung){ 0 };
		event_clock(1000000, &r->event);
		r->event.type = PERF_TYPE_RAW;
		r->event.config = i;
	}
}

size_t fake_cpus(void)
{
	return (size_t)fake_sys.sysconf(_SC_NPROCESSORS_CONF);
}

size_t fake_ring_size(size_t size)
{
	while (size * fake_cpus() > 64 * MIB)
		size /= 2;
	return size;
}
