/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares stacks of this program, compiled without frame pointers, with backtrace():
 * recursion, callbacks from libc, handlers, threads, and wherever a timer interrupts.
 */
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include "self.h"
#include "tap.h"
#include "unwind_end.h"

#define MAX           2048
#define TIMER_SAMPLES 200

/* Results for the checks; global because signal handlers have no argument. */
static struct {
	struct self_space space;
	struct self_sample sample, interrupted;
	struct unwinder *u;
	struct unwind_frames frames;
	void *trace[MAX];
	int traced;
	volatile sig_atomic_t ready;
} t;

/* In one function, so that both stacks differ only in the first frame's address. */
static __attribute__((noinline)) void record(void)
{
	SELF_SAMPLE_HERE(&t.sample, &t.space, SELF_STACK);
	t.traced = backtrace(t.trace, MAX);
}

/* Sanitizers put a frame of their own in front of backtrace's. */
static size_t foreign_frames(void)
{
	size_t n = 0;

	while (t.frames.v.len > 1 && n + 1 < (size_t)t.traced &&
	       (uint64_t)(uintptr_t)t.trace[n + 1] != t.frames.v.data[1].address)
		n++;
	return n;
}

/* How many frames from FIRST on agree with backtrace's from SKIP + FIRST on. */
static size_t agreeing(size_t first, size_t skip)
{
	size_t i = first;

	while (i < t.frames.v.len && i + skip < (size_t)t.traced &&
	       t.frames.v.data[i].address == (uint64_t)(uintptr_t)t.trace[i + skip])
		i++;
	return i;
}

static void check(const char *what, size_t at_least)
{
	size_t foreign;

	self_unwind(t.u, &t.space, &t.sample, &t.frames);
	is_str(unwind_end_name(t.frames.end), "root", "%s: complete", what);
	ok(t.frames.v.len >= at_least, "%s: %zu frames of at least %zu", what,
	   t.frames.v.len, at_least);
	foreign = foreign_frames();
	is_u64(t.frames.v.len + foreign, (uint64_t)t.traced, "%s: as many as backtrace's",
	       what);
	is_u64(agreeing(1, foreign), t.frames.v.len, "%s: and the same", what);
	ok(!t.frames.fp_used, "%s: none by a frame pointer", what);
}

static __attribute__((noinline)) int recurse(int depth)
{
	volatile char filler[24];

	filler[0] = (char)depth;
	if (!depth)
		record();
	else
		filler[0] = (char)(filler[0] + recurse(depth - 1));
	return filler[0];
}

static int compare_and_record(const void *a, const void *b)
{
	record();
	return *(const int *)a - *(const int *)b;
}

static void sort_some(void)
{
	int numbers[] = { 3, 1, 2, 5, 4 };

	qsort(numbers, 5, sizeof(*numbers), compare_and_record);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	record();
	self_sample(&t.interrupted, &t.space, context, SELF_STACK);
}

static void *in_thread(void *arg)
{
	self_space_release(&t.space);
	self_space_init(&t.space);
	recurse(10);
	return arg;
}

#ifdef __GLIBC__
static void in_context(void)
{
	recurse(10);
}

static ucontext_t back;

static noreturn __attribute__((noinline)) void recurse_and_leave(void)
{
	recurse(10);
	setcontext(&back);
	abort();
}

static void never_returns(void)
{
	recurse_and_leave();
}

/* As in Boost.Context, without call frame information. */
#ifdef __x86_64__
__asm__(".text\n"
	"nop\n"
	".globl fiber_end\n"
	".type fiber_end, @function\n"
	"fiber_end: xorq %rdi, %rdi\n"
	"call _exit@PLT\n"
	"hlt\n"
	".size fiber_end, . - fiber_end\n");
#else
__asm__(".text\n"
	"ret\n"
	".globl fiber_end\n"
	".type fiber_end, %function\n"
	"fiber_end: mov x0, #0\n"
	"bl _exit\n"
	".size fiber_end, . - fiber_end\n");
