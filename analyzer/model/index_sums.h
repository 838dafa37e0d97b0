/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exclusive sums by the value that an expression over samples (filter/filter.h) has for
 * each: what Studio calls index objects.
 */
#ifndef INDEX_SUMS_H
#define INDEX_SUMS_H

#include "base/vec.h"
#include "filter/filter.h"
#include "model/frame_map.h"
#include "model/model.h"
#include "model/sums.h"

/* More values make no table that anybody reads. */
#define INDEX_VALUES_MAX (1 << 20)

struct index_sums {
	VEC(int64_t) values; /* by group, low ones first */
	struct sums sums;    /* exclusive ones only */
};

/*
 * Of the samples that the model's filter admits.  FRAMES maps stacks to functions.  APART:
 * each source has metrics of its own, as in sums.h.  0, or -E2BIG if there are too many
 * values.  Overwrites OUT, which the caller releases.
 */
int index_sums_read(struct index_sums *out, const struct model *model,
		    const struct filter *expression, const struct frame_map *frames,
		    bool apart) __attribute__((warn_unused_result));
void index_sums_release(struct index_sums *sums);

#endif
