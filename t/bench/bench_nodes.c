/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_nodes COUNT: interns COUNT nodes of distinct stacks, paths of 16 below random
 * older nodes, as collect does.  Prints "nodes COUNT cpu SECONDS longest MICROSECONDS kb
 * MEMORY": the total CPU time, that of the slowest path, and the peak of memory.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "experiment/node_index.h"

enum { PATH = 16, FRAMES = 10007 };

static uint64_t used_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* xorshift64 */
static uint64_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	return *seed ^= *seed << 17;
}

static uint32_t add_path(struct node_index *index, uint64_t *seed, uint32_t nodes)
{
	uint32_t parent = (uint32_t)(draw(seed) % nodes);

	for (int i = 0; i < PATH; i++) {
		uint32_t frame = (uint32_t)(draw(seed) % FRAMES);

		parent = node_index_intern(index, parent, frame, nodes);
		nodes += parent == nodes;
	}
	return nodes;
}

int main(int argc, char **argv)
{
	uint64_t seed = 88172645463325252u, longest = 0, begin = used_ns(), last = begin;
	uint32_t nodes = 1, count;
	struct node_index index = { 0 };
	struct rusage usage;

	if (argc != 2) {
		fprintf(stderr, "usage: bench_nodes COUNT\n");
		return 2;
	}
	count = (uint32_t)strtoul(argv[1], NULL, 10);
	while (nodes < count) {
		uint64_t now;

		nodes = add_path(&index, &seed, nodes);
		now = used_ns();
		if (now - last > longest)
			longest = now - last;
		last = now;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("nodes %u cpu %.3f longest %.0f kb %ld\n", nodes,
	       (double)(last - begin) * 1e-9, (double)longest * 1e-3, usage.ru_maxrss);
	node_index_release(&index);
	return 0;
}
