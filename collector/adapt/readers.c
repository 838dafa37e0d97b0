/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/readers.h"

#include <sched.h>

#include "base/thread_time.h"

#define LOOK_NS 100000000u
#define BUSY_NS (LOOK_NS / 2) /* of that */

static void start(struct readers *r)
{
	r->ahead = ahead_new(r->rec, r->most);
	r->merge->held_max = AHEAD_BATCH;
	r->merge->settle = ahead_settle;
}

/* Of COUNT, those that we may use; on a machine of more than 1,024, all. */
static size_t usable_cpus(size_t count)
{
	cpu_set_t ours;
	size_t usable;

	if (sched_getaffinity(0, sizeof(ours), &ours))
		return count;
	usable = (size_t)CPU_COUNT(&ours);
	return usable < count ? usable : count;
}

void readers_init(struct readers *r, struct recording *rec, struct merge *merge,
		  size_t wanted, size_t cpus)
{
	*r = (struct readers){ .rec = rec, .merge = merge, .most = wanted };
	if (!wanted)
		r->most = usable_cpus(cpus) / READERS_CPUS_EACH;
	if (!wanted && r->most > READERS_MAX)
		r->most = READERS_MAX;
	if (!ahead_is_possible(rec->stack.mode))
		r->most = 1;
	if (wanted && r->most > 1)
		start(r);
}

void readers_release(struct readers *r)
{
	r->last = readers_stats(r);
	ahead_free(r->ahead);
	r->ahead = NULL;
}

struct ahead_stats readers_stats(const struct readers *r)
{
	return r->ahead ? ahead_stats(r->ahead) : r->last;
}

void readers_take(struct readers *r, uint64_t until)
{
	if (r->ahead)
		merge_round(r->merge, until, ahead_take, r->ahead);
	else
		merge_round(r->merge, until, recording_take, r->rec);
}

bool readers_are_needed(struct readers *r, uint64_t now_ns, uint64_t used_ns)
{
	const uint64_t passed = now_ns - r->from_ns, used = used_ns - r->from_used_ns;
	const bool known = r->from_ns;

	if (known && passed < LOOK_NS)
		return false;
	r->from_ns = now_ns;
	r->from_used_ns = used_ns;
	return known && used > passed / (LOOK_NS / BUSY_NS);
}

void readers_look(struct readers *r, uint64_t now_ns)
{
	if (r->most > 1 && !r->ahead && readers_are_needed(r, now_ns, thread_time_ns()))
		start(r);
}
