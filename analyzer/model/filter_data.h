/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of a sample's memory access for filters: in rows of their own, few or none, which
 * are read only if a filter needs them; and the words for its source, matched once for
 * each value.
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
	struct idmap fits; /* (data source, node of the filter) → whether it matches */
};

/* The details of sample NUMBER; samples come in order. */
const struct exp_detail *filter_data_of(struct filter_data *d, uint64_t number);

/* Whether REGEX, of the filter's node NODE, matches the words of a data source. */
bool filter_data_fits(struct filter_data *d, uint32_t node, const regex_t *regex,
		      uint64_t source);

void filter_data_release(struct filter_data *d);

#endif
