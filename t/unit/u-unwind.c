/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks, registers and rules as tables, and the expected frames. */
#include "unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "unwind_end.h"
#include "unwind/lookup.h"
#include "unwind/step.h"

#define CODE       0x1000 /* a module of code, from its offset 0x1000 on */
#define CODE_END   0x3000
#define JIT        0x4000 /* executable, without a module */
#define JIT_END    0x5000
#define UNREAD     0x6000 /* of a file that could not be opened */
#define UNREAD_END 0x7000
#define STACK      0x70000

/* x86-64's and aarch64's registers by DWARF number. */
enum { RAX = 0, RBX = 3, RBP = 6, RSP = 7, R10 = 10, X29 = 29, X30 = 30, SP = 31 };

static const struct unwind_range x86_rules[] = {
	{ 0x1000, 0x1100, { .kind = RULE_ROOT } },
	/* sub $8,%rsp */
	{ 0x1100,
	  0x1200,
	  { .kind = RULE_REG, .cfa_reg = RSP, .cfa_offset = 16, .ra = -1 } },
	/* push %rbp; mov %rsp,%rbp; push %rbx */
	{ 0x1200,
	  0x1300,
	  { .kind = RULE_REG,
	    .cfa_reg = RBP,
	    .cfa_offset = 16,
	    .ra = -1,
	    .fp = -2,
	    .saved = { -1 } } },
	/* push %rbx */
	{ 0x1300,
	  0x1400,
	  { .kind = RULE_REG,
	    .cfa_reg = RSP,
	    .cfa_offset = 16,
	    .ra = -1,
	    .saved = { -2 } } },
	/* a CFA based on %rbx, as in the dynamic linker's resolver */
	{ 0x1400,
	  0x1500,
	  { .kind = RULE_REG, .cfa_reg = RBX, .cfa_offset = 16, .ra = -1 } },
	/* PLT: 8, and 16 from byte 11 on */
	{ 0x1500,
	  0x1600,
	  { .kind = RULE_PLT, .cfa_reg = RSP, .cfa_offset = 11, .ra = -1 } },
	{ 0x1600, 0x1700, { .kind = RULE_SIGFRAME, .flags = RULE_SIGNAL } },
	/* and $-32,%rsp; push -8(%r10); push %rbp; mov %rsp,%rbp; push %r10; push %rbx */
	{ 0x1700,
	  0x1800,
	  { .kind = RULE_MEM,
	    .cfa_reg = RBP,
	    .cfa_offset = -8,
	    .flags = RULE_SAVED_BY_FP,
	    .ra = -1,
	    .saved = { -2 } } },
	{ 0x1800,
	  0x1900,
	  { .kind = RULE_REG, .cfa_reg = RSP, .cfa_offset = 0, .ra = -1 } },
	/* leaf that has not touched the stack */
	{ 0x1900,
	  0x1a00,
	  { .kind = RULE_REG, .cfa_reg = RSP, .cfa_offset = 8, .ra = -1 } },
	{ 0x1a00,
	  0x1b00,
	  { .kind = RULE_REG, .cfa_reg = R10, .cfa_offset = 0, .ra = -1 } },
	/* behind clone's system call */
	{ 0x1b00,
	  0x1c00,
	  { .kind = RULE_REG,
	    .cfa_reg = RSP,
	    .cfa_offset = 8,
	    .ra = -1,
	    .flags = RULE_CLONE } },
	/* sub $8,%rsp, behind a call that never returns */
	{ 0x1c00,
	  0x1c0e,
	  { .kind = RULE_REG,
	    .cfa_reg = RSP,
	    .cfa_offset = 16,
	    .ra = -1,
	    .flags = RULE_FOREVER } },
	/* where makecontext's function returns to */
	{ 0x1c0f, 0x1c10, { .kind = RULE_ROOT, .flags = RULE_UNCALLED } },
};

static const struct unwind_range arm_rules[] = {
	{ 0x1000, 0x1100, { .kind = RULE_ROOT } },
	/* leaf: the return address is in x30 */
	{ 0x1100, 0x1200, { .kind = RULE_REG, .cfa_reg = SP, .cfa_offset = 0 } },
	/* stp x29,x30,[sp,#-32]!; str x19,[sp,#16] */
	{ 0x1200,
	  0x1300,
	  { .kind = RULE_REG,
	    .cfa_reg = SP,
	    .cfa_offset = 32,
	    .ra = -3,
	    .fp = -4,
	    .saved = { 2 } } },
	/* the same by x29 */
	{ 0x1300,
	  0x1400,
	  { .kind = RULE_REG, .cfa_reg = X29, .cfa_offset = 32, .ra = -3, .fp = -4 } },
	{ 0x1600, 0x1700, { .kind = RULE_SIGFRAME, .flags = RULE_SIGNAL } },
};

