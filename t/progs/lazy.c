/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lazy MS: caller_a() and caller_b() call a function of the C library by its PLT stub for
 * MS of CPU time, in turns.  With LD_BIND_NOT=1 in its environment the dynamic linker
 * binds the function anew each time.
 *
 * Prints how often each called.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { CALLS = 1000 };

int caller_a(const char *text);
size_t caller_b(const char *text);

FUNCTION int caller_a(const char *text)
{
	int sum = 0;

	for (unsigned i = 0; i < CALLS; i++)
		sum += atoi(text);
	return sum;
}

/* With a frame of another size. */
FUNCTION size_t caller_b(const char *text)
{
	char copy[64];
	size_t sum = 0;

	for (unsigned i = 0; i < CALLS; i++) {
		snprintf(copy, sizeof(copy), "%s", text);
		sum += strlen(copy);
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned long turns = 0;
	uint64_t end;
	size_t sum = 0;

	if (argc != 2)
		return 2;
	end = thread_cpu_ns() + parse_ms(argv[1]) * 1000000;
	for (; thread_cpu_ns() < end; turns++)
		sum += (size_t)caller_a("1") + caller_b("1");
	printf("%lu\n", turns * CALLS);
	return sum != turns * 2 * CALLS;
}
