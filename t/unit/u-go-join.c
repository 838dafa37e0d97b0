/* SPDX-License-Identifier: Apache-2.0 */
/* Callers beyond Go's stack switches, by the kernel's chain, in a made-up program. */
#include <stdlib.h>
#include <string.h>

#include "go_program.h"
#include "tap.h"
#include "unwind/unwind.h"

#define STACK 0x7000
#define OTHER UINT64_C(0xc000040) /* on a goroutine's stack, which is not copied */
#define WORDS 8

static bool find(void *space, uint64_t address, struct unwind_map *map)
{
	*map = (struct unwind_map){ TEXT, IMAGE, TEXT, space, true };
	return address >= TEXT && address < IMAGE;
}

struct stack {
	const char *what;
	uint64_t pc, fp;
	uint64_t words[WORDS], chain[WORDS], want[WORDS];
	enum unwind_end end;
};

static size_t count(const uint64_t *words)
{
	size_t n = 0;

	while (n < WORDS && words[n])
		n++;
	return n;
}

static void test_stack(struct unwinder *u, struct unwind_module *m, const struct stack *s)
{
	struct unwind_regs regs = { .pc = s->pc };
	struct unwind_frames frames = { 0 };
	struct unwind_input in = {
		.arch = &unwind_x86_64,
		.regs = &regs,
		.stack = s->words,
		.stack_len = sizeof(s->words),
		.stack_start = STACK,
		.chain = s->chain,
		.chain_len = count(s->chain),
		.find = find,
		.space = m,
	};
	bool same;

	unwind_reg_set(&regs, RSP, STACK);
	unwind_reg_set(&regs, RBP, s->fp);
	for (unsigned again = 0; again < 2; again++) { /* found, and remembered */
		unwind_stack(u, &in, &frames);
		same = frames.end == s->end && frames.v.len == count(s->want);
		for (size_t i = 0; same && i < frames.v.len; i++)
			same = frames.v.data[i].address == s->want[i] &&
			       frames.v.data[i].is_return == (i > 0);
		ok(same, "%s", s->what);
	}
	unwind_frames_release(&frames);
}

