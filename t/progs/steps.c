/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps WORK KERNEL: work that is fixed, not timed, so that two runs count the same:
 * WORK thousand rounds of a loop, three quarters of them in hot() and the rest in cool(),
 * both called by user(), and KERNEL reads of 64 KiB of zeros in kernel().
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "work.h"

void hot(uint64_t rounds), cool(uint64_t rounds), user(uint64_t thousands),
	kernel(uint64_t reads);

FUNCTION void hot(uint64_t rounds)
{
	for (volatile uint64_t i = 0; i < rounds; i++)
		;
}

FUNCTION void cool(uint64_t rounds)
{
	for (volatile uint64_t i = 0; i < rounds; i++)
		;
}

/* By turns, so that both are sampled all along. */
FUNCTION void user(uint64_t thousands)
{
	for (uint64_t i = 0; i < thousands; i++) {
		hot(750);
		cool(250);
	}
}

FUNCTION void kernel(uint64_t reads)
{
	static char zeros[1 << 16];
	FILE *f = fopen("/dev/zero", "r");

	for (uint64_t i = 0; f && i < reads; i++)
		if (read(fileno(f), zeros, sizeof(zeros)) < 0)
			abort();
	if (f)
		fclose(f);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: steps WORK KERNEL\n");
		return 2;
	}
	user(parse_ms(argv[1]));
	kernel(parse_ms(argv[2]));
	return 0;
}