#endif
void fiber_end(void);

/* Switches to THERE, and unwinds the stack that is sampled there. */
static void enter(ucontext_t *there)
{
	self_space_release(&t.space);
	self_space_init(&t.space);
	swapcontext(&back, there);
	self_unwind(t.u, &t.space, &t.sample, &t.frames);
}

/* A coroutine's stack ends at the code that its function returns to. */
static void test_context(void)
{
	static char stack[256 << 10];
	static ucontext_t there;

	getcontext(&there);
	there.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) };
	there.uc_link = &back;
	makecontext(&there, in_context, 0);
	enter(&there);
	is_str(unwind_end_name(t.frames.end), "root", "a coroutine: complete");
	ok(t.frames.v.len >= 13, "a coroutine: %zu frames", t.frames.v.len);
	ok(!t.frames.v.data[t.frames.v.len - 1].is_return,
	   "a coroutine: its root made no call");
}

/* Sets registers as if END called FUNCTION with the stack pointer at TOP. */
static void called(mcontext_t *regs, void (*function)(void), void (*end)(void),
		   void **top)
{
#ifdef __x86_64__
	memcpy(--top, &end, sizeof(end));
	regs->gregs[REG_RSP] = (greg_t)(uintptr_t)top;
	regs->gregs[REG_RIP] = (greg_t)(uintptr_t)function;
#else
	regs->regs[30] = (uintptr_t)end;
	regs->sp = (uintptr_t)top;
	regs->pc = (uintptr_t)function;
#endif
}

/*
 * Coroutines that libc does not make, in the middle of a stack's memory.  Their first
 * function returns to END, or never returns and END is 0.
 */
static void test_fiber(const char *what, void (*end)(void), void (*root)(void))
{
	enum { ROOT_SIZE = 256 };
	static _Alignas(16) void *stack[32 << 10];
	static ucontext_t there;
	void **top = &stack[sizeof(stack) / sizeof(stack[0]) / 2];
	uint64_t outermost;

	getcontext(&there);
	called(&there.uc_mcontext, never_returns, end, top);
	enter(&there);
	outermost = t.frames.v.data[t.frames.v.len - 1].address;
	is_str(unwind_end_name(t.frames.end), "root", "%s: complete", what);
	ok(t.frames.v.len >= 13, "%s: %zu frames", what, t.frames.v.len);
	ok(outermost - (uintptr_t)root < ROOT_SIZE, "%s: its root", what);
}

static void test_contexts(void)
{
	test_context();
	test_fiber("a coroutine that never returns", NULL, never_returns);
	test_fiber("a fiber that would end the process", fiber_end, fiber_end);
}
#else
static void test_contexts(void)
{
}
#endif

/* A frame whose size is known only at run time, and which is aligned. */
static __attribute__((noinline)) int odd_frames(size_t n)
{
	_Alignas(64) volatile char aligned[64];
	volatile char *dynamic = __builtin_alloca(n);

	aligned[0] = dynamic[0] = (char)n;
	record();
	return aligned[0] + dynamic[0];
}

static void test_handlers(void)
{
	static char other_stack[256 << 10];
	const stack_t alternate = { .ss_sp = other_stack,
				    .ss_size = sizeof(other_stack) };
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	check("in a handler", 4);
	t.sample = t.interrupted;
	self_unwind(t.u, &t.space, &t.sample, &t.frames);
	is_str(unwind_end_name(t.frames.end), "root", "the interrupted stack");

	action.sa_flags |= SA_ONSTACK;
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	self_unwind(t.u, &t.space, &t.sample, &t.frames);
	is_str(unwind_end_name(t.frames.end), "other stack",
	       "an alternate stack does not contain the other");
	is_u64(agreeing(1, foreign_frames()), t.frames.v.len, "its frames are right");
	ok(t.frames.v.len >= 3, "it has the interrupted function");
}

