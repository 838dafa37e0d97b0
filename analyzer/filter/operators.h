/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators of filters on two numbers of 64 bits.  They wrap and never trap: shifting
 * by less than 0 or more than 63, and dividing by 0, give 0.
 */
#ifndef FILTER_OPERATORS_H
#define FILTER_OPERATORS_H

#include <stdint.h>

#include "filter/filter.h"

typedef int64_t filter_operator_fn(int64_t a, int64_t b);

/* NULL: not an operator on two numbers, or (|| and &&) one that may need the first alone.
 */
extern filter_operator_fn *const filter_operators[FILTER_OPS];

#endif
