/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics that are sums of recorded ones, in recordings of the states of threads: owait of
 * the causes that Studio does not tell apart, and total of all states and CPU time.
 *
 * They are made with those of split.h, in the same way: each event has a column for each
 * sum that it is in, and all columns of a sum are one metric.  Weights are nanoseconds.
 * Of total the part with a CPU is estimated by samples, the rest is exact: only samples of
 * the former count as such.
 */
#ifndef METRIC_SUM_H
#define METRIC_SUM_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/model.h"

enum { METRIC_SUMS = 2 };

/* One that the model could have, and a metric like it. */
struct split_offer {
	const char *name, *label;
	uint32_t whole;
};

/* Whether NAME is one that the model can have; CPU is the metric of CPU time, or none. */
bool metric_sum_has(const struct model *model, uint32_t cpu, const char *name);

/* Adds those that it lacks; OUT has METRIC_SUMS: the metrics, or MODEL_NONE. */
void metric_sums_add(struct model *model, uint32_t cpu, uint32_t *out);

/* Their columns.  SUM is of metric_sums_add. */
void metric_sums_divide(const struct model *model, struct source *source, uint32_t cpu,
			const uint32_t *sum);

/* Gives those that the model could have to OFFER, as splits_possible. */
void metric_sums_possible(const struct model *model, uint32_t cpu,
			  void (*offer)(void *ctx, const struct split_offer *split),
			  void *ctx);

/* Whether NAME is one; then ERR says why this recording cannot have it. */
bool metric_sum_explain(const struct model *model, const char *name, struct strbuf *err);

#endif
