/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of a filter that are numbers: what each is of a sample, or of its stack.  A
 * name more is a row more in filter/names.c, and a function here.
 */
#ifndef FILTER_WORDS_H
#define FILTER_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/read.h"
#include "filter/names.h"
#include "model/filter_data.h"

/* Where it is asked: in an experiment, which is borrowed. */
struct filter_source {
	const struct experiment *exp;
	uint32_t number, group; /* from 1 */
	uint32_t *depths;       /* by stack node */
	struct filter_data *data;
};

/* What is asked: a sample, or (before any is read, SAMPLES is NULL) a stack alone. */
struct filter_subject {
	const struct exp_samples *samples;
	size_t index;
	uint64_t node;
};

typedef int64_t filter_word_fn(const struct filter_source *from,
			       const struct filter_subject *of);

/* Those of KIND_SAMPLE and KIND_STACK; the latter need no sample.  NULL: all others. */
extern filter_word_fn *const filter_words[FILTER_WORDS];

/* What is told of the data that the sample is about. */
const struct exp_detail *filter_detail_of(const struct filter_source *from,
					  const struct filter_subject *of);

#endif
