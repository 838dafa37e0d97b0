/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/cfi_expr.h"

#include <dwarf.h>

#include "base/cursor.h"

#define DEPTH   32
#define MAX_OPS 256 /* an expression may jump backwards */

struct machine {
	struct cursor c;
	const struct cfi_place *place;
	const struct unwind_arch *arch;
	const struct unwind_regs *regs;
	const struct stack_copy *memory;
	uint64_t stack[DEPTH];
	unsigned int depth;
	enum cfi_status status; /* the first failure sticks */
	uint64_t outside;
};

static void lose(struct machine *m)
{
	if (m->status == CFI_OK)
		m->status = CFI_LOST;
}

static void push(struct machine *m, uint64_t value)
{
	if (m->depth < DEPTH)
		m->stack[m->depth++] = value;
	else
		lose(m);
}

static uint64_t pop(struct machine *m)
{
	if (m->depth)
		return m->stack[--m->depth];
	lose(m);
	return 0;
}

static void push_reg(struct machine *m, uint64_t reg, int64_t offset)
{
	uint64_t value = 0;

	/* The return address's pseudo register stands for the pc. */
	if (reg >= m->arch->nregs && reg == m->arch->ra)
		value = m->regs->pc;
	else if (reg < m->arch->nregs && unwind_reg_known(m->regs, (unsigned int)reg))
		value = m->regs->reg[reg];
	else
		lose(m);
	push(m, value + (uint64_t)offset);
}

static void deref(struct machine *m, unsigned int size)
{
	uint64_t address = pop(m), word;

	/* Smaller values are read as part of the word that they start. */
	if (m->status == CFI_OK && !stack_word(m->memory, address, &word)) {
		m->status = CFI_OUTSIDE;
		m->outside = address;
	}
	if (!size || size > sizeof(word))
		lose(m);
	if (m->status != CFI_OK)
		return;
	push(m, size == sizeof(word) ? word : word & ((UINT64_C(1) << 8 * size) - 1));
}

static void constant(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s:
		push(m, cursor_u64(&m->c));
		break;
	case DW_OP_const1u:
		push(m, cursor_u8(&m->c));
		break;
	case DW_OP_const1s:
		push(m, (uint64_t)(int8_t)cursor_u8(&m->c));
		break;
	case DW_OP_const2u:
		push(m, cursor_u16(&m->c));
		break;
	case DW_OP_const2s:
		push(m, (uint64_t)(int16_t)cursor_u16(&m->c));
		break;
	case DW_OP_const4u:
		push(m, cursor_u32(&m->c));
		break;
	case DW_OP_const4s:
		push(m, (uint64_t)(int32_t)cursor_u32(&m->c));
		break;
	case DW_OP_constu:
		push(m, cursor_varint(&m->c));
		break;
	default: /* DW_OP_consts */
		push(m, (uint64_t)cursor_sleb(&m->c));
	}
}

/* In C, >> of a negative number is implementation-defined. */
static uint64_t shift_arithmetic(uint64_t a, uint64_t b)
{
	bool negative = a >> 63;

	if (b > 63)
		return negative ? UINT64_MAX : 0;
	return negative ? ~(~a >> b) : a >> b;
}

/* False if OP is no operator of two operands; the next one is similar. */
static bool arithmetic(uint8_t op, uint64_t a, uint64_t b, uint64_t *value)
{
	switch (op) {
	case DW_OP_and:
		*value = a & b;
		return true;
	case DW_OP_or:
		*value = a | b;
		return true;
	case DW_OP_xor:
		*value = a ^ b;
		return true;
	case DW_OP_plus:
		*value = a + b;
		return true;
	case DW_OP_minus:
		*value = a - b;
		return true;
	case DW_OP_mul:
		*value = a * b;
		return true;
	case DW_OP_shl:
		*value = b < 64 ? a << b : 0;
		return true;
	case DW_OP_shr:
		*value = b < 64 ? a >> b : 0;
		return true;
	case DW_OP_shra:
		*value = shift_arithmetic(a, b);
		return true;
	default:
		return false;
	}
}

static bool comparison(uint8_t op, int64_t a, int64_t b, uint64_t *value)
{
	switch (op) {
	case DW_OP_eq:
		*value = a == b;
		return true;
	case DW_OP_ne:
		*value = a != b;
		return true;
	case DW_OP_ge:
		*value = a >= b;
		return true;
	case DW_OP_gt:
		*value = a > b;
		return true;
	case DW_OP_le:
		*value = a <= b;
		return true;
	case DW_OP_lt:
		*value = a < b;
		return true;
	default:
		return false;
	}
}

