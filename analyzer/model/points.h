/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sample points divide a recording: from one to the next is an interval, numbered from 1,
 * what Studio calls a sample.
 */
#ifndef POINTS_OF_H
#define POINTS_OF_H

#include "model/model.h"

/* 0: the recording has no points. */
uint32_t points_intervals(const struct experiment *exp);

/* The interval of a time; 0 without points.  What comes after the last is in it. */
uint32_t points_interval_at(const struct experiment *exp, uint64_t time_ns);

/* Whether a source has points. */
bool model_has_points(const struct model *model);

/*
 * What EVENT counted between two points, scaled up if it was multiplexed.  False: it is
 * not known.
 */
bool points_counted(const struct experiment *exp, const struct exp_point *from,
		    const struct exp_point *to, uint32_t event, double *out);

#endif
