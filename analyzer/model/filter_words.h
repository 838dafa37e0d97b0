/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of a filter that are numbers: their values for a sample, or for its stack.  A
 * new name is a row in filter/names.c and a function here.
 */
#ifndef FILTER_WORDS_H
#define FILTER_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/read.h"
#include "filter/names.h"
#include "model/filter_data.h"
#include "model/filter_regions.h"

/* The experiment of a sample; borrowed. */
struct filter_source {
	const struct experiment *exp;
	uint32_t number, group; /* from 1 */
	uint32_t *depths;       /* by stack node */
	struct filter_data *data;
	struct filter_regions *regions; /* NULL: the filter has no word of them */
};

/* A sample or, if SAMPLES is NULL (before any is read), only a stack. */
struct filter_subject {
	const struct exp_samples *samples;
	size_t index;
	uint64_t node;
};

typedef int64_t filter_word_fn(const struct filter_source *from,
			       const struct filter_subject *of);

/* Those of KIND_SAMPLE, KIND_SHARE and KIND_STACK; the latter need no sample.  NULL: all others. */
extern filter_word_fn *const filter_words[FILTER_WORDS];

/* The string of its control group's path: of its thread, or of an imported sample. */
uint64_t filter_cgroup_of(const struct filter_source *from,
			  const struct filter_subject *of);

#endif
