/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sums of one experiment's samples: weights by event and stack node, by event and
 * thread, by event and CPU, by event and second.  All views use these, so neither their
 * time nor their memory depends on the number of samples.
 *
 * Rows are by event: the value of event E and node N is node[E × nodes + N].  Behind the
 * events' columns are those of their parts, if there is a division.
 */
#ifndef TOTALS_H
#define TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "model/value.h"

/*
 * The limit of CPU numbers, which a damaged file could exceed.  Larger ones count as the
 * last, and so do the unknown ones of imported recordings.
 */
#define TOTALS_CPUS_MAX 8192

/* The limit of seconds, of all events together: 48 days of one event. */
#define TOTALS_SECONDS_MAX (1 << 22)

/* A column to which samples of an event are added too. */
struct division_part {
	uint32_t column;
	bool counted;  /* as a sample, not only by its weight */
	double factor; /* of the weight */
};

/*
 * The columns of metrics that are made of events: parts by what the leaf of a stack is in
 * (split.h), and sums (metric_sum.h).  All-zero: none.
 */
struct division {
	uint8_t *of_node; /* by node: its part, from 1; 0: none; NULL: there are none */
	uint32_t *column; /* [event × stride + part]; 0: none */
	uint32_t *event;  /* by column, from the first behind the events */
	size_t stride, count; /* count: of columns */
	/* sums with event E are sums[sum_first[E]] up to before that of E + 1; or NULL */
	struct division_part *sums;
	uint32_t *sum_first;
};

struct totals {
	size_t events, columns; /* columns: events, and their parts */
	size_t nodes, threads, cpus, seconds;
	struct value *node, *thread, *cpu, *second;
	struct value *whole;     /* by column */
	uint64_t damaged_blocks; /* of samples, skipped */
	uint64_t last_ns;        /* time of the last sample */
};

/* All zero, with PARTS columns of parts, and room for so many CPUs and seconds. */
void totals_init(struct totals *out, const struct experiment *exp, size_t parts,
		 size_t cpus, size_t seconds);

/* Increases the *COUNT rows for each column of a sum to at least NEED. */
void totals_widen(size_t columns, struct value **rows, size_t *count, size_t need);

/* The same, or decreases them: to TO. */
void totals_resize(size_t columns, struct value **rows, size_t *count, size_t to);

/*
 * The next column, besides its own, of a sample of EVENT at NODE; *AT is 0 at the first.
 * False: there are no more.
 */
static inline bool division_next(const struct division *division, size_t event,
				 uint64_t node, size_t *at, struct division_part *out)
{
	uint32_t part;
	size_t sum;

	if (!division->count)
		return false;
	if (!(*at)++ && division->of_node) {
		part = division->column[event * division->stride +
					division->of_node[node]];
		*out = (struct division_part){ part, true, 1 };
		if (part)
			return true;
		(*at)++;
	}
	if (!division->sums)
		return false;
	sum = division->sum_first[event] + *at - (division->of_node ? 2 : 1);
	if (sum >= division->sum_first[event + 1])
		return false;
	*out = division->sums[sum];
	return true;
}

/* What a sample of value V adds there. */
static inline struct value division_value(const struct division_part *part,
					  struct value v)
{
	if (part->factor != 1)
		v.weight = weight_scaled(v.weight, part->factor);
	if (!part->counted)
		v.samples = 0;
	return v;
}

/* The event of a column. */
static inline size_t totals_event(const struct totals *totals,
				  const struct division *division, size_t column)
{
	return column < totals->events ? column
				       : division->event[column - totals->events];
}

/* The weight of COLUMN without that of counts which no sample stands for. */
uint64_t totals_sampled(const struct totals *totals, size_t column);

/* Whether there are samples without any stack. */
bool totals_has_empty_stacks(const struct totals *totals);

/* Multiplies the weights of COLUMN. */
void totals_scale(struct totals *totals, size_t column, double factor);

void totals_release(struct totals *totals);
void division_release(struct division *division);

#endif
