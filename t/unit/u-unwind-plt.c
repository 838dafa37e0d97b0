/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CFA at each instruction of linkers' PLT stubs, and glibc's call frame information
 * for its lazy-binding function on aarch64.
 */
#include <string.h>

#include "tap.h"
#include "unwind/code.h"
#include "unwind/step.h"

#define CODE  0x1000
#define STACK 0x70000

enum { MAX_INSNS = 8, X19 = 19, X29 = 29, X30 = 30, SP = 31 };

/* On aarch64 a byte of CODE stands for one of these instructions. */
enum { BTI, STP, ADRP, LDR, ADD, AUTIA, BR, NOP, RET };

static const uint32_t arm_insns[] = {
	[BTI] = 0xd503245f, [STP] = 0xa9bf7bf0, [ADRP] = 0xf00000f0,
	[LDR] = 0xf947fe11, [ADD] = 0x913fe210, [AUTIA] = 0xd503219f,
	[BR] = 0xd61f0220,  [NOP] = 0xd503201f, [RET] = 0xd65f03c0,
};

/* An instruction of LEN bytes; before it the CFA is CFA above the stack pointer. */
struct insn {
	uint8_t len;
	int8_t cfa; /* -1: no stub */
};

struct stub {
	const char *what;
	bool arm;
	unsigned char code[24];
	struct insn insns[MAX_INSNS];
};

#define NUMBER 1, 2, 3, 0

static const struct stub stubs[] = {
	{ "x86-64's PLT0",
	  false,
	  { 0xff, 0x35, NUMBER, 0xff, 0x25, NUMBER, 0x0f, 0x1f, 0x40, 0 },
	  { { 6, 16 }, { 6, 24 }, { 4, -1 } } },
	{ "PLT0 with bnd",
	  false,
	  { 0xff, 0x35, NUMBER, 0xf2, 0xff, 0x25, NUMBER, 0x0f, 0x1f, 0 },
	  { { 6, 16 }, { 7, 24 }, { 3, -1 } } },
	{ "x86-64's stub",
	  false,
	  { 0xff, 0x25, NUMBER, 0x68, NUMBER, 0xe9, NUMBER },
	  { { 6, 8 }, { 5, 8 }, { 5, 16 } } },
	{ "one for IBT",
	  false,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, NUMBER, 0xe9, NUMBER, 0x66, 0x90 },
	  { { 4, 8 }, { 5, 8 }, { 5, 16 }, { 2, -1 } } },
	{ "one for IBT, with bnd",
	  false,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, NUMBER, 0xf2, 0xe9, NUMBER, 0x90 },
	  { { 4, 8 }, { 5, 8 }, { 6, 16 }, { 1, -1 } } },
	{ "its first part",
	  false,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, NUMBER, 0x66, 0x90 },
	  { { 4, 8 }, { 6, 8 }, { 2, -1 } } },
	{ "its first part, with bnd",
	  false,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, NUMBER, 0x90 },
	  { { 4, 8 }, { 7, 8 }, { 1, -1 } } },
	{ "no stub: push; push; jmp",
	  false,
	  { 0x55, 0x68, NUMBER, 0xe9, NUMBER },
	  { { 1, -1 }, { 5, -1 }, { 5, -1 } } },
	{ "aarch64's PLT0",
	  true,
	  { STP, ADRP, LDR, ADD, BR, NOP },
	  { { 1, 0 }, { 1, 16 }, { 1, 16 }, { 1, 16 }, { 1, 16 }, { 1, -1 } } },
	{ "PLT0 with bti",
	  true,
	  { BTI, STP, ADRP, LDR, ADD, BR, NOP },
	  { { 1, 0 }, { 1, 0 }, { 1, 16 }, { 1, 16 }, { 1, 16 }, { 1, 16 }, { 1, -1 } } },
	{ "aarch64's stub",
	  true,
	  { ADRP, LDR, ADD, BR, NOP },
	  { { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, -1 } } },
	{ "one with bti and a signature",
	  true,
	  { BTI, ADRP, LDR, ADD, AUTIA, BR, NOP },
	  { { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, 0 }, { 1, -1 } } },
	{ "no stub: adrp; ldr; add; ret",
	  true,
	  { ADRP, LDR, ADD, RET },
	  { { 1, -1 }, { 1, -1 }, { 1, -1 }, { 1, -1 } } },
	{ "no stub: bti; stp; ret",
	  true,
	  { BTI, STP, RET },
	  { { 1, -1 }, { 1, -1 }, { 1, -1 } } },
};

