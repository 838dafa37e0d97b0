/* SPDX-License-Identifier: Apache-2.0 */
/*
 * made MS [SHAPE]…: spends MS of CPU time in work(), below a chain of calls that goes through
 * code made while the program runs, one function for each SHAPE (without any, all of them):
 *
 *	python    as CPython's trampolines: sub $8,%rsp; call; add $8,%rsp; ret
 *	pushes    saves rbx and r12, which the call changes
 *	branches  returns in two ways, one behind a jump
 *	moves     keeps rbp in its frame, and uses it for another value
 *	frame     has a frame pointer
 *
 * outer() has a frame pointer, and those below have none: rbp leads from any of them to
 * outer's caller.  Prints the names of the frames, outermost first, and the ns of CPU time.
 */
#include <alloca.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "work.h"

#ifdef __x86_64__

enum { MADE_MAX = 64, CODE_MAX = 64 };

typedef unsigned level_fn(unsigned level);
typedef unsigned made_fn(unsigned level, level_fn *next);

level_fn step, outer;
void work(void);

static const struct shape {
	const char *name;
	unsigned char code[CODE_MAX];
} shapes[] = {
	{ "python", { 0x48, 0x83, 0xec, 8, 0xff, 0xd6, 0x48, 0x83, 0xc4, 8, 0xc3 } },
	{ "pushes", { 0x53, 0x41, 0x54, 0x48, 0x83, 0xec, 8, /* push; push; sub */
		      0xbb, 1,    0,    0,    0,    0x45, 0x31,
		      0xe4,                            /* mov $1,%ebx; xor %r12d,%r12d */
		      0xff, 0xd6, 0x48, 0x83, 0xc4, 8, /* call; add */
		      0x41, 0x5c, 0x5b, 0xc3 } },
	{ "branches",
	  { 0x48, 0x83, 0xec, 0x28, 0xff, 0xd6, 0x85, 0xc0, /* sub; call; test */
	    0x74, 5,                                        /* je */
	    0x48, 0x83, 0xc4, 0x28, 0xc3,                   /* add; ret */
	    0x48, 0x8d, 0x64, 0x24, 0x28, 0xeb, 2,          /* lea 0x28(%rsp),%rsp; jmp */
	    0x0f, 0x0b, 0xc3 } },
	{ "moves", { 0x48, 0x83, 0xec, 0x18, 0x48, 0x89, 0x6c, 0x24,
		     0x10, /* sub; mov to 16(%rsp) */
		     0x48, 0x8d, 0xac, 0x24, 0,    1,    0,    0, /* lea 256(%rsp),%rbp */
		     0xff, 0xd6, 0x48, 0x8b, 0x6c, 0x24, 0x10,    /* call; mov back */
		     0x48, 0x83, 0xc4, 0x18, 0xc3 } },
	{ "frame", { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0xc9, 0xc3 } },
};

enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static made_fn *made[MADE_MAX];
static const char *names[MADE_MAX];
static unsigned nmade;
static uint64_t work_ns;

FUNCTION void work(void)
{
	spin_ns(work_ns);
}

/* The sum keeps the call from being the function's last act, which would leave no frame. */
FUNCTION unsigned step(unsigned level)
{
	if (level < nmade)
		return made[level](level + 1, step) + 1;
	work();
	return 1;
}

FUNCTION unsigned outer(unsigned level)
{
	volatile char *frame = alloca(16 + level);

	frame[level] = 1;
	return step(level) + (unsigned)frame[level];
}

static bool add(const struct shape *shape)
{
	unsigned char *code = mmap(NULL, CODE_MAX, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED || nmade == MADE_MAX)
		return false;
	memcpy(code, shape->code, CODE_MAX);
	if (mprotect(code, CODE_MAX, PROT_READ | PROT_EXEC))
		return false;
	memcpy(&made[nmade], &(void *){ code }, sizeof(made[nmade]));
	names[nmade++] = shape->name;
	return true;
}

static bool add_named(const char *name)
{
	for (unsigned i = 0; i < SHAPES; i++)
		if (!strcmp(shapes[i].name, name))
			return add(&shapes[i]);
	return false;
}

int main(int argc, char **argv)
{
	bool able = argc > 1;

	for (int i = 2; i < argc; i++)
		able = able && add_named(argv[i]);
	for (unsigned i = 0; argc == 2 && i < SHAPES; i++)
		able = able && add(&shapes[i]);
	if (!able)
		return 2;
	work_ns = strtoull(argv[1], NULL, 10) * 1000000;
	printf("main;outer;step");
	for (unsigned i = 0; i < nmade; i++)
		printf(";%s;step", names[i]);
	printf(";work\n");
	fflush(stdout);
	outer(0);
	printf("%" PRIu64 "\n", work_ns);
	return 0;
}

#else

int main(void)
{
	return 77;
}

#endif
