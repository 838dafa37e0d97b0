/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a filter asks of the data that a sample is about: in rows of their own, few or
 * none, which are read only where a filter asks; and words for where the data came from,
 * fitted once for each value.
 */
#ifndef FILTER_DATA_H
#define FILTER_DATA_H

#include <regex.h>
#include <stdint.h>

#include "experiment/details.h"
#include "base/idmap.h"

/* Set EXP, which is borrowed, and the rest to zero; release at the end. */
struct filter_data {
	struct experiment *exp;
	struct exp_details walk;
	struct exp_detail last; /* of the sample before NEXT */
	uint64_t next;
	struct idmap fits; /* (data source, node of the filter) → whether it fits */
};

/* Of the sample of that NUMBER; samples are asked about in their order. */
const struct exp_detail *filter_data_of(struct filter_data *d, uint64_t number);

/* Whether REGEX, of the filter's node NODE, fits the words of a data source. */
bool filter_data_fits(struct filter_data *d, uint32_t node, const regex_t *regex,
		      uint64_t source);

void filter_data_release(struct filter_data *d);

#endif