static bool find(void *module, uint64_t address, struct unwind_map *map)
{
	if (address >= CODE && address < CODE_END) {
		*map = (struct unwind_map){ CODE, CODE_END, CODE, module, true };
		return true;
	}
	if (address >= UNREAD && address < UNREAD_END) {
		*map = (struct unwind_map){ UNREAD, UNREAD_END, .executable = true,
					    .unread = true };
		return true;
	}
	if (address >= JIT && address < JIT_END) {
		*map = (struct unwind_map){ JIT, JIT_END, 0, NULL, true };
		return true;
	}
	if (address >= STACK) {
		*map = (struct unwind_map){ STACK, STACK * 2, 0, NULL, false };
		return true;
	}
	return false;
}

#define MAX 8
#define IP(a)                                                                            \
	{                                                                                \
		.address = (a)                                                           \
	}
#define RA(a)                                                                            \
	{                                                                                \
		.address = (a), .is_return = true                                        \
	}

struct test_case {
	const char *what;
	const struct unwind_arch *arch;
	uint64_t pc;
	struct {
		uint8_t n;
		uint64_t value;
		bool zeroth; /* register 0 is meant; otherwise 0 is none */
	} regs[4];           /* besides the stack pointer, STACK */
	uint64_t stack[MAX * 2];
	size_t words;
	struct unwind_frame want[MAX]; /* a cfa of 0 is not tested */
	enum unwind_end end;
	bool fp_used;
	uint64_t stack_end;
	bool stack_ends;
	uint64_t unsaved; /* registers, by bit */
};

#define X86 .arch = &unwind_x86_64
#define ARM .arch = &unwind_aarch64

