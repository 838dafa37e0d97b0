/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hole MS [thread]: spends that much CPU time in busy(), which hollow() calls, whose
 * frame has ten pages that nobody ever touches; on the first thread's stack, or on
 * another's.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { HOLLOW = 40 << 10 };

void busy(uint64_t ns);
void hollow(uint64_t ns);
void *on_thread(void *ns);

FUNCTION void busy(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void hollow(uint64_t ns)
{
	char untouched[HOLLOW];

	__asm__ volatile("" ::"r"(untouched) : "memory");
	busy(ns);
	NO_TAIL_CALL();
}

FUNCTION void *on_thread(void *ns)
{
	hollow(*(const uint64_t *)ns);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	uint64_t ns;

	if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "thread") != 0)) {
		fprintf(stderr, "usage: hole MS [thread]\n");
		return 2;
	}
	ns = parse_ms(argv[1]) * 1000000;
	if (argc == 2)
		hollow(ns);
	else if (pthread_create(&thread, NULL, on_thread, &ns) ||
		 pthread_join(thread, NULL))
		abort();
	return 0;
}
