/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summed values: the weight of samples, in the unit of their event, and their number.
 * Unsampled counts have only weight.  Both are exact; they are converted for display at
 * the very end (metric.h).
 */
#ifndef VALUE_H
#define VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct value {
	uint64_t weight, samples;
};

static inline bool value_is_any(struct value v)
{
	return v.samples || v.weight;
}

/*
 * A crafted recording's weights may exceed 64 bits: the sum is then the largest number.
 */
static inline void weight_add(uint64_t *to, uint64_t weight)
{
	if (__builtin_add_overflow(*to, weight, to))
		*to = UINT64_MAX;
}

/* Rounded; the largest number if it exceeds 64 bits. */
static inline uint64_t weight_scaled(uint64_t weight, double factor)
{
	double scaled = (double)weight * factor + 0.5;

	return scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
}

static inline void value_add(struct value *to, struct value v)
{
	weight_add(&to->weight, v.weight);
	to->samples += v.samples;
}

/* V must have been added to TO before; one that overflowed may become 0. */
static inline void value_subtract(struct value *to, struct value v)
{
	to->weight = v.weight < to->weight ? to->weight - v.weight : 0;
	to->samples -= v.samples;
}

#endif
