/* SPDX-License-Identifier: Apache-2.0 */
#include "model/points.h"

uint32_t points_intervals(const struct experiment *exp)
{
	return exp->points.len ? (uint32_t)exp->points.len - 1 : 0;
}

uint32_t points_interval_at(const struct experiment *exp, uint64_t time_ns)
{
	uint32_t low = 0, high = points_intervals(exp);

	if (!high)
		return 0;
	while (high - low > 1) { /* point LOW, but for the first, is not after the time */
		const uint32_t middle = low + (high - low) / 2;

		if (exp->points.data[middle].time_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return low + 1;
}

bool model_has_points(const struct model *model)
{
	vec_for_each(const struct source, source, &model->sources)
		if (points_intervals(source->exp))
			return true;
	return false;
}

static const struct exp_point_count *
count_of(const struct experiment *exp, const struct exp_point *point, uint32_t event)
{
	for (uint32_t i = 0; i < point->counts; i++)
		if (exp->point_counts.data[point->count + i].event == event)
			return &exp->point_counts.data[point->count + i];
	return NULL;
}

bool points_counted(const struct experiment *exp, const struct exp_point *from,
		    const struct exp_point *to, uint32_t event, double *out)
{
	const struct exp_point_count *a = count_of(exp, from, event);
	const struct exp_point_count *b = count_of(exp, to, event);
	double enabled, running;

	if (!a || !b || b->count < a->count || b->enabled_ns < a->enabled_ns ||
	    b->running_ns < a->running_ns)
		return false;
	enabled = (double)(b->enabled_ns - a->enabled_ns);
	running = (double)(b->running_ns - a->running_ns);
	if (running <= 0 && enabled > 0)
		return false;
	*out = (double)(b->count - a->count);
	if (running > 0 && running < enabled)
		*out *= enabled / running;
	return true;
}
