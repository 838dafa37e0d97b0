/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call tree, or the samples, in the forms of other programs, whole: nothing is left
 * out or rounded that the form can hold.
 *
 * Weights are whole numbers in the unit of the event (nanoseconds, cycles, events),
 * scaled where a counter was multiplexed.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <math.h>
#include <stdio.h>

#include "session.h"
#include "vec.h"

struct export_format {
	const char *word;
	/* errors stay with FILE, for the caller to find */
	void (*write)(struct session *s, FILE *file);
};

/* "main;parse;read 3000000" a line, root first; of the metric that sorts. */
extern const struct export_format export_collapsed;

/* Speedscope's JSON: a profile for each metric. */
extern const struct export_format export_speedscope;

/* A node a row, with its parent and all metrics. */
extern const struct export_format export_csv;

/* A sample a row. */
extern const struct export_format export_samples;

/* What the samples that end in NODE weigh. */
static inline uint64_t export_weight(const struct session *s, const struct tree *tree,
				     size_t metric, size_t node)
{
	uint64_t weight = tree_own(tree, metric)[node].weight;
	double scale = s->model.metrics.data[metric].scale;

	return scale == 1 ? weight : (uint64_t)llround((double)weight * scale);
}

/* A stack: functions, root first. */
struct export_stack {
	uint32_t *data;
	size_t len, cap;
};

/* Overwrites what STACK had with that of NODE. */
void export_stack_of(const struct tree *tree, size_t node, struct export_stack *stack);

#endif
