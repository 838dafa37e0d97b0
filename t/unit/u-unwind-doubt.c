/* SPDX-License-Identifier: Apache-2.0 */
/* Frames by rules that are only likely: which of them stay in a stack without a root. */
#include "unwind/unwind.h"

#include "tap.h"
#include "unwind_end.h"
#include "unwind/lookup.h"

#define CODE     0x1000 /* a module of code */
#define CODE_END 0x2000
#define MADE     0x5000 /* code that the program made */
#define MADE_END 0x6000
#define STACK    0x70000

enum { RBP = 6, RSP = 7 };

static const struct unwind_range rules[] = {
	{ 0x1000, 0x1100, { .kind = RULE_ROOT } },
	/* sub $8,%rsp */
	{ 0x1100,
	  0x1200,
	  { .kind = RULE_REG, .cfa_reg = RSP, .cfa_offset = 16, .ra = -1 } },
};

static bool find(void *module, uint64_t address, struct unwind_map *map)
{
	if (address >= CODE && address < CODE_END)
		*map = (struct unwind_map){ CODE, CODE_END, CODE, module, true };
	else if (address >= MADE && address < MADE_END)
		*map = (struct unwind_map){ .start = MADE,
					    .end = MADE_END,
					    .executable = true,
					    .generated = true };
	else if (address >= STACK)
		*map = (struct unwind_map){ STACK, STACK * 2, 0, NULL, false };
	else
		return false;
	return true;
}

/* Behind a call: "leave; ret" from MADE on, "pop; ret" from MADE + 0x100 on. */
static enum unwind_made_answer doubtful_rule(void *context, uint64_t address,
					     bool is_return, struct unwind_made_rule *out)
{
	const struct unwind_rule leave = {
		.kind = RULE_REG, .cfa_reg = RBP, .cfa_offset = 16, .ra = -1, .fp = -2
	};
	const struct unwind_rule pop = {
		.kind = RULE_REG, .cfa_reg = RSP, .cfa_offset = 16, .ra = -1
	};

	(void)context, (void)is_return;
	*out = (struct unwind_made_rule){ .rule = address < MADE + 0x100 ? leave : pop,
					  .doubtful = true };
	return MADE_PROVEN;
}

static bool is_always_behind_call(void *context, uint64_t address)
{
	(void)context, (void)address;
	return true;
}

struct doubt {
	const char *what;
	uint64_t pc, stack[8];
	size_t words, frames, dropped; /* frames left without a root */
	enum unwind_end end;
};

static void check_doubt(const struct doubt *d)
{
	const struct unwind_made made = { doubtful_rule, is_always_behind_call, NULL };
	struct unwind_module *module = unwind_module_of_ranges(
		&unwind_x86_64, rules, sizeof(rules) / sizeof(*rules));
	struct unwinder *u = unwinder_new();
	struct unwind_frames frames = { 0 };
	struct unwind_regs regs = { .pc = d->pc };
	const struct unwind_input in = { .arch = &unwind_x86_64,
					 .regs = &regs,
					 .stack = d->stack,
					 .stack_len = d->words * sizeof(*d->stack),
					 .stack_start = STACK,
					 .find = find,
					 .space = module,
					 .made = &made };

	unwind_reg_set(&regs, RSP, STACK);
	unwind_reg_set(&regs, RBP, STACK + 8);
	unwind_stack(u, &in, &frames);
	is_u64(frames.v.len, d->frames, "%s: frames", d->what);
	is_str(unwind_end_name(frames.end), unwind_end_name(d->end), "%s: end", d->what);
	unwind_frames_drop_doubtful(&frames);
	is_u64(frames.v.len, d->dropped, "%s: frames beyond doubt", d->what);
	if (d->dropped < d->frames)
		is_str(unwind_end_name(frames.end), "no rule", "… and end");
	unwind_frames_release(&frames);
	unwinder_free(u);
	unwind_module_free(module);
}

/* Rules that only lead on to the root, or that the frame pointer confirms, count. */
static void test_doubt(void)
{
	static const struct doubt doubts[] = {
		{ "a doubtful rule, to the root",
		  MADE + 0x110,
		  { 0, 0x1110, 0, 0x1010 },
		  4,
		  3,
		  3,
		  UNWIND_END_ROOT },
		{ "to nowhere",
		  MADE + 0x110,
		  { 0, 0x1110, 0, 1 },
		  4,
		  1,
		  1,
		  UNWIND_END_NO_RULE },
		{ "to the end of the copy",
		  MADE + 0x110,
		  { 0, 0x1110, 0 },
		  3,
		  2,
		  1,
		  UNWIND_END_TRUNCATED },
		{ "one that says what the frame pointer says",
		  MADE + 0x10,
		  { 0, STACK, 0x1110, 0 },
		  4,
		  2,
		  2,
		  UNWIND_END_TRUNCATED },
		{ "… to nowhere",
		  MADE + 0x10,
		  { 0, STACK, 0x1110, 0, 1 },
		  5,
		  2,
		  2,
		  UNWIND_END_BAD_MEMORY },
		{ "… before one that needs its stack pointer",
		  MADE + 0x10,
		  { 0, STACK, MADE + 0x110, 0, 0x1110, 0 },
		  6,
		  3,
		  1,
		  UNWIND_END_TRUNCATED },
	};

	for (size_t i = 0; i < sizeof(doubts) / sizeof(*doubts); i++)
		check_doubt(&doubts[i]);
}

int main(void)
{
	test_doubt();
	return done_testing();
}
