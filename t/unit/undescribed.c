/* SPDX-License-Identifier: Apache-2.0 */
#include "undescribed.h"

__attribute__((noinline)) int undescribed(void (*record)(void *arg), void *arg, int depth)
{
	volatile int kept = depth;

	if (depth <= 0)
		record(arg);
	else
		kept += undescribed(record, arg, depth - 1);
	return kept;
}
