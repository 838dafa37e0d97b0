/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beyond big|deep|some MS [EACH_US]: stacks whose callers lie beyond any copy.  caller_a() and
 * caller_b() take turns of EACH_US, and of a quarter of that, for MS of CPU time (without
 * EACH_US the first one has it all), on the same place of the stack.  Each calls big(),
 * whose frame of 200 KiB is in use, or deep(), which recurses until as much is, or
 * some(), which does until 30 KiB are, so that a large copy has it all.  That
 * calls work_a() or work_b(), by who called it: a stack with both letters is a wrong one.
 *
 * Prints the CPU time in ms that each spent.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "work.h"

enum {
	BIG = 200 << 10,
	PAGE = 4096,
	LEVELS = 400,
	SOME = 55,
	LEVEL = 512,
	BELOW = 64 << 10
};

typedef void work_fn(uint64_t ns);
typedef void stack_fn(work_fn *work, uint64_t ns);

void work_a(uint64_t ns);
void work_b(uint64_t ns);
void big(work_fn *work, uint64_t ns);
void deep(work_fn *work, uint64_t ns);
void some(work_fn *work, uint64_t ns);
void dive(work_fn *work, uint64_t ns, unsigned levels);
void touch(void);
void caller_a(stack_fn *stack, uint64_t ns);
void caller_b(stack_fn *stack, uint64_t ns);

/* As spin_ns, for turns of a few µs too. */
static inline __attribute__((always_inline)) void spin_briefly(uint64_t ns)
{
	const uint64_t end = thread_cpu_ns() + ns;

	do
		for (volatile unsigned i = 0; i < 1000; i++)
			;
	while (thread_cpu_ns() < end);
}

/*
 * So that no page below is untouched: a copy of the stack would end there.  The stack pointer
 * stays above meanwhile.  Before Linux 5.14 nothing happens.
 */
FUNCTION void touch(void)
{
	enum { POPULATE_WRITE = 23 }; /* of madvise: MADV_POPULATE_WRITE */
	char here;
	uintptr_t page = (uintptr_t)&here & ~(uintptr_t)(PAGE - 1);

	madvise((void *)(page - BELOW), BELOW, POPULATE_WRITE);
}

FUNCTION void work_a(uint64_t ns)
{
	spin_briefly(ns);
}

FUNCTION void work_b(uint64_t ns)
{
	spin_briefly(ns);
}

FUNCTION void big(work_fn *work, uint64_t ns)
{
	char array[BIG];

	for (unsigned i = 0; i < BIG; i += PAGE)
		array[i] = 1;
	__asm__ volatile("" ::"r"(array) : "memory");
	work(ns);
	NO_TAIL_CALL();
}

FUNCTION void dive(work_fn *work, uint64_t ns, unsigned levels)
{
	char array[LEVEL];

	__asm__ volatile("" ::"r"(array) : "memory");
	if (levels)
		dive(work, ns, levels - 1);
	else
		work(ns);
	NO_TAIL_CALL();
}

FUNCTION void deep(work_fn *work, uint64_t ns)
{
	dive(work, ns, LEVELS);
	NO_TAIL_CALL();
}

FUNCTION void some(work_fn *work, uint64_t ns)
{
	dive(work, ns, SOME);
	NO_TAIL_CALL();
}

FUNCTION void caller_a(stack_fn *stack, uint64_t ns)
{
	stack(work_a, ns);
	NO_TAIL_CALL();
}

FUNCTION void caller_b(stack_fn *stack, uint64_t ns)
{
	stack(work_b, ns);
	NO_TAIL_CALL();
}

static const struct {
	const char *name;
	stack_fn *stack;
} kinds[] = { { "big", big }, { "deep", deep }, { "some", some } };

int main(int argc, char **argv)
{
	uint64_t ms, each, a = 0, b = 0, begin;
	stack_fn *stack = NULL;

	for (size_t i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(argv[1], kinds[i].name) == 0)
			stack = kinds[i].stack;
	if (argc < 3 || argc > 4 || !stack) {
		fprintf(stderr, "usage: beyond big|deep|some MS [EACH_US]\n");
		return 2;
	}
	ms = parse_ms(argv[2]);
	touch();
	each = argc > 3 ? parse_ms(argv[3]) * 1000 : ms * 1000000;
	do {
		begin = thread_cpu_ns();
		caller_a(stack, each);
		a += thread_cpu_ns() - begin;
		if (argc == 3)
			break;
		begin = thread_cpu_ns();
		caller_b(stack, each / 4);
		b += thread_cpu_ns() - begin;
	} while (a + b < ms * 1000000);
	printf("caller_a=%" PRIu64 " caller_b=%" PRIu64 "\n", a / 1000000, b / 1000000);
	return 0;
}
