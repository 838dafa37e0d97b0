/* SPDX-License-Identifier: Apache-2.0 */
/*
 * burn WHAT=MS…: spends that much CPU time in each, one after another, and prints
 * "WHAT NANOSECONDS" as measured.
 *
 *	one, two, three   in a function of that name
 *	caller_a          in shared(), called by caller_a
 *	caller_b          in shared(), called by caller_b
 *	recurse           in recurse(), at the bottom of DEPTH calls of itself
 *	mutual            in odd(), below DEPTH calls of even() and odd() by turns
 *	callback          in compare(), called by qsort in libc
 *	kernel            in system calls made by kernel()
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "work.h"

enum { DEPTH = 50 };

typedef void work_fn(uint64_t ns);

/* Global, so that a compiler that knows no noipa keeps them as well. */
work_fn one, two, three, shared, caller_a, caller_b, recurse, mutual, callback, kernel;
void descend(unsigned depth, uint64_t ns), even(unsigned depth, uint64_t ns),
	odd(unsigned depth, uint64_t ns);
int compare(const void *a, const void *b);

FUNCTION void one(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void two(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void three(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void shared(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void caller_a(uint64_t ns)
{
	shared(ns);
	NO_TAIL_CALL();
}

FUNCTION void caller_b(uint64_t ns)
{
	shared(ns);
	NO_TAIL_CALL();
}

FUNCTION void descend(unsigned depth, uint64_t ns)
{
	if (depth)
		descend(depth - 1, ns);
	else
		spin_ns(ns);
	NO_TAIL_CALL();
}

FUNCTION void recurse(uint64_t ns)
{
	descend(DEPTH, ns);
	NO_TAIL_CALL();
}

FUNCTION void even(unsigned depth, uint64_t ns)
{
	odd(depth - 1, ns);
	NO_TAIL_CALL();
}

FUNCTION void odd(unsigned depth, uint64_t ns)
{
	if (depth)
		even(depth - 1, ns);
	else
		spin_ns(ns);
	NO_TAIL_CALL();
}

/* mutual → even(51) → odd(50) → … → odd(0) */
FUNCTION void mutual(uint64_t ns)
{
	even(DEPTH + 1, ns);
	NO_TAIL_CALL();
}

/* One comparison for two elements: they hold the time to spend. */
FUNCTION int compare(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	spin_ns(x);
	return (x > y) - (x < y);
}

FUNCTION void callback(uint64_t ns)
{
	uint64_t pair[2] = { ns, ns };

	qsort(pair, 2, sizeof(pair[0]), compare);
	NO_TAIL_CALL();
}

FUNCTION void kernel(uint64_t ns)
{
	static char zeros[1 << 16];
	uint64_t end = thread_cpu_ns() + ns;
	FILE *f = fopen("/dev/zero", "r");

	if (!f)
		abort();
	while (thread_cpu_ns() < end)
		if (syscall(SYS_read, fileno(f), zeros, sizeof(zeros)) < 0)
			abort();
	fclose(f);
}

static const struct {
	const char *name;
	work_fn *run;
} works[] = {
	{ "one", one },           { "two", two },           { "three", three },
	{ "caller_a", caller_a }, { "caller_b", caller_b }, { "recurse", recurse },
	{ "mutual", mutual },     { "callback", callback }, { "kernel", kernel },
};

enum { WORKS = sizeof(works) / sizeof(works[0]) };

static int run(const char *spec)
{
	const char *value = strchr(spec, '=');
	size_t len = value ? (size_t)(value - spec) : 0;

	for (size_t i = 0; value && i < WORKS; i++) {
		uint64_t before = thread_cpu_ns();

		if (strlen(works[i].name) != len ||
		    strncmp(works[i].name, spec, len) != 0)
			continue;
		works[i].run(parse_ms(value + 1) * 1000000);
		printf("%s %llu\n", works[i].name,
		       (unsigned long long)(thread_cpu_ns() - before));
		return 0;
	}
	fprintf(stderr, "burn: \"%s\" is not WHAT=MS\n", spec);
	return -1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (run(argv[i]) < 0)
			return 2;
	return 0;
}