/* The stub's bytes between other bytes. */
static size_t write_code(const struct stub *s, unsigned char *code)
{
	enum { WORD = 4 };
	size_t len = 0;

	for (size_t i = 0; i < MAX_INSNS; i++)
		len += s->insns[i].len;
	if (!s->arm)
		memcpy(code, s->code, len);
	for (size_t i = 0; s->arm && i < len; i++)
		memcpy(code + i * WORD, &arm_insns[s->code[i]], WORD);
	return s->arm ? len * WORD : len;
}

static void check_insn(const struct elf_file *f, const struct stub *s, uint64_t at,
		       int cfa)
{
	struct unwind_rule rule = { 0 };
	bool found = unwind_code_plt_rule(f, CODE + at, &rule);

	ok(found == (cfa >= 0), "%s, byte %d", s->what, (int)at);
	if (!found || cfa < 0)
		return;
	is_u64(rule.kind, RULE_REG, "%s: kind", s->what);
	is_u64(rule.cfa_reg, f->arch->sp, "%s: by the stack pointer", s->what);
	is_i64(rule.cfa_offset, cfa, "%s: CFA", s->what);
	is_i64(rule.ra, cfa ? -1 : 0, "%s: return address", s->what);
}

static void check_stub(const struct stub *s)
{
	unsigned char code[64] = { 0 };
	size_t len = write_code(s, code), at = 0;
	struct elf_file f = { .fd = -1,
			      .image = code,
			      .size = len,
			      .arch = s->arm ? &unwind_aarch64 : &unwind_x86_64 };

	*vec_push(&f.segments) =
		(struct elf_segment){ .filesz = len, .vaddr = CODE, .flags = PF_X };
	for (size_t i = 0; i < MAX_INSNS && s->insns[i].len; i++) {
		check_insn(&f, s, at, s->insns[i].cfa);
		at += s->insns[i].len * (s->arm ? sizeof(*arm_insns) : 1);
	}
	vec_release(&f.segments);
}

/* A row as glibc writes it: CFA = sp + OFFSET, the return address at CFA + 8. */
static struct cfi_row binder_row(int64_t offset)
{
	struct cfi_row row = { .ra = X30 };

	row.cfa.how = CFI_REGISTER;
	row.cfa.reg = SP;
	row.cfa.number = offset;
	row.reg[X30].how = CFI_OFFSET;
	row.reg[X30].number = 8;
	return row;
}

/* Values above the caller's stack pointer were pushed before the function began. */
static void test_binder(void)
{
	static const struct {
		const char *what;
		int64_t cfa;
		uint64_t sp, x30, pc;
	} rows[] = {
		{ "entered: the return address is on the stack", 0, STACK, 1, 2 },
		{ "with its frame", 208, STACK - 208, 1, 2 },
		{ "the return address was popped", -16, STACK + 16, 1, 1 },
	};
	const uint64_t memory[] = { 0x1000, 2 }; /* x16, x30 */
	uint64_t copy[32] = { 0 };

	memcpy(copy + 26, memory, sizeof(memory));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct cfi_row row = binder_row(rows[i].cfa);
		struct unwind_rule rule = unwind_rule_of(&row, &unwind_aarch64);
		uint64_t below = rows[i].sp - (STACK - 208);
		struct stack_copy stack = { .bytes = (const unsigned char *)copy + below,
					    .len = sizeof(copy) - below,
					    .start = rows[i].sp };
		struct unwind_regs regs = { 0 };
		struct step_result result;

		unwind_reg_set(&regs, SP, rows[i].sp);
		unwind_reg_set(&regs, X30, rows[i].x30);
		is_u64(step_by_rule(&unwind_aarch64, &rule, &stack, &regs, &result),
		       STEP_OK, "%s", rows[i].what);
		is_u64(regs.pc, rows[i].pc, "%s: return address", rows[i].what);
		is_u64(regs.reg[SP], STACK + 16, "%s: caller's stack", rows[i].what);
	}
}

/* Rows of other code do not change. */
static void test_others(void)
{
	struct cfi_row row = binder_row(32);
	struct unwind_rule rule;

	row.reg[X30].number = -24;
	row.reg[X29].how = CFI_OFFSET;
	row.reg[X29].number = -32;
	row.reg[X19].how = CFI_OFFSET;
	row.reg[X19].number = -16;
	rule = unwind_rule_of(&row, &unwind_aarch64);
	is_i64(rule.cfa_offset, 32, "a frame of 32 bytes: CFA");
	is_i64(rule.ra, -3, "return address");
	is_i64(rule.fp, -4, "frame pointer");
	is_i64(rule.saved[0], 2, "x19");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(stubs) / sizeof(*stubs); i++)
		check_stub(&stubs[i]);
	test_binder();
	test_others();
	return done_testing();
}
