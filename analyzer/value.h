/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is summed everywhere: the weight of samples, in the unit of their event, and their
 * number.  Both are exact; what a person reads is made of them at the very end
 * (metric.h).
 */
#ifndef VALUE_H
#define VALUE_H

#include <stdint.h>

struct value {
	uint64_t weight, samples;
};

static inline void value_add(struct value *to, struct value v)
{
	to->weight += v.weight;
	to->samples += v.samples;
}

/* V must have been added to TO before. */
static inline void value_subtract(struct value *to, struct value v)
{
	to->weight -= v.weight;
	to->samples -= v.samples;
}

#endif