static void test_stacks(const struct go_program *p)
{
	const uint64_t in_closure = start_of(CLOSURE) + 4, goexit = TEXT + 1;
	const uint64_t in_worker = start_of(WORKER_FUNC) + 4;
	const uint64_t later = start_of(LATER_SWITCH) + 1, old = start_of(OLD_SWITCH);
	const struct stack stacks[] = {
		{ "the argument shows which of two calls was made",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.sw },
		  { in_closure, p->ret.sw, p->ret.top, goexit },
		  { in_closure, p->ret.sw, p->ret.grow, p->ret.top, goexit },
		  UNWIND_END_ROOT },
		{ "a goroutine's first function, by the argument that it passed",
		  in_worker,
		  STACK,
		  { OTHER, p->ret.sw },
		  { in_worker, p->ret.sw, goexit },
		  { in_worker, p->ret.sw, p->ret.worker, goexit },
		  UNWIND_END_ROOT },
		{ "a caller that did not pass it: no edge is invented",
		  in_worker,
		  STACK,
		  { OTHER, p->ret.sw },
		  { in_worker, p->ret.sw, p->ret.top, goexit },
		  { in_worker, p->ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "a caller without a direct call",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.sw },
		  { in_closure, p->ret.sw, p->ret.top_ptr, goexit },
		  { in_closure, p->ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "a switch that keeps a frame is in the chain",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.later_sw },
		  { in_closure, p->ret.later_sw, p->ret.later, goexit },
		  { in_closure, p->ret.later_sw, p->ret.later, goexit },
		  UNWIND_END_ROOT },
		{ "a call to another function proves nothing",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.later_sw },
		  { in_closure, p->ret.later_sw, p->ret.grow, goexit },
		  { in_closure, p->ret.later_sw },
		  UNWIND_END_OTHER_STACK },
		{ "proven callers stay",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.sw },
		  { in_closure, p->ret.sw, p->ret.top, p->ret.top },
		  { in_closure, p->ret.sw, p->ret.grow, p->ret.top },
		  UNWIND_END_OTHER_STACK },
		{ "without a chain",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.sw },
		  { 0 },
		  { in_closure, p->ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "a chain of other frame pointers",
		  in_closure,
		  OTHER - 64,
		  { OTHER, p->ret.sw },
		  { in_closure, p->ret.top, goexit },
		  { in_closure, p->ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "a chain that the copy contradicts",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.sw },
		  { in_closure, p->ret.later_sw, p->ret.top, goexit },
		  { in_closure, p->ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "in the function that changes stacks",
		  start_of(SWITCH) + 4,
		  OTHER,
		  { 0 },
		  { start_of(SWITCH) + 4, p->ret.later, goexit },
		  { start_of(SWITCH) + 4 },
		  UNWIND_END_OTHER_STACK },
		{ "the frame pointer is pushed, but still the caller's",
		  later,
		  OTHER,
		  { 0 },
		  { later, p->ret.top_later, goexit },
		  { later, p->ret.later, p->ret.top_later, goexit },
		  UNWIND_END_ROOT },
		{ "without a direct call the skipped caller is unknown",
		  later,
		  OTHER,
		  { 0 },
		  { later, p->ret.top_ptr, goexit },
		  { later },
		  UNWIND_END_OTHER_STACK },
		{ "once it is set, it is the function's own",
		  later + 3,
		  OTHER,
		  { 0 },
		  { later + 3, p->ret.later, p->ret.top_later, goexit },
		  { later + 3, p->ret.later, p->ret.top_later, goexit },
		  UNWIND_END_ROOT },
		{ "stored, but not set",
		  old + 8,
		  OTHER,
		  { 0 },
		  { old + 8, p->ret.top_ptr, goexit },
		  { old + 8 },
		  UNWIND_END_OTHER_STACK },
		{ "set behind the store",
		  old + 12,
		  OTHER,
		  { 0 },
		  { old + 12, p->ret.top_ptr, goexit },
		  { old + 12, p->ret.top_ptr, goexit },
		  UNWIND_END_ROOT },
		{ "restored before the stack pointer",
		  old + 17,
		  OTHER,
		  { 0 },
		  { old + 17, p->ret.top_ptr, goexit },
		  { old + 17 },
		  UNWIND_END_OTHER_STACK },
		{ "not restored behind a return",
		  old + 22,
		  OTHER,
		  { 0 },
		  { old + 22, p->ret.top_ptr, goexit },
		  { old + 22, p->ret.top_ptr, goexit },
		  UNWIND_END_ROOT },
		{ "a chain of other registers, as with a precise event",
		  later + 3,
		  OTHER,
		  { 0 },
		  { later + 4, p->ret.later, p->ret.top_later, goexit },
		  { later + 3 },
		  UNWIND_END_OTHER_STACK },
		{ "the copy has a part of that chain",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.later_sw },
		  { in_closure + 1, p->ret.later_sw, p->ret.later, goexit },
		  { in_closure, p->ret.later_sw, p->ret.later, goexit },
		  UNWIND_END_ROOT },
		{ "a function that mcall called never returns",
		  in_closure,
		  STACK,
		  { OTHER, p->ret.mcall },
		  { in_closure, p->ret.mcall, p->ret.top, goexit },
		  { in_closure, p->ret.mcall },
		  UNWIND_END_ROOT },
	};
	struct unwinder *u = unwinder_new();

	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
		test_stack(u, p->module, &stacks[i]);
	is_u64(unwinder_stats(u)->joined, 16, "joined stacks are counted");
	unwinder_free(u);
}

/* ---- holes in the code ---- */

/* The program; everything but the hole is executable. */
struct part {
	struct unwind_module *module;
	uint64_t hole, hole_end;
};

static bool find_part(void *space, uint64_t address, struct unwind_map *map)
{
	const struct part *part = space;
	const bool executable = address < part->hole || address >= part->hole_end;

	*map = (struct unwind_map){ address, address + 1, address, part->module,
				    executable };
	return address >= TEXT && address < IMAGE;
}

/* The table and the code prove callers, but these must be mapped as code. */
static void test_no_code(const struct go_program *p)
{
	static const struct {
		enum which hole;
		size_t frames;
		enum unwind_end end;
	} holes[] = {
		{ FUNCS, 5, UNWIND_END_ROOT },
		{ GROW, 2, UNWIND_END_OTHER_STACK }, /* the chain lacks it */
		{ TOP, 2, UNWIND_END_OTHER_STACK },
		{ GOEXIT, 4, UNWIND_END_OTHER_STACK },
	};
	const uint64_t pc = start_of(CLOSURE) + 4, words[] = { OTHER, p->ret.sw };
	const uint64_t chain[] = { pc, p->ret.sw, p->ret.top, TEXT + 1 };
	struct unwinder *u = unwinder_new();
	struct unwind_regs regs = { .pc = pc };
	struct unwind_frames frames = { 0 };

	p->module->serial = 0; /* a new module */
	unwind_reg_set(&regs, RSP, STACK);
	unwind_reg_set(&regs, RBP, STACK);
	for (size_t i = 0; i < sizeof(holes) / sizeof(*holes); i++) {
		const enum which hole = holes[i].hole;
		struct part part = { p->module, start_of(hole), start_of(hole) + FUNC };
		const struct unwind_input in = { .arch = &unwind_x86_64,
						 .regs = &regs,
						 .stack = words,
						 .stack_len = sizeof(words),
						 .stack_start = STACK,
						 .chain = chain,
						 .chain_len = 4,
						 .find = find_part,
						 .space = &part };

		unwind_stack(u, &in, &frames);
		ok(frames.v.len == holes[i].frames && frames.end == holes[i].end,
		   "%s is not mapped as code",
		   hole == FUNCS ? "nothing of the stack" : funcs[hole].name);
	}
	unwind_frames_release(&frames);
	unwinder_free(u);
}

