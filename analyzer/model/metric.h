/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a sum for display: scaled, in a unit, as a share, with its uncertainty. */
#ifndef METRIC_H
#define METRIC_H

#include "model/interval.h"
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
	double whole;     /* the amount that is 100 % */
	uint64_t samples;
};

/*
 * The 95 % interval, in samples, of SAMPLES samples out of ALL.  None if each occurrence
 * was recorded; that of a share if the total is known; else that of a Poisson count, as
 * for a multiplexed counter.
 */
struct interval metric_interval(const struct metric *metric, uint64_t samples,
				uint64_t all);

/*
 * The interval of the number of samples as amounts: amount_interval if the total is known,
 * else times the amount behind one sample.  Without any samples, one counts as the metric's
 * mean amount.
 */
struct estimate estimate_of(const struct metric *metric, struct value v,
			    struct value whole);

/* The estimate of METRIC's total; without an interval if the total is known. */
struct estimate estimate_total(const struct metric *metric);

/* "seconds" for nanoseconds, else the event's own. */
const char *metric_unit(const struct model *model, const struct metric *metric);

/* The factor from an amount to seconds; 0 if it is no time. */
double metric_seconds(const struct metric *metric);

#endif
