/* SPDX-License-Identifier: Apache-2.0 */
/* How long a round may wait for what is due. */
#ifndef REST_H
#define REST_H

#include <stdint.h>

/* REST_MS, or less if DUE_NS is sooner after NOW; rounded up, so that it is due then. */
static inline int rest_until(uint64_t due_ns, uint64_t now, int rest_ms)
{
	const uint64_t rest_ns = due_ns > now ? due_ns - now : 0;

	if (rest_ns > (uint64_t)rest_ms * 1000000)
		return rest_ms;
	return (int)((rest_ns + 999999) / 1000000);
}

#endif