/* ---- a table that takes long to read ---- */

enum { STEPS = 1 << 20, BUDGET = 1 << 20 /* of walk.h */ };

static bool find_long(void *space, uint64_t address, struct unwind_map *map)
{
	*map = (struct unwind_map){ TEXT, IMAGE + STEPS, TEXT, space, true };
	return address >= TEXT && address < map->end;
}

/* The last function becomes one whose depth changes with each of its STEPS bytes. */
static unsigned char *lengthen(const struct go_program *p)
{
	const struct layout *l = &layouts[LAYOUT_OF_PROGRAM];
	const struct table *table = &p->table;
	struct go_table *t = &p->module->go.table;
	const uint64_t last = t->pcln + 2 * LATER * l->width;
	const uint32_t end = LATER * FUNC + STEPS,
		       pcsp = (uint32_t)(table->len - t->pctab);
	unsigned char *bytes = malloc(table->len + 2 * STEPS), *pair = bytes + table->len;
	uint32_t record;

	memcpy(bytes, table->bytes, table->len);
	memcpy(&record, bytes + last + l->width, sizeof(record));
	memcpy(bytes + last + 2 * l->width, &end, sizeof(end));
	memcpy(bytes + t->pcln + record + l->pcsp, &pcsp, sizeof(pcsp));
	memcpy(pair, "\x02\x01\x10\x01", 4); /* 0, 8, then 16 and 8 in turns */
	for (size_t i = 2; i < STEPS; i++)
		memcpy(pair + 2 * i, i % 2 ? "\x0f\x01" : "\x10\x01", 2);
	return go_table_init(t, bytes, table->len + 2 * STEPS) ? bytes : NULL;
}

/*
 * A stack whose first frame uses nearly the whole budget, which is then too small for its
 * edges.  It suffices once the frame's rule is known.
 */
static void test_budget(const struct go_program *p)
{
	enum { BEFORE = 41 };
	const uint64_t words[] = { OTHER, p->ret.later_sw };
	unsigned char *bytes = lengthen(p);
	unsigned spent = 0, cut = 0, wrong = 0;
	struct unwind_frames frames = { 0 };

	for (uint64_t at = BUDGET / 2 - BEFORE; at < BUDGET / 2 + 2; at += 2) {
		struct unwinder *u = unwinder_new();
		struct unwind_regs regs = { .pc = start_of(LATER) + at };
		const uint64_t chain[] = { regs.pc, p->ret.later_sw, p->ret.later,
					   TEXT + 1 };
		const struct unwind_input in = { .arch = &unwind_x86_64,
						 .regs = &regs,
						 .stack = words,
						 .stack_len = sizeof(words),
						 .stack_start = STACK,
						 .chain = chain,
						 .chain_len = 4,
						 .find = find_long,
						 .space = p->module };

		p->module->serial = 0; /* a new module */
		unwind_reg_set(&regs, RSP, STACK);
		unwind_reg_set(&regs, RBP, STACK);
		unwind_stack(u, &in, &frames);
		if (frames.end == UNWIND_END_OTHER) {
			spent += frames.v.len == 1;
			cut += frames.v.len == 2;
		}
		if (frames.v.len > 1) {
			unwind_stack(u, &in, &frames);
			wrong += frames.end != UNWIND_END_ROOT;
		}
		unwinder_free(u);
	}
	ok(spent, "finding a depth takes too long");
	ok(cut, "an edge without budget is cut");
	ok(!wrong, "and is not remembered as missing");
	unwind_frames_release(&frames);
	p->module->go.table = (struct go_table){ 0 };
	free(bytes);
}

static struct go_program program;

int main(void)
{
	if (ok(make_program(&program), "a Go program")) {
		test_stacks(&program);
		test_no_code(&program);
		test_budget(&program);
	}
	unwind_module_free(program.module);
	return done_testing();
}