static bool binary(struct machine *m, uint8_t op)
{
	uint64_t b = m->depth ? m->stack[m->depth - 1] : 0;
	uint64_t a = m->depth > 1 ? m->stack[m->depth - 2] : 0, value;

	if (!arithmetic(op, a, b, &value) &&
	    !comparison(op, (int64_t)a, (int64_t)b, &value))
		return false;
	pop(m);
	pop(m);
	push(m, value);
	return true;
}

/* A jump's distance counts from behind it, and must stay within the expression. */
static void jump(struct machine *m, bool taken)
{
	int64_t distance = (int16_t)cursor_u16(&m->c);
	int64_t at = m->c.at - m->place->expr + distance;

	if (!taken || !cursor_ok(&m->c))
		return;
	if (at < 0 || at > m->place->expr_len)
		lose(m);
	else
		cursor_init(&m->c, m->place->expr + at, m->place->expr_len - (size_t)at);
}

static void shuffle(struct machine *m, uint8_t op)
{
	uint64_t top = pop(m), second;

	switch (op) {
	case DW_OP_drop:
		break;
	case DW_OP_dup:
		push(m, top);
		push(m, top);
		break;
	case DW_OP_swap:
		second = pop(m);
		push(m, top);
		push(m, second);
		break;
	case DW_OP_plus_uconst:
		push(m, top + cursor_varint(&m->c));
		break;
	case DW_OP_neg:
		push(m, -top);
		break;
	case DW_OP_not:
		push(m, ~top);
		break;
	default:
		lose(m);
	}
}

static void one_op(struct machine *m)
{
	uint8_t op = cursor_u8(&m->c);
	uint64_t reg;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - DW_OP_lit0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_reg(m, op - DW_OP_breg0, cursor_sleb(&m->c));
	} else if (op == DW_OP_bregx) {
		reg = cursor_varint(&m->c);
		push_reg(m, reg, cursor_sleb(&m->c));
	} else if (op == DW_OP_addr || (op >= DW_OP_const1u && op <= DW_OP_consts)) {
		constant(m, op);
	} else if (op == DW_OP_deref) {
		deref(m, sizeof(uint64_t));
	} else if (op == DW_OP_deref_size) {
		deref(m, cursor_u8(&m->c));
	} else if (op == DW_OP_skip) {
		jump(m, true);
	} else if (op == DW_OP_bra) {
		jump(m, pop(m) != 0);
	} else if (op != DW_OP_nop && !binary(m, op)) {
		shuffle(m, op);
	}
}

enum cfi_status cfi_expr_eval(const struct cfi_place *place,
			      const struct unwind_arch *arch,
			      const struct unwind_regs *regs,
			      const struct stack_copy *stack, bool with_cfa, uint64_t cfa,
			      uint64_t *value)
{
	struct machine m;

	m.place = place;
	m.arch = arch;
	m.regs = regs;
	m.memory = stack;
	m.depth = 0;
	m.status = CFI_OK;
	m.outside = 0;
	cursor_init(&m.c, place->expr, place->expr_len);
	if (with_cfa)
		push(&m, cfa);
	for (unsigned int n = 0; m.status == CFI_OK && cursor_left(&m.c); n++) {
		if (n == MAX_OPS)
			return CFI_LOST;
		one_op(&m);
		if (!cursor_ok(&m.c))
			return CFI_LOST;
	}
	*value = m.status == CFI_OUTSIDE ? m.outside : pop(&m);
	return m.status;
}

bool cfi_expr_is_breg(const struct cfi_place *place, uint8_t *reg, int64_t *offset,
		      bool *deref_last)
{
	struct cursor c;
	uint8_t op;

	cursor_init(&c, place->expr, place->expr_len);
	op = cursor_u8(&c);
	if (op < DW_OP_breg0 || op > DW_OP_breg31)
		return false;
	*reg = op - DW_OP_breg0;
	*offset = cursor_sleb(&c);
	*deref_last = cursor_left(&c) != 0;
	if (*deref_last && cursor_u8(&c) != DW_OP_deref)
		return false;
	return cursor_ok(&c) && !cursor_left(&c);
}

bool cfi_expr_is_plt(const struct cfi_place *place, uint8_t *threshold)
{
	static const uint8_t form[] = { DW_OP_breg7, 8,         DW_OP_breg16, 0,
					DW_OP_lit15, DW_OP_and, DW_OP_lit0,   DW_OP_ge,
					DW_OP_lit3,  DW_OP_shl, DW_OP_plus };
	const size_t variable = 6; /* DW_OP_lit0 + threshold */
	uint8_t op;

	if (place->expr_len != sizeof(form) || memcmp(place->expr, form, variable) != 0 ||
	    memcmp(place->expr + variable + 1, form + variable + 1,
		   sizeof(form) - variable - 1) != 0)
		return false;
	op = place->expr[variable];
	*threshold = op - DW_OP_lit0;
	return op >= DW_OP_lit0 && op <= DW_OP_lit15;
}
