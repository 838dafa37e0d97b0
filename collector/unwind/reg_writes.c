/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/reg_writes.h"

#include <stdbool.h>
#include <stddef.h>

enum { ALL = 0xffff, HIGH = 8, AH = 4 };

/* rax, rcx, rdx, rsi, rdi, r8 to r11, which no call keeps: the implicit results. */
#define VOLATILE UINT16_C(0x0fc7)

/*
 * What the opcodes FROM to TO write: 'r' reg, 'm' rm if that is a register, 'x' both, 'l'
 * the register in the low bits; 'v' only VOLATILE; 's' rm, unless reg, the operation, is 7,
 * which compares; 'u' rm for not and neg, else 'v'; 'i' rm for inc and dec; '.' none.  The
 * stack's own instructions (push, pop, leave, call) count as none.  Others write all.
 */
struct writes {
	uint16_t from, to;
	char form;
};

static const struct writes plain[] = {
	{ 0x38, 0x3d, '.' }, /* cmp */
	{ 0x50, 0x5f, '.' },
	{ 0x63, 0x63, 'r' },
	{ 0x68, 0x68, '.' },
	{ 0x69, 0x69, 'r' },
	{ 0x6a, 0x6a, '.' },
	{ 0x6b, 0x6b, 'r' },
	{ 0x6c, 0x6f, 'v' },
	{ 0x70, 0x7f, '.' },
	{ 0x80, 0x83, 's' },
	{ 0x84, 0x85, '.' }, /* test */
	{ 0x86, 0x87, 'x' },
	{ 0x88, 0x89, 'm' },
	{ 0x8a, 0x8b, 'r' },
	{ 0x8c, 0x8c, 'm' },
	{ 0x8d, 0x8d, 'r' },
	{ 0x8e, 0x8e, '.' },
	{ 0x8f, 0x8f, 'm' },
	{ 0x90, 0x97, 'l' }, /* xchg with rax */
	{ 0x98, 0x99, 'v' },
	{ 0x9b, 0x9e, '.' },
	{ 0x9f, 0xa1, 'v' },
	{ 0xa2, 0xa3, '.' },
	{ 0xa4, 0xa7, 'v' },
	{ 0xa8, 0xa9, '.' },
	{ 0xaa, 0xaf, 'v' },
	{ 0xb0, 0xbf, 'l' },
	{ 0xc0, 0xc1, 'm' },
	{ 0xc2, 0xc3, '.' },
	{ 0xc6, 0xc7, 'm' },
	{ 0xc9, 0xc9, '.' },
	{ 0xd0, 0xd3, 'm' },
	{ 0xd8, 0xdf, 'v' },
	{ 0xe0, 0xe5, 'v' },
	{ 0xe6, 0xeb, '.' },
	{ 0xec, 0xed, 'v' },
	{ 0xee, 0xef, '.' },
	{ 0xf4, 0xf5, '.' },
	{ 0xf6, 0xf7, 'u' },
	{ 0xf8, 0xfd, '.' },
	{ 0xfe, 0xff, 'i' },
	{ X86_OP(1, 0x02), X86_OP(1, 0x03), 'r' },
	{ X86_OP(1, 0x05), X86_OP(1, 0x05), 'v' }, /* syscall */
	{ X86_OP(1, 0x0b), X86_OP(1, 0x0d), '.' },
	{ X86_OP(1, 0x10), X86_OP(1, 0x1f), '.' }, /* vectors; nop */
	{ X86_OP(1, 0x28), X86_OP(1, 0x2b), '.' },
	{ X86_OP(1, 0x2c), X86_OP(1, 0x2d), 'r' }, /* to an integer */
	{ X86_OP(1, 0x2e), X86_OP(1, 0x2f), '.' },
	{ X86_OP(1, 0x31), X86_OP(1, 0x31), 'v' },
	{ X86_OP(1, 0x40), X86_OP(1, 0x50), 'r' }, /* cmov; movmskps */
	{ X86_OP(1, 0x51), X86_OP(1, 0x77), '.' },
	{ X86_OP(1, 0x7c), X86_OP(1, 0x7d), '.' },
	{ X86_OP(1, 0x7e), X86_OP(1, 0x7e), 'm' }, /* movd */
	{ X86_OP(1, 0x7f), X86_OP(1, 0x8f), '.' },
	{ X86_OP(1, 0x90), X86_OP(1, 0x9f), 'm' }, /* setcc */
	{ X86_OP(1, 0xa3), X86_OP(1, 0xa3), '.' },
	{ X86_OP(1, 0xa4), X86_OP(1, 0xa5), 'm' },
	{ X86_OP(1, 0xab), X86_OP(1, 0xae), 'm' },
	{ X86_OP(1, 0xaf), X86_OP(1, 0xaf), 'r' },
	{ X86_OP(1, 0xb0), X86_OP(1, 0xb3), 'm' },
	{ X86_OP(1, 0xb6), X86_OP(1, 0xb8), 'r' },
	{ X86_OP(1, 0xba), X86_OP(1, 0xbb), 'm' },
	{ X86_OP(1, 0xbc), X86_OP(1, 0xbf), 'r' },
	{ X86_OP(1, 0xc0), X86_OP(1, 0xc1), 'x' },
	{ X86_OP(1, 0xc2), X86_OP(1, 0xc4), '.' },
	{ X86_OP(1, 0xc5), X86_OP(1, 0xc5), 'r' },
	{ X86_OP(1, 0xc6), X86_OP(1, 0xc6), '.' },
	{ X86_OP(1, 0xc7), X86_OP(1, 0xc7), 'm' },
	{ X86_OP(1, 0xc8), X86_OP(1, 0xcf), 'l' },
	{ X86_OP(1, 0xd0), X86_OP(1, 0xd6), '.' },
	{ X86_OP(1, 0xd7), X86_OP(1, 0xd7), 'r' },
	{ X86_OP(1, 0xd8), X86_OP(1, 0xfe), '.' },
	{ X86_OP(2, 0x00), X86_OP(2, 0xdf), '.' },
	{ X86_OP(2, 0xf0), X86_OP(2, 0xf1), 'x' },
	{ X86_OP(2, 0xf6), X86_OP(2, 0xf6), 'r' },
	{ X86_OP(3, 0x00), X86_OP(3, 0x13), '.' },
	{ X86_OP(3, 0x14), X86_OP(3, 0x17), 'm' },
	{ X86_OP(3, 0x18), X86_OP(3, 0xff), '.' },
};

