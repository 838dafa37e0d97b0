/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostile HOW: computes for a tenth of a second or two with a stack that is hard or
 * impossible to unwind, then ends with status 7, without returning through it.
 *
 *	zeros      all that lies above its frame is 0
 *	noise      … or random, or addresses of code
 *	circle     code that nobody described, and frame pointers that lead in a circle
 *	unmap      it has unmapped its own program
 *	odd        its stack pointer is odd
 *	file       its stack is a mapping of a file; that is cut then, which kills it
 *	deep       4,096 calls deep
 *	endless    calls itself until it is killed
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "work.h"

#define STATUS 7
#define ROUNDS 100000000
#define PAGE   4096

#define STACK_MAX    (8u << 20)
#define LEVEL_ROUNDS 1000

#define noreturn __attribute__((noreturn))

void spin(void);
uint64_t recurse(uint64_t depth);
uint64_t sink_down(uint64_t depth);

FUNCTION void spin(void)
{
	for (volatile uint64_t i = 0; i < ROUNDS; i++)
		;
}

/* ---- its own stack ---- */

extern char **environ;

static const unsigned char *stack_end(void)
{
	return (const unsigned char *)environ;
}

/* Above that, up to a string: a copy of the stack would end at an untouched page. */
static void touch_above(void)
{
	const volatile unsigned char *at = stack_end();
	const unsigned char *last = (const void *)*environ;

	for (; last && at < last; at += PAGE / 2)
		(void)*at;
}

static uint64_t noise(uint64_t at)
{
	switch (at / 8 % 4) {
	case 0:
		return (uint64_t)(uintptr_t)spin + at % 64;
	case 1:
		return at + 16;
	case 2:
		return at - 64;
	default:
		return at * UINT64_C(0x9e3779b97f4a7c15);
	}
}

/* Nothing that follows may return. */
static noreturn void overwrite(bool random)
{
	volatile uint64_t *at = __builtin_frame_address(0);
	const volatile uint64_t *end = (const void *)stack_end();

	touch_above();
	for (; at < end; at++)
		*at = random ? noise((uint64_t)(uintptr_t)at) : 0;
	spin();
	_exit(STATUS);
}

static void zeros(void)
{
	overwrite(false);
}
static void random_words(void)
{
	overwrite(true);
}

FUNCTION uint64_t recurse(uint64_t depth)
{
	if (!depth) {
		spin();
		_exit(STATUS);
	}
	return recurse(depth - 1) + depth;
}

static void deep(void)
{
	printf("%d", (int)recurse(4096));
}

FUNCTION uint64_t sink_down(uint64_t depth)
{
	for (volatile unsigned i = 0; i < LEVEL_ROUNDS; i++)
		;
	return sink_down(depth + 1) + depth;
}

/* However much stack is allowed here: until 8 MiB are used. */
static void endless(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > STACK_MAX) {
		limit.rlim_cur = STACK_MAX;
		setrlimit(RLIMIT_STACK, &limit);
	}
	printf("%d", (int)sink_down(0));
}

/* ---- another stack ---- */

static int cut_file;

static void on_file(void)
{
	spin();
	if (ftruncate(cut_file, PAGE))
		_exit(1);
}

static void file_stack(void)
{
	static ucontext_t here, there;
	char name[] = "stack-XXXXXX";
	char *memory;

	cut_file = mkstemp(name);
	if (cut_file < 0 || unlink(name) || ftruncate(cut_file, 64 * PAGE))
		exit(1);
	memory = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, cut_file, 0);
	if (memory == MAP_FAILED || getcontext(&there))
		exit(1);
	there.uc_stack.ss_sp = memory;
	there.uc_stack.ss_size = 64 * PAGE;
	makecontext(&there, on_file, 0);
	swapcontext(&here, &there);
}

/* ---- code of its own making, for x86-64 ---- */

#ifdef __x86_64__
/* RDI rounds, then _exit(RSI). */
static const unsigned char rounds_and_exit[] = {
	0x48, 0xff, 0xcf,             /* dec %rdi */
	0x75, 0xfb,                   /* jne -5 */
	0x48, 0x89, 0xf7,             /* mov %rsi,%rdi */
	0xb8, 0xe7, 0x00, 0x00, 0x00, /* mov $231,%eax */
	0x0f, 0x05,                   /* syscall */
};

static void *made_code(void)
{
	void *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (code == MAP_FAILED)
		exit(1);
	memcpy(code, rounds_and_exit, sizeof(rounds_and_exit));
	if (mprotect(code, PAGE, PROT_READ | PROT_EXEC))
		exit(1);
	return code;
}

static void circle(void)
{
	/* Two frame records, each the other's caller. */
	static uint64_t records[4] __attribute__((aligned(16)));
	void *code = made_code();

	records[0] = (uint64_t)(uintptr_t)&records[2];
	records[2] = (uint64_t)(uintptr_t)&records[0];
	records[1] = records[3] = (uint64_t)(uintptr_t)code + 8;
	__asm__ volatile("mov %2, %%rsp\n\t"
			 "mov %2, %%rbp\n\t"
			 "jmp *%3"
			 :
			 : "D"((uint64_t)ROUNDS), "S"((uint64_t)STATUS), "r"(records),
			   "r"(code));
}

/* munmap(program), and on in made code: the call itself is made of it. */
static void unmap(void)
{
	extern const char __executable_start, etext;
	uint64_t start = (uint64_t)(uintptr_t)&__executable_start & -(uint64_t)PAGE;
	uint64_t len = (uint64_t)(uintptr_t)&etext - start;
	unsigned char *code = made_code();

	if (mprotect(code, PAGE, PROT_READ | PROT_WRITE))
		exit(1);
	/* syscall; mov %r8,%rdi; mov %r9,%rsi */
	memcpy(code, "\x0f\x05\x4c\x89\xc7\x4c\x89\xce", 8);
	memcpy(code + 8, rounds_and_exit, sizeof(rounds_and_exit));
	if (mprotect(code, PAGE, PROT_READ | PROT_EXEC))
		exit(1);
	__asm__ volatile("mov %3, %%r8\n\t"
			 "mov %4, %%r9\n\t"
			 "jmp *%5"
			 :
			 : "a"(11), "D"(start), "S"(len), "i"(ROUNDS), "i"(STATUS),
			   "r"(code)
			 : "r8", "r9");
}

static void odd(void)
{
	__asm__ volatile("sub $131, %%rsp\n\t"
			 "1: dec %0\n\t"
			 "jne 1b\n\t"
			 "mov %1, %%edi\n\t"
			 "mov $231, %%eax\n\t"
			 "syscall"
			 :
			 : "r"((uint64_t)ROUNDS), "i"(STATUS));
}
#endif

static const struct way {
	const char *name;
	void (*go)(void);
} ways[] = {
	{ "zeros", zeros },   { "noise", random_words }, { "file", file_stack },
	{ "deep", deep },     { "endless", endless },
#ifdef __x86_64__
	{ "circle", circle }, { "unmap", unmap },        { "odd", odd },
#endif
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(argv[1], ways[i].name))
			ways[i].go();
	fprintf(stderr,
		"usage: hostile HOW, or this machine's processor has no such way\n");
	return 2;
}
