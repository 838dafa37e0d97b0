/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 0.2 s of CPU in an inlined function.  Tests compile it themselves, with split debug
 * information.
 */
#include <time.h>

static inline __attribute__((always_inline)) void inlined_work(volatile long *n)
{
	for (int i = 0; i < 20000; i++)
		*n = *n + i;
}

int main(void)
{
	volatile long n = 0;

	while (clock() < CLOCKS_PER_SEC / 5)
		inlined_work(&n);
	return 0;
}