static const struct test_case cases[] = {
	{ "by the stack pointer, to the root", X86, 0x1110,
	  .stack = { 0, 0x1120, 0, 0x1010 }, .words = 4,
	  .want = { { 0x1110, STACK + 16, false },
		    { 0x1120, STACK + 32, true },
		    RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "by the frame pointer, which the callee saved", X86, 0x1210,
	  .regs = { { RBP, STACK + 8 } },
	  .stack = { 7, STACK + 32, 0x1220, 0, STACK + 48, 0x1230, 0, 0x1010 },
	  .words = 8, .want = { IP(0x1210), RA(0x1220), RA(0x1230), RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "a CFA based on a register that the callee saved", X86, 0x1310,
	  .regs = { { RBX, 0 } }, .stack = { STACK + 24, 0x1410, 1, 2, 0x1010 },
	  .words = 5, .want = { IP(0x1310), { 0x1410, STACK + 40, true }, RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "a PLT stub's first instruction", X86, 0x1510, .stack = { 0x1010 }, .words = 1,
	  .want = { { 0x1510, STACK + 8, false }, RA(0x1010) }, .end = UNWIND_END_ROOT },
	{ "a PLT stub's last instruction", X86, 0x151b, .stack = { 3, 0x1010 },
	  .words = 2, .want = { { 0x151b, STACK + 16, false }, RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "a realigned stack", X86, 0x1710, .regs = { { RBP, STACK + 24 } },
	  .stack = { 0, STACK + 56, STACK + 64, 0x9999, 0, 0, 0, 0x1410, 0x1010 },
	  .words = 9,
	  .want = { { 0x1710, STACK + 64, false },
		    { 0x1410, STACK + 72, true },
		    RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "a call as a function's last instruction", X86, 0x1910,
	  .stack = { 0x1200, 0, 0x1010 }, .words = 3,
	  .want = { IP(0x1910), { 0x1200, STACK + 24, true }, RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "a return address of 0 at the stack's end is the root", X86, 0x1110,
	  .stack = { 5, 0 }, .words = 2, .stack_ends = true, .want = { IP(0x1110) },
	  .end = UNWIND_END_ROOT },
	{ "one in the middle of a stack is not", X86, 0x1110, .stack = { 5, 0 },
	  .words = 2, .want = { IP(0x1110) }, .end = UNWIND_END_BAD_MEMORY },
	{ "one in code that never returns is the root", X86, 0x1110,
	  .stack = { 0, 0x1c08, 5, 0, 7, 7 }, .words = 6,
	  .want = { IP(0x1110), RA(0x1c08) }, .end = UNWIND_END_ROOT },
	{ "one in the register that tasks start with is the root", ARM, 0x1110,
	  .regs = { { X30, 0 } }, .want = { { 0x1110, STACK, false } },
	  .end = UNWIND_END_ROOT },
	{ "a copy that ends before the return address", X86, 0x1110,
	  .stack = { 0, 0x1120, 0 }, .words = 3,
	  .want = { IP(0x1110), { 0x1120, STACK + 32, true } },
	  .end = UNWIND_END_TRUNCATED },
	{ "an empty copy", X86, 0x1110, .want = { { 0x1110, STACK + 16, false } },
	  .end = UNWIND_END_TRUNCATED },
	{ "nothing lies beyond the stack's mapping", X86, 0x1110, .stack = { 0 },
	  .words = 1, .stack_end = STACK + 8, .want = { IP(0x1110) },
	  .end = UNWIND_END_BAD_MEMORY },
	{ "a frame pointer below the stack", X86, 0x1210, .regs = { { RBP, STACK - 64 } },
	  .stack = { 0, 0, 0 }, .words = 3, .want = { IP(0x1210) },
	  .end = UNWIND_END_BAD_MEMORY },
	{ "a return address outside of code", X86, 0x1110,
	  .stack = { 0, STACK + 8, 0, 0x1010 }, .words = 4, .want = { IP(0x1110) },
	  .end = UNWIND_END_BAD_MEMORY },
	{ "a return address that is not mapped", X86, 0x1110, .stack = { 0, 0x9000 },
	  .words = 2, .want = { IP(0x1110) }, .end = UNWIND_END_BAD_MEMORY },
	{ "a CFA that does not grow", X86, 0x1110, .regs = { { RBX, STACK } },
	  .stack = { 0, 0x1410, 0, 0 }, .words = 4, .want = { IP(0x1110), RA(0x1410) },
	  .end = UNWIND_END_OTHER },
	{ "behind clone, in the parent", X86, 0x1b10, .regs = { { RAX, 77, true } },
	  .stack = { 0x1010 }, .words = 1, .want = { IP(0x1b10), RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "behind clone, in the child", X86, 0x1b10, .regs = { { RAX, 0, true } },
	  .stack = { 0x1010 }, .words = 1, .want = { IP(0x1b10) },
	  .end = UNWIND_END_ROOT },
	{ "a context's function does not return behind a call", X86, 0x1110,
	  .stack = { 0, 0x1c10 }, .words = 2, .want = { IP(0x1110), IP(0x1c10) },
	  .end = UNWIND_END_ROOT },
	{ "an unknown register", X86, 0x1210, .stack = { 0, 0 }, .words = 2,
	  .want = { IP(0x1210) }, .end = UNWIND_END_NO_RULE },
	{ "a register that calls do not preserve", X86, 0x1110,
	  .regs = { { R10, STACK + 24 } }, .stack = { 0, 0x1a10, 0x1010 }, .words = 3,
	  .want = { IP(0x1110), RA(0x1a10) }, .end = UNWIND_END_NO_RULE },
	{ "a register that the kernel did not save", X86, 0x1410, .unsaved = 1 << RBX,
	  .stack = { 0, 0x1010 }, .words = 2, .want = { IP(0x1410) },
	  .end = UNWIND_END_NO_REGISTER },
	{ "... in a caller", X86, 0x1110, .unsaved = 1 << RBX,
	  .stack = { 0, 0x1410, 0, 0x1010 }, .words = 4,
	  .want = { IP(0x1110), RA(0x1410) }, .end = UNWIND_END_NO_REGISTER },
	{ "... but the callee did", X86, 0x1310, .unsaved = 1 << RBX,
	  .stack = { STACK + 24, 0x1410, 1, 2, 0x1010 }, .words = 5,
	  .want = { IP(0x1310), { 0x1410, STACK + 40, true }, RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "... and that no rule needs", X86, 0x1110, .unsaved = 1 << RBX,
	  .stack = { 0, 0x1120, 0, 0x1010 }, .words = 4,
	  .want = { IP(0x1110), RA(0x1120), RA(0x1010) }, .end = UNWIND_END_ROOT },
	{ "... if another one is missing", X86, 0x1110, .unsaved = 1 << RBX,
	  .regs = { { R10, STACK + 24 } }, .stack = { 0, 0x1a10, 0x1010 }, .words = 3,
	  .want = { IP(0x1110), RA(0x1a10) }, .end = UNWIND_END_NO_RULE },
	{ "... the frame pointer, in code without rules", X86, JIT, .unsaved = 1 << RBP,
	  .stack = { 0, 0x1010 }, .words = 2, .want = { IP(JIT) },
	  .end = UNWIND_END_NO_REGISTER },
	{ "... the result of clone: either the parent's, or unknown", X86, 0x1b10,
	  .unsaved = 1 << RBX, .stack = { 0x1010 }, .words = 1,
	  .want = { IP(0x1b10), RA(0x1010) }, .end = UNWIND_END_ROOT },
	{ "a pc that is not mapped", X86, 0, .stack = { 0x1010 }, .words = 1,
	  .want = { IP(0) }, .end = UNWIND_END_NO_RULE },
	{ "code without rules, by its frame pointer", X86, JIT + 8,
	  .regs = { { RBP, STACK + 16 } },
	  .stack = { 0, 0, STACK + 48, JIT + 32, 0, 0, 0, 0x1010 }, .words = 8,
	  .want = { { JIT + 8, STACK + 32, false },
		    { JIT + 32, STACK + 64, true },
		    RA(0x1010) },
	  .end = UNWIND_END_ROOT, .fp_used = true },
	{ "not so where its file could not be read", X86, UNREAD,
	  .regs = { { RBP, STACK } }, .stack = { 0, 0x1010 }, .words = 2,
	  .want = { IP(UNREAD) }, .end = UNWIND_END_NO_RULE },
	{ "... nor in a caller there", X86, JIT, .regs = { { RBP, STACK } },
	  .stack = { STACK + 16, UNREAD + 8, 0, 0x1210 }, .words = 4,
	  .want = { IP(JIT), RA(UNREAD + 8) }, .end = UNWIND_END_NO_RULE,
	  .fp_used = true },
	{ "... nor if the frame pointer was not saved", X86, UNREAD, .unsaved = 1 << RBP,
	  .stack = { 0, 0x1010 }, .words = 2, .want = { IP(UNREAD) },
	  .end = UNWIND_END_NO_RULE },
	{ "between rules too", X86, 0x2000, .regs = { { RBP, STACK } },
	  .stack = { 0, 0x1010 }, .words = 2, .want = { IP(0x2000), RA(0x1010) },
	  .end = UNWIND_END_ROOT, .fp_used = true },
	{ "code without rules at a program's start", X86, 0x1110,
	  .stack = { 0, 0x2000, 5, 1, STACK + 80, 0, 0 }, .words = 7,
	  .want = { IP(0x1110), RA(0x2000) }, .end = UNWIND_END_ROOT },
	{ "without arguments it is no start", X86, 0x1110,
	  .stack = { 0, 0x2000, 5, 1, 80, 0, 0 }, .words = 7,
	  .want = { IP(0x1110), RA(0x2000) }, .end = UNWIND_END_NO_RULE },
	{ "code without rules at a thread's start", X86, 0x1110,
	  .stack = { 0, 0x2000, 5, 0x1110, 0x1010, 0 }, .words = 6,
	  .want = { IP(0x1110), RA(0x2000), RA(0x1010) }, .end = UNWIND_END_ROOT },
	{ "a frame pointer that is not aligned", X86, JIT, .regs = { { RBP, STACK + 4 } },
	  .stack = { 0, UINT64_C(0x1010) << 32, 0 }, .words = 3, .want = { IP(JIT) },
	  .end = UNWIND_END_NO_RULE },
	{ "a frame pointer that lies below the frame", X86, JIT,
	  .regs = { { RBP, STACK - 16 } }, .stack = { 0, 0x1010 }, .words = 2,
	  .want = { IP(JIT) }, .end = UNWIND_END_NO_RULE },
	{ "a frame pointer that does not lead to a return address", X86, JIT,
	  .regs = { { RBP, STACK } }, .stack = { 0, 77 }, .words = 2, .want = { IP(JIT) },
	  .end = UNWIND_END_NO_RULE },
	{ "a frame pointer to zeros", X86, JIT, .regs = { { RBP, STACK } },
	  .stack = { 0, 0 }, .words = 2, .want = { IP(JIT) },
	  .end = UNWIND_END_BAD_MEMORY, .fp_used = true },
	{ "frame pointers in a circle", X86, JIT, .regs = { { RBP, STACK } },
	  .stack = { STACK, JIT + 4, 0, 0 }, .words = 4, .want = { IP(JIT), RA(JIT + 4) },
	  .end = UNWIND_END_NO_RULE, .fp_used = true },
	{ "a leaf whose return address is in a register", ARM, 0x1110,
	  .regs = { { X30, 0x1210 } }, .stack = { 0, 0x1010 }, .words = 4,
	  .want = { { 0x1110, STACK, false }, { 0x1210, STACK + 32, true }, RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "a signed return address", ARM, 0x1210,
	  .stack = { STACK + 32, 0x2a7f000000001310, 0, 0, 0, 0xff50000000001010 },
	  .words = 6, .want = { IP(0x1210), { 0x1310, STACK + 64, true }, RA(0x1010) },
	  .end = UNWIND_END_ROOT },
	{ "only a leaf has its return address in a register", ARM, 0x1210,
	  .regs = { { X30, 0x1210 } }, .stack = { 0, 0x1110, 0, 0 }, .words = 4,
	  .want = { IP(0x1210), RA(0x1110) }, .end = UNWIND_END_NO_RULE },
};

static void set_regs(const struct test_case *t, struct unwind_regs *regs)
{
	*regs = (struct unwind_regs){ .pc = t->pc };
	unwind_reg_set(regs, t->arch->sp, STACK);
	for (size_t i = 0; i < sizeof(t->regs) / sizeof(*t->regs); i++)
		if (t->regs[i].n || t->regs[i].zeroth)
			unwind_reg_set(regs, t->regs[i].n, t->regs[i].value);
	regs->unsaved = t->unsaved;
}

static struct unwind_module *module_of(const struct unwind_arch *arch)
{
	if (arch == &unwind_x86_64)
		return unwind_module_of_ranges(arch, x86_rules,
					       sizeof(x86_rules) / sizeof(*x86_rules));
	return unwind_module_of_ranges(arch, arm_rules,
				       sizeof(arm_rules) / sizeof(*arm_rules));
}

static void check(const struct test_case *t, const struct unwind_frames *got)
{
	size_t want = 0;

	while (want < MAX && (t->want[want].address || !want))
		want++;
	is_u64(got->v.len, want, "%s: frames", t->what);
	is_str(unwind_end_name(got->end), unwind_end_name(t->end), "%s: end", t->what);
	ok(got->fp_used == t->fp_used, "%s: frame pointer", t->what);
	for (size_t i = 0; i < want && i < got->v.len; i++) {
		const struct unwind_frame *f = &got->v.data[i];

		is_u64(f->address, t->want[i].address, "%s: frame %zu", t->what, i);
		ok(f->is_return == t->want[i].is_return, "%s: kind %zu", t->what, i);
		if (t->want[i].cfa)
			is_u64(f->cfa, t->want[i].cfa, "%s: CFA %zu", t->what, i);
	}
}

static void run_case(const struct test_case *t)
{
	struct unwind_module *module = module_of(t->arch);
	struct unwinder *u = unwinder_new();
	struct unwind_frames frames = { 0 };
	struct unwind_regs regs;
	const struct unwind_input in = { .arch = t->arch,
					 .regs = &regs,
					 .stack = t->stack,
					 .stack_len = t->words * sizeof(*t->stack),
					 .stack_start = STACK,
					 .stack_end = t->stack_end,
					 .stack_ends = t->stack_ends,
					 .find = find,
					 .space = module };

	set_regs(t, &regs);
	unwind_stack(u, &in, &frames);
	check(t, &frames);
	/* Once more, now that the rules are cached. */
	unwind_stack(u, &in, &frames);
	check(t, &frames);
	unwind_frames_release(&frames);
	unwinder_free(u);
	unwind_module_free(module);
}

/*
 * A handler that returns into the trampoline, the kernel's frame, and the interrupted leaf
 * whose registers are in that.  OWN: the handler's own stack, or 0.
 */
static void test_signal(const struct unwind_arch *arch, uint64_t leaf, uint64_t own,
			uint64_t interrupted_sp, enum unwind_end end)
{
	struct unwind_module *module = module_of(arch);
	struct unwinder *u = unwinder_new();
	struct unwind_frames frames = { 0 };
	struct unwind_regs regs = { .pc = 0x1600 };
	uint64_t stack[128] = { 0 };
	const struct unwind_input in = { .arch = arch,
					 .regs = &regs,
					 .stack = stack,
					 .stack_len = sizeof(stack),
					 .stack_start = STACK,
					 .find = find,
					 .space = module };

	unwind_reg_set(&regs, arch->sp, STACK);
	stack[arch->sigframe_pc / 8] = leaf;
	stack[arch->sigframe_sp / 8] = interrupted_sp;
	stack[arch->sigframe_stack / 8] = own;
	stack[arch->sigframe_stack / 8 + 2] = sizeof(stack);
	stack[arch->sigframe_reg[arch->fp] / 8] = STACK + 0x3f0;
	if (arch == &unwind_aarch64)
		stack[arch->sigframe_reg[X30] / 8] = 0x1010;
	else if (interrupted_sp - STACK < sizeof(stack))
		stack[(interrupted_sp - STACK) / 8] = 0x1010;
	unwind_stack(u, &in, &frames);
	is_str(unwind_end_name(frames.end), unwind_end_name(end), "%s signal: end",
	       arch->name);
	is_u64(frames.v.len, end == UNWIND_END_ROOT ? 3 : 2, "%s signal: frames",
	       arch->name);
	is_u64(frames.v.data[1].address, leaf, "%s: the interrupted address", arch->name);
	ok(!frames.v.data[1].is_return, "%s: it is no return address", arch->name);
	unwind_frames_release(&frames);
	unwinder_free(u);
	unwind_module_free(module);
}

/* More frames than allowed, each of one word. */
static void test_depth(void)
{
	const size_t words = UNWIND_MAX_FRAMES + 100;
	uint64_t *stack = malloc(words * sizeof(*stack));
	struct unwind_module *module = module_of(&unwind_x86_64);
	struct unwinder *u = unwinder_new();
	struct unwind_frames frames = { 0 };
	struct unwind_regs regs = { .pc = 0x1910 };
	const struct unwind_input in = { .arch = &unwind_x86_64,
					 .regs = &regs,
					 .stack = stack,
					 .stack_len = words * sizeof(*stack),
					 .stack_start = STACK,
					 .find = find,
					 .space = module };

	for (size_t i = 0; i < words; i++)
		stack[i] = 0x1920;
	unwind_reg_set(&regs, RSP, STACK);
	unwind_stack(u, &in, &frames);
	is_u64(frames.v.len, UNWIND_MAX_FRAMES, "there are frames up to the limit");
	is_str(unwind_end_name(frames.end), "depth limit", "and the reason");
	is_u64(unwinder_stats(u)->cache_misses, 2, "two addresses were looked up");
	ok(unwind_is_root(u, module, 0x1010), "a root is recognized by its file offset");
	ok(!unwind_is_root(u, module, 0x1110), "another address is no root");
	free(stack);
	unwind_frames_release(&frames);
	unwinder_free(u);
	unwind_module_free(module);
}

/* The hash of saved registers of a frame that saved only FP. */
static uint32_t saved_hash(uint64_t fp)
{
	static const struct unwind_rule rule = {
		.kind = RULE_REG, .cfa_reg = 7, .cfa_offset = 16, .ra = -1, .fp = -2
	};
	const uint64_t words[] = { fp, 0x1110 };
	const struct stack_copy stack = {
		.bytes = (const unsigned char *)words,
		.len = sizeof(words),
		.start = STACK,
	};
	struct unwind_regs regs = { .pc = 0x1000 };
	struct step_result result;

	unwind_reg_set(&regs, unwind_x86_64.sp, STACK);
	if (step_by_rule(&unwind_x86_64, &rule, &stack, &regs, &result) != STEP_OK)
		return UINT32_MAX;
	return result.saved;
}

/* A frame pointer is the same in every call at the same depth. */
static void test_saved(void)
{
	ok(saved_hash(5) && saved_hash(5) != saved_hash(6), "saved registers differ");
	is_u64(saved_hash(STACK + 0x500), 0,
	       "values that point into the stack do not count");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		run_case(&cases[i]);
	test_signal(&unwind_x86_64, 0x1900, 0, STACK + 0x3f0, UNWIND_END_ROOT);
	test_signal(&unwind_x86_64, 0x1900, 0, STACK + 0x1000, UNWIND_END_TRUNCATED);
	test_signal(&unwind_x86_64, 0x1900, STACK, STACK + 0x1000,
		    UNWIND_END_OTHER_STACK);
	test_signal(&unwind_x86_64, 0x1900, STACK, STACK - 0x8000,
		    UNWIND_END_OTHER_STACK);
	test_signal(&unwind_aarch64, 0x1100, STACK, STACK - 0x8000, UNWIND_END_ROOT);
	test_depth();
	test_saved();
	return done_testing();
}
