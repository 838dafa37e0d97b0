/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a sum to what a person reads: scaled, in a unit, as a share, with its uncertainty.
 */
#ifndef METRIC_H
#define METRIC_H

#include "model/model.h"
#include "model/value.h"

enum flavor { EXCLUSIVE, INCLUSIVE, ATTRIBUTED, FLAVORS };

struct flavor_name {
	char letter;
	const char *word;  /* "exclusive": JSON's key */
	const char *title; /* "Exclusive" */
	const char *brief; /* "Excl." */
};

extern const struct flavor_name flavor_names[FLAVORS];

/* Amounts are in the metric's own unit, see metric_unit; PERCENT is of the whole. */
struct estimate {
	double amount, percent;
	double low, high; /* 95 % */
	uint64_t samples;
};

/*
 * The interval is that of the number of samples, times what a sample stands for; so a
 * multiplexed counter's is as much wider as its scale.  For no samples at all a sample
 * is taken to stand for what it does in the mean of the metric.
 */
struct estimate estimate_of(const struct metric *metric, struct value v,
			    struct value whole);

/* "seconds" for nanoseconds, else the event's own. */
const char *metric_unit(const struct model *model, const struct metric *metric);

/* What an amount is multiplied by to give seconds; 0 where it is no time. */
double metric_seconds(const struct metric *metric);

#endif