static void on_timer(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	if (t.ready)
		return;
	self_sample(&t.sample, &t.space, context, SELF_STACK);
	t.traced = backtrace(t.trace, MAX);
	t.ready = 1;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Calls much of libc. */
static void work(void)
{
	static char texts[64][24];
	struct timespec now;

	for (unsigned int i = 0; i < 100; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	for (unsigned int i = 0; i < 64; i++)
		snprintf(texts[i], sizeof(texts[i]), "%.12g", 1.0 / (i * 7919 % 64 + 1));
	qsort(texts, 64, sizeof(*texts), by_text);
	if (strtod(texts[0], NULL) < 0)
		abort();
}

/*
 * Whether all of backtrace's frames agree, from the interrupted address on.  From
 * aarch64's PLT stubs it does not reach the root.
 */
static bool timer_sample_agrees(unsigned long *shorter)
{
	size_t skip = 0;

	self_unwind(t.u, &t.space, &t.sample, &t.frames);
	while (skip < (size_t)t.traced &&
	       (uint64_t)(uintptr_t)t.trace[skip] != t.sample.regs.pc)
		skip++;
	*shorter += skip + 1 == (size_t)t.traced && t.frames.v.len > 1;
	return t.frames.end == UNWIND_END_ROOT &&
	       agreeing(0, skip) == (size_t)t.traced - skip &&
	       (t.frames.v.len == (size_t)t.traced - skip ||
		skip + 1 == (size_t)t.traced);
}

static void test_timer(void)
{
	const struct itimerval each = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	const struct sigaction action = { .sa_sigaction = on_timer,
					  .sa_flags = SA_SIGINFO | SA_RESTART };
	unsigned long samples = 0, agree = 0, shorter = 0;

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &each, NULL);
	while (samples < TIMER_SAMPLES) {
		work();
		if (!t.ready)
			continue;
		agree += timer_sample_agrees(&shorter);
		samples++;
		t.ready = 0;
	}
	setitimer(ITIMER_PROF, &never, NULL);
	is_u64(agree, samples, "interrupted anywhere: the same as backtrace");
	ok(shorter * 10 < samples, "backtrace has nothing for %lu", shorter);
}

/* Copies of every length never have a frame that the whole stack lacks. */
static void test_truncation(void)
{
	struct unwind_frames whole = { 0 };
	unsigned int wrong = 0, ends = 0;
	size_t len;

	recurse(20);
	self_unwind(t.u, &t.space, &t.sample, &whole);
	for (len = 0; len < t.sample.stack_len && len < 4096; len++) {
		t.sample.stack_len = len;
		self_unwind(t.u, &t.space, &t.sample, &t.frames);
		for (size_t i = 0; i < t.frames.v.len; i++)
			wrong += i >= whole.v.len ||
				 t.frames.v.data[i].address != whole.v.data[i].address;
		ends += t.frames.end == (t.frames.v.len == whole.v.len
						 ? UNWIND_END_ROOT
						 : UNWIND_END_TRUNCATED);
		t.sample.stack_len = SELF_STACK;
	}
	is_u64(wrong, 0, "a shorter copy invents no frame");
	is_u64(ends, len, "and its end says that it is shorter");
	unwind_frames_release(&whole);
}

int main(void)
{
	pthread_t thread;

	if (!unwind_arch_host())
		skip_all("this architecture has no stacks to unwind");
	t.u = unwinder_new();
	recurse(2000); /* the stack's mapping grows now, not later */
	self_space_init(&t.space);
	recurse(5);
	check("recursion", 8);
	recurse(1500);
	check("deep recursion", 1500);
	sort_some();
	check("a callback from libc", 5);
	odd_frames(100);
	check("realigned and dynamic frames", 3);
	test_handlers();
	test_contexts();
	test_truncation();
	test_timer();
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	check("a thread", 13);
	unwind_frames_release(&t.frames);
	unwinder_free(t.u);
	self_space_release(&t.space);
	return done_testing();
}
