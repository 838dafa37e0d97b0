/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unwinder's cost of a frame: this program's own stack at some depths, with cached
 * rules (warm), with rules made from call frame information in memory (cold), and with
 * the modules' files opened and read too (first).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "self.h"

#define ROUNDS 31

struct bench {
	struct self_space space;
	struct self_sample sample;
	struct unwinder *u;
	struct unwind_frames frames;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Functions with frames of several sizes, half of them with much to restore. */
typedef int step_fn(struct bench *b, int depth, int x);
static step_fn small_frame, many_registers, large_frame;
static step_fn *const steps[] = { small_frame, many_registers, large_frame };

static __attribute__((noinline)) int record(struct bench *b, int x)
{
	SELF_SAMPLE_HERE(&b->sample, &b->space, SELF_STACK);
	return x;
}

static __attribute__((noinline)) int next(struct bench *b, int depth, int x)
{
	if (depth <= 0)
		return record(b, x) + 1;
	return steps[depth % 3](b, depth - 2, x + depth) + 1;
}

static __attribute__((noinline)) int small_frame(struct bench *b, int depth, int x)
{
	return next(b, depth, x + 1) + 1;
}

static __attribute__((noinline)) int many_registers(struct bench *b, int depth, int x)
{
	int p = x * 3, q = x ^ 5, r = x | 7, s = x / 11, y = next(b, depth, p ^ q);

	return y + p * q + r * s;
}

static __attribute__((noinline)) int large_frame(struct bench *b, int depth, int x)
{
	volatile int table[64];

	table[x & 63] = x;
	return next(b, depth, x) + table[(x + 1) & 63];
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void report(const char *what, size_t frames, uint64_t *ns)
{
	qsort(ns, ROUNDS, sizeof(*ns), by_value);
	printf("%-6s depth %4zu: %8.1f ns a frame, %9.2f us a stack\n", what, frames,
	       (double)ns[ROUNDS / 2] / (double)frames, (double)ns[ROUNDS / 2] / 1000);
}

static void warm(struct bench *b)
{
	const uint64_t repeat = 20000 / (b->frames.v.len + 1) + 1;
	uint64_t ns[ROUNDS], start;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		start = now_ns();
		for (uint64_t n = 0; n < repeat; n++)
			self_unwind(b->u, &b->space, &b->sample, &b->frames);
		ns[i] = (now_ns() - start) / repeat;
	}
	report("warm", b->frames.v.len, ns);
}

/* Modules belong to one unwinder: those of the last round are opened and read anew. */
static void renew(struct bench *b)
{
	unwinder_free(b->u);
	self_space_release(&b->space);
	self_space_init(&b->space);
	b->u = unwinder_new();
}

static void cold(struct bench *b, bool first)
{
	struct unwind_frames one = { 0 };
	struct self_sample *sample = &b->sample;
	uint64_t ns[ROUNDS], start;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		renew(b);
		for (size_t n = 0; !first && n < b->frames.v.len; n++) {
			/* Another address of the same module, to have it read. */
			struct unwind_map map;
			uint64_t address = b->frames.v.data[n].address;

			if (self_find(&b->space, address, &map))
				unwind_is_root(b->u, map.module,
					       address + 8 - map.start + map.file_offset);
		}
		start = now_ns();
		self_unwind(b->u, &b->space, sample, &one);
		ns[i] = now_ns() - start;
	}
	report(first ? "first" : "cold", one.v.len, ns);
	unwind_frames_release(&one);
}

int main(void)
{
	static struct bench b;
	static const int depths[] = { 25, 200, 2000 };
	int sum = 0;

	if (!unwind_arch_host())
		return 77;
	sum += next(&b, 4000, 1); /* the stack's mapping grows now */
	self_space_init(&b.space);
	b.u = unwinder_new();
	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		/* record, next and main are frames too, and _start and what calls main.
		 */
		sum += next(&b, depths[i] - 6, 1);
		self_unwind(b.u, &b.space, &b.sample, &b.frames);
		if (b.frames.end != UNWIND_END_ROOT) {
			fprintf(stderr, "bench_unwind: the stack is not complete\n");
			return 1;
		}
		warm(&b);
		cold(&b, false);
		cold(&b, true);
	}
	unwind_frames_release(&b.frames);
	unwinder_free(b.u);
	self_space_release(&b.space);
	return sum == 0;
}
