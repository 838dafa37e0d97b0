/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search in arrays of numbers, or sorted by a field of 64 bits: ends, starts. */
#ifndef SORTED_H
#define SORTED_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns how many of the COUNT elements of DATA have a FIELD, a uint64_t, of at most
 * VALUE: the index of the first above it.  If ranges are sorted by start, only the
 * element before that index can contain VALUE; if by end (behind the last byte), only the
 * element at it.
 */
#define sorted_up_to(data, count, field, value)                                          \
	sorted_keys_up_to((data), (count), sizeof(*(data)),                              \
			  offsetof(__typeof__(*(data)), field), (value))

/* For the others here alone: keys lie AT bytes behind the start of elements of SIZE bytes.
 */
static inline size_t sorted_keys_up_to(const void *data, size_t count, size_t size,
				       size_t at, uint64_t value)
{
	const char *bytes = data;
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (*(const uint64_t *)(const void *)(bytes + mid * size + at) <= value)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Returns how many of the COUNT ascending VALUES are below VALUE: the index of the first
 * that is not.
 */
static inline size_t sorted_below(const uint64_t *values, size_t count, uint64_t value)
{
	return value ? sorted_keys_up_to(values, count, sizeof(*values), 0, value - 1)
		     : 0;
}

#endif