/* Behind VEX or EVEX; XOP's maps are not listed. */
static const struct writes vector[] = {
	{ X86_OP(1, 0x10), X86_OP(1, 0x2b), '.' },
	{ X86_OP(1, 0x2c), X86_OP(1, 0x2d), 'r' },
	{ X86_OP(1, 0x2e), X86_OP(1, 0x4f), '.' },
	{ X86_OP(1, 0x50), X86_OP(1, 0x50), 'r' },
	{ X86_OP(1, 0x51), X86_OP(1, 0x77), '.' },
	{ X86_OP(1, 0x78), X86_OP(1, 0x79), 'r' },
	{ X86_OP(1, 0x7a), X86_OP(1, 0x7d), '.' },
	{ X86_OP(1, 0x7e), X86_OP(1, 0x7e), 'm' },
	{ X86_OP(1, 0x7f), X86_OP(1, 0x92), '.' },
	{ X86_OP(1, 0x93), X86_OP(1, 0x93), 'r' }, /* kmov */
	{ X86_OP(1, 0x98), X86_OP(1, 0xc4), '.' },
	{ X86_OP(1, 0xc5), X86_OP(1, 0xc5), 'r' },
	{ X86_OP(1, 0xc6), X86_OP(1, 0xd6), '.' },
	{ X86_OP(1, 0xd7), X86_OP(1, 0xd7), 'r' },
	{ X86_OP(1, 0xd8), X86_OP(1, 0xfe), '.' },
	{ X86_OP(2, 0x00), X86_OP(2, 0xdf), '.' },
	{ X86_OP(3, 0x00), X86_OP(3, 0x13), '.' },
	{ X86_OP(3, 0x14), X86_OP(3, 0x17), 'm' },
	{ X86_OP(3, 0x18), X86_OP(3, 0xef), '.' },
};

/* add, or, adc, sbb, and, sub, xor: to rm, to reg, to rax. */
static char form_of_arithmetic(uint16_t op)
{
	return "mmrrvv**"[op % 8];
}

static char form_in(const struct writes *rows, size_t n, uint16_t op)
{
	for (size_t i = 0; i < n; i++)
		if (op >= rows[i].from && op <= rows[i].to)
			return rows[i].form;
	return '*';
}

static char form_of(const struct x86_insn *insn)
{
	if (insn->vector)
		return form_in(vector, sizeof(vector) / sizeof(*vector), insn->op);
	if (insn->op < 0x38)
		return form_of_arithmetic(insn->op);
	return form_in(plain, sizeof(plain) / sizeof(*plain), insn->op);
}

/* The upper bit of a vector instruction's registers is not decoded. */
static uint16_t one(const struct x86_insn *insn, unsigned int reg)
{
	uint16_t bits = (uint16_t)(1 << reg);

	if (insn->vector)
		bits |= (uint16_t)(1 << reg % HIGH | 1 << (reg % HIGH + HIGH));
	else if (reg >= AH && reg < 2 * AH) /* ah, ch, dh, bh have these numbers too */
		bits |= (uint16_t)(1 << (reg - AH));
	return bits;
}

static uint16_t rm_of(const struct x86_insn *insn)
{
	return insn->mod == 3 ? one(insn, insn->rm) : 0;
}

uint16_t reg_writes_of(const struct x86_insn *insn)
{
	switch (form_of(insn)) {
	case '.':
		return 0;
	case 'r':
		return one(insn, insn->reg);
	case 'm':
		return VOLATILE | rm_of(insn);
	case 'x':
		return rm_of(insn) | one(insn, insn->reg);
	case 'l':
		return VOLATILE | one(insn, insn->rm);
	case 's':
		return insn->reg % 8 == 7 ? 0 : rm_of(insn);
	case 'u':
		return VOLATILE |
		       (insn->reg % 8 == 2 || insn->reg % 8 == 3 ? rm_of(insn) : 0);
	case 'i':
		return insn->reg % 8 < 2 ? rm_of(insn) : 0;
	case 'v':
		return VOLATILE;
	default:
		return ALL;
	}
}
