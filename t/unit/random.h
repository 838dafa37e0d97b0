/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers that are the same on every machine: xorshift64.  The state is the
 * test's, and anything but 0 at first.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

#define RANDOM_SEED UINT64_C(88172645463325252)

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Less than LIMIT. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(random_next(state) % limit);
}

#endif
