/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by group: functions, or lines, addresses or objects instead.
 *
 * A group's exclusive value is that of samples whose stack ends in it, its inclusive
 * value that of samples whose stack contains it: each sample counts once, however often
 * the group recurs in its stack.
 *
 * Both come straight from the stack nodes of each experiment, in time and memory in
 * proportion to these.  Views that show no tree need none (tree.h).
 */
#ifndef SUMS_H
#define SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/frame_map.h"
#include "model/metric.h"
#include "model/model.h"
#include "model/value.h"

/* That of metric M and group G is exclusive[M × groups + G]. */
struct sums {
	size_t groups;
	struct value *exclusive, *inclusive;
	/* by group: the machine's own work, not the program's; NULL: none is */
	bool *machine;
};

/*
 * The groups are the ids of FRAMES.  APART: each source has metrics of its own; metric M
 * of source S is S × metrics + M.  Overwrites OUT, which the caller releases.
 */
void sums_build(struct sums *out, const struct model *model,
		const struct frame_map *frames, bool apart);

/*
 * The same for one source at a time: all zero; the sums with those of the source INDEX; all
 * zero again.  Sources share the METRICS of the model.
 */
void sums_init(struct sums *out, const struct model *model,
	       const struct frame_map *frames);
void sums_add_source(struct sums *sums, const struct model *model, size_t index,
		     const struct frame_map *frames);
void sums_clear(struct sums *sums, size_t metrics);

/* OF_ID: the group of each id of FRAMES, below GROUPS. */
void sums_build_grouped(struct sums *out, const struct model *model,
			const struct frame_map *frames, const uint32_t *of_id,
			size_t groups, bool apart);

/* The groups of FROM whose numbers are in GROUPS, in that order. */
void sums_select(struct sums *out, const struct sums *from, size_t metrics,
		 const uint32_t *groups, size_t count);

void sums_release(struct sums *sums);

/* A group's value; the flavor is exclusive or inclusive. */
static inline struct value sums_value(const struct sums *sums, enum flavor flavor,
				      size_t metric, size_t group)
{
	return (flavor == EXCLUSIVE ? sums->exclusive
				    : sums->inclusive)[metric * sums->groups + group];
}

#endif
