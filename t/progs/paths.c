/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paths FILE: calls functions in ever new orders, so that nearly every stack is one that
 * was never seen, until FILE exists; then ends with status 7.
 */
#include <stdio.h>
#include <unistd.h>

#include "work.h"

enum { DEPTH = 40 };

static void follow(uint64_t path, unsigned depth);

#define STEP(n)                                                                          \
	void step_##n(uint64_t path, unsigned depth);                                    \
	FUNCTION void step_##n(uint64_t path, unsigned depth)                            \
	{                                                                                \
		follow(path, depth);                                                     \
		NO_TAIL_CALL();                                                          \
	}

STEP(0)
STEP(1)
STEP(2)
STEP(3)

static void (*const steps[])(uint64_t path, unsigned depth) = {
	step_0,
	step_1,
	step_2,
	step_3,
};

/* xorshift64 */
static uint64_t next(uint64_t path)
{
	path ^= path << 13;
	path ^= path >> 7;
	return path ^ path << 17;
}

FUNCTION static void follow(uint64_t path, unsigned depth)
{
	if (depth)
		steps[path >> 20 & 3](next(path), depth - 1);
	else
		for (volatile unsigned i = 0; i < 20000; i++)
			;
	NO_TAIL_CALL();
}

int main(int argc, char **argv)
{
	uint64_t path = 88172645463325252u;

	if (argc != 2) {
		fprintf(stderr, "usage: paths FILE\n");
		return 2;
	}
	while (access(argv[1], F_OK) < 0) {
		path = next(path);
		follow(path, DEPTH);
	}
	return 7;
}
