/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads COUNT MS: COUNT threads at once, each of which spends MS in worker().  Prints
 * "total NANOSECONDS", the CPU time of the whole process.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

enum { THREADS_MAX = 256 };

void *worker(void *arg);

FUNCTION void *worker(void *arg)
{
	const uint64_t *ns = arg;

	spin_ns(*ns);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	uint64_t ns;
	int count = argc == 3 ? atoi(argv[1]) : 0;

	if (count < 1 || count > THREADS_MAX) {
		fprintf(stderr, "usage: threads COUNT MS\n");
		return 2;
	}
	ns = parse_ms(argv[2]) * 1000000;
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, worker, &ns))
			abort();
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("total %llu\n", (unsigned long long)process_cpu_ns());
	return 0;
}
