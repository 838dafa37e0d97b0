/* SPDX-License-Identifier: Apache-2.0 */
#include "own_stacks.h"

#include <signal.h>
#include <unistd.h>

enum {
	COPY = 24576,
	SPARE = 256 << 10, /* of our stack, to be mapped before we look */
};

typedef unsigned step_fn(struct own_stacks *s, unsigned depth, uint64_t path);
static step_fn small_frame, many_registers, large_frame, aligned_frame, dynamic_frame,
	bare_frame, huge_frame, interrupted;
static step_fn *const steps[] = {
	small_frame,   many_registers, large_frame, aligned_frame,
	dynamic_frame, bare_frame,     huge_frame,  interrupted,
};

/*
 * From the looking frame, which has a context and what sanitizers add, to the environment, above
 * the first one.
 */
static size_t copied(void)
{
	const uintptr_t sp = (uintptr_t)__builtin_frame_address(0) -
			     4 * sizeof(ucontext_t);
	const size_t len = (uintptr_t)environ - sp;

	return len < COPY ? len : COPY;
}

static __attribute__((noinline)) unsigned look_here(struct own_stacks *s)
{
	SELF_SAMPLE_HERE(s->sample, s->space, copied());
	return 1;
}

static __attribute__((noinline)) unsigned look_there(struct own_stacks *s)
{
	SELF_SAMPLE_HERE(s->sample, s->space, copied());
	return 2;
}

static __attribute__((noinline)) unsigned next(struct own_stacks *s, unsigned depth,
					       uint64_t path)
{
	if (!depth)
		return (path & 1 ? look_here(s) : look_there(s)) + 1;
	return steps[path & 7](s, depth - 1, path >> 3 | path << 61) + 1;
}

static __attribute__((noinline)) unsigned small_frame(struct own_stacks *s,
						      unsigned depth, uint64_t path)
{
	return next(s, depth, path) + 1;
}

static __attribute__((noinline)) unsigned bare_frame(struct own_stacks *s, unsigned depth,
						     uint64_t path)
{
	if (path & 1)
		return next(s, depth, path) + 3;
	return next(s, depth, path) + 5;
}

static __attribute__((noinline)) unsigned many_registers(struct own_stacks *s,
							 unsigned depth, uint64_t path)
{
	unsigned x = depth, p = x * 3, q = x ^ 5, r = x | 7, t = x / 11;
	unsigned y = next(s, depth, path);

	return y + p * q + r * t;
}

static __attribute__((noinline)) unsigned large_frame(struct own_stacks *s,
						      unsigned depth, uint64_t path)
{
	volatile unsigned table[16];

	table[depth & 15] = depth;
	return next(s, depth, path) + table[(depth + 1) & 15];
}

static __attribute__((noinline)) unsigned aligned_frame(struct own_stacks *s,
							unsigned depth, uint64_t path)
{
	_Alignas(64) volatile unsigned table[16];

	table[depth & 15] = depth;
	return next(s, depth, path) + table[(depth + 1) & 15];
}

static __attribute__((noinline)) unsigned dynamic_frame(struct own_stacks *s,
							unsigned depth, uint64_t path)
{
	volatile unsigned char *bytes = __builtin_alloca(16 + (path & 0x30));

	bytes[depth & 15] = (unsigned char)depth;
	return next(s, depth, path) + bytes[(depth + 1) & 15];
}

/* A copy of more than 8 KiB tells how deep stacks are. */
static __attribute__((noinline)) unsigned huge_frame(struct own_stacks *s, unsigned depth,
						     uint64_t path)
{
	volatile unsigned char bytes[5000];

	if (path & 3)
		return next(s, depth, path) + 9;
	bytes[depth] = (unsigned char)depth;
	return next(s, depth, path) + bytes[depth + 1];
}

/* What the handler goes on with; raise is said to call none of us. */
static volatile struct {
	struct own_stacks *stacks;
	unsigned depth;
	uint64_t path;
} pending;

/* Some samples are of the moment before. */
static void handle(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (pending.depth % 8 == 1)
		self_sample(pending.stacks->sample, pending.stacks->space, context,
			    copied());
	else
		next(pending.stacks, pending.depth, pending.path);
}

/* Once in a stack: the frame of a signal takes much of the copy. */
static __attribute__((noinline)) unsigned interrupted(struct own_stacks *s,
						      unsigned depth, uint64_t path)
{
	if (path % 2 || pending.stacks)
		return next(s, depth, path) + 7;
	pending.stacks = s;
	pending.depth = depth;
	pending.path = path;
	raise(SIGUSR1);
	pending.stacks = NULL;
	return 1;
}

/* Our stack's mapping grows now: it is looked up once. */
static __attribute__((noinline)) void touch_stack(void)
{
	volatile char spare[SPARE];

	spare[0] = spare[SPARE - 1] = 0;
	(void)spare[0];
}

void own_stacks_init(struct own_stacks *s, struct self_sample *sample,
		     struct self_space *space)
{
	const struct sigaction act = { .sa_sigaction = handle,
				       .sa_flags = SA_NODEFER | SA_SIGINFO };

	touch_stack();
	self_space_init(space);
	*s = (struct own_stacks){ sample, space };
	sigaction(SIGUSR1, &act, NULL);
}

void own_stacks_take(struct own_stacks *s, unsigned depth, uint64_t path)
{
	next(s, depth, path);
}
