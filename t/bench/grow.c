/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grow WHAT COUNT MS: a target in which one thing grows, busy for MS of CPU time.
 *
 *	depth     COUNT calls deep
 *	stacks    at the ends of ever new stacks, 40 calls deep; COUNT does not matter
 *	jit       in COUNT areas of code without a file, by turns
 *	objects   in COUNT shared objects, by turns: copies, which it makes in this folder, of
 *	          ./grow.so, each with a build-id of its own
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

enum {
	ROUNDS = 20000,    /* of a loop, between two looks at the clock */
	CODE = 256,        /* bytes that hold the loop's function */
	STACKS_DEPTH = 40, /* calls */
};

/* Which a copy of the object replaces by its number. */
#define MARK "ringprof"

typedef void spin_fn(unsigned long rounds);

void spin(unsigned long rounds);

/* It calls nothing and refers to nothing, so that its bytes run anywhere. */
FUNCTION void spin(unsigned long rounds)
{
	for (volatile unsigned long i = 0; i < rounds; i++)
		;
}

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

/* The functions take turns, whichever way it goes on. */
static void take_turns(spin_fn *const *functions, unsigned long count, double ms)
{
	double end = cpu_ms() + ms;

	for (unsigned long i = 0; cpu_ms() < end; i++)
		functions[i % count](ROUNDS);
}

/* ---- depth, stacks ---- */

static FUNCTION int descend(unsigned long depth, double ms)
{
	spin_fn *const one = spin;

	if (depth)
		return descend(depth - 1, ms) + 1;
	take_turns(&one, 1, ms);
	return 0;
}

static void depth(unsigned long count, double ms)
{
	descend(count, ms);
}

static void follow(unsigned long path, unsigned left);

#define STEP(n)                                                                          \
	static FUNCTION void step_##n(unsigned long path, unsigned left)                 \
	{                                                                                \
		follow(path, left);                                                      \
		NO_TAIL_CALL();                                                          \
	}

STEP(0)
STEP(1)
STEP(2)
STEP(3)

/* xorshift, of 32 bits. */
static unsigned long next(unsigned long path)
{
	path ^= path << 13 & 0xffffffff;
	path ^= path >> 17;
	return path ^ (path << 5 & 0xffffffff);
}

static FUNCTION void follow(unsigned long path, unsigned left)
{
	static void (*const steps[])(unsigned long, unsigned) = { step_0, step_1, step_2,
								  step_3 };

	if (left)
		steps[path >> 20 & 3](next(path), left - 1);
	else
		spin(ROUNDS);
	NO_TAIL_CALL();
}

static void stacks(unsigned long count, double ms)
{
	unsigned long path = 2463534242u;
	double end = cpu_ms() + ms;

	(void)count;
	while (cpu_ms() < end) {
		path = next(path);
		follow(path, STACKS_DEPTH);
	}
}

/* ---- jit ---- */

/* In room that is free, with a page between two, so that each stays an area. */
static void jit(unsigned long count, double ms)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), len = count * 2 * page;
	spin_fn **functions = calloc(count, sizeof(spin_fn *));
	char *room = mmap(NULL, len, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (!functions || room == MAP_FAILED || munmap(room, len))
		die("jit");
	for (unsigned long i = 0; i < count; i++) {
		char *at = room + i * 2 * page;

		if (mmap(at, page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			die("jit");
		memcpy(at, (const void *)(size_t)spin, CODE);
		if (mprotect(at, page, PROT_READ | PROT_EXEC))
			die("jit");
		__builtin___clear_cache(at, at + CODE);
		functions[i] = (spin_fn *)(size_t)at;
	}
	take_turns(functions, count, ms);
	free(functions);
}

/* ---- objects ---- */

/* All of grow.so, and where in it the mark stands. */
static char *read_object(size_t *len, char **mark)
{
	FILE *f = fopen("grow.so", "re");
	char *bytes;

	if (!f || fseek(f, 0, SEEK_END))
		die("grow.so");
	*len = (size_t)ftell(f);
	bytes = malloc(*len);
	rewind(f);
	if (!bytes || fread(bytes, 1, *len, f) != *len)
		die("grow.so");
	fclose(f);
	*mark = memmem(bytes, *len, MARK, strlen(MARK));
	if (!*mark)
		die("grow.so has no build-id of ours");
	return bytes;
}

static spin_fn *load_copy(unsigned long i, const char *bytes, size_t len)
{
	char name[32];
	void *handle;
	FILE *f;

	snprintf(name, sizeof(name), "./%lu.so", i);
	f = fopen(name, "we");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f))
		die(name);
	handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		die(name);
	return (spin_fn *)(size_t)dlsym(handle, "spin");
}

static void objects(unsigned long count, double ms)
{
	spin_fn **functions = calloc(count, sizeof(spin_fn *));
	size_t len;
	char *mark, *bytes = read_object(&len, &mark);

	if (!functions)
		die("objects");
	for (unsigned long i = 0; i < count; i++) {
		memcpy(mark, &i, sizeof(i) < strlen(MARK) ? sizeof(i) : strlen(MARK));
		functions[i] = load_copy(i, bytes, len);
	}
	take_turns(functions, count, ms);
	free(bytes);
	free(functions);
}

static const struct {
	const char *name;
	void (*run)(unsigned long count, double ms);
} loads[] = {
	{ "depth", depth },
	{ "stacks", stacks },
	{ "jit", jit },
	{ "objects", objects },
};

int main(int argc, char **argv)
{
	size_t count = sizeof(loads) / sizeof(loads[0]), i = 0;

	while (i < count && (argc != 4 || strcmp(argv[1], loads[i].name) != 0))
		i++;
	if (i == count || !strtoul(argv[2], NULL, 10)) {
		fprintf(stderr, "usage: grow depth|stacks|jit|objects COUNT MS\n");
		return 2;
	}
	loads[i].run(strtoul(argv[2], NULL, 10), atof(argv[3]));
	return 0;
}
