/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/stack_effect.h"

#include "unwind/regs.h"

enum { WORD = 8 };

const uint8_t effect_regs[EFFECT_REGS] = {
	HW_RBP, HW_RBX, HW_R12, HW_R13, HW_R14, HW_R15
};

void effect_begin(struct effect *e)
{
	*e = (struct effect){ 0 };
	for (size_t i = 0; i < EFFECT_REGS; i++)
		e->slots[i] = EFFECT_UNSAVED;
}

/* ---- the stack pointer ---- */

static void move_sp(struct effect *e, int64_t bytes)
{
	e->sp.at += bytes;
}

static void set_sp(struct effect *e, struct effect_place sp)
{
	/* Registers saved by sp's old base have no known place by the new one. */
	for (size_t i = 0; e->sp.by_fp != sp.by_fp && i < EFFECT_REGS; i++)
		e->slots[i] = EFFECT_UNSAVED;
	e->sp = sp;
}

struct effect_place effect_fp(const struct effect *e)
{
	return e->fp_set ? e->fp : (struct effect_place){ .by_fp = true };
}

static void pop(struct effect *e, unsigned int reg)
{
	for (size_t i = 0; i < EFFECT_REGS; i++)
		if (effect_regs[i] == reg)
			e->slots[i] = e->sp.at;
	move_sp(e, WORD);
}

/* ---- the effect of each instruction on it: false ends the way ---- */

static bool do_arithmetic(struct effect *e, const struct x86_insn *insn)
{
	if (insn->mod != 3 || insn->rm != HW_RSP)
		return true;
	if (insn->reg == 0) /* add */
		move_sp(e, insn->imm);
	else if (insn->reg == 5) /* sub */
		move_sp(e, -insn->imm);
	return insn->reg == 0 || insn->reg == 5 || insn->reg == 7; /* cmp */
}

/* TO := FROM, both registers. */
static bool do_move(struct effect *e, unsigned int to, unsigned int from)
{
	if (to == HW_RSP && from == HW_RBP) {
		set_sp(e, effect_fp(e));
		return true;
	}
	if (to == HW_RBP && from == HW_RSP) {
		e->fp_set = true;
		e->fp = e->sp;
	}
	return to != HW_RSP;
}

static bool do_lea(struct effect *e, const struct x86_insn *insn)
{
	struct effect_place base = insn->rm == HW_RSP ? e->sp : effect_fp(e);

	if (insn->reg != HW_RSP)
		return true;
	if (insn->mod == 3 || insn->indexed || (insn->rm != HW_RSP && insn->rm != HW_RBP))
		return false;
	base.at += insn->disp;
	set_sp(e, base);
	return true;
}

/* Opcode ff: only push affects the stack; jumps to unknown places end the way. */
static bool do_group_5(struct effect *e, const struct x86_insn *insn)
{
	if (insn->reg % 8 == 6)
		move_sp(e, -WORD);
	return insn->reg % 8 != 4 && insn->reg % 8 != 5;
}

static bool do_leave(struct effect *e)
{
	set_sp(e, effect_fp(e));
	pop(e, HW_RBP);
	return true;
}

/* Opcodes of one byte other than branches, returns and stops. */
static bool do_one_byte(struct effect *e, const struct x86_insn *insn)
{
	bool rm_is_sp = insn->has_rm && insn->mod == 3 && insn->rm == HW_RSP;

	switch (insn->op) {
	case 0x68: /* push imm */
	case 0x6a:
	case 0x9c: /* pushf */
		move_sp(e, -WORD);
		return true;
	case 0x9d: /* popf */
		move_sp(e, WORD);
		return true;
	case 0x81:
	case 0x83:
		return do_arithmetic(e, insn);
	case 0x89:
		return insn->mod != 3 || do_move(e, insn->rm, insn->reg);
	case 0x8b:
		return insn->mod == 3 ? do_move(e, insn->reg, insn->rm)
				      : insn->reg != HW_RSP;
	case 0x8d:
		return do_lea(e, insn);
	case 0x8f: /* pop r/m */
		move_sp(e, WORD);
		return true;
	case 0xc9:
		return do_leave(e);
	case 0xff:
		return do_group_5(e, insn);
	case 0x01: /* add and sub of registers */
	case 0x29:
	case 0x87: /* xchg */
		return !rm_is_sp;
	case 0x03:
	case 0x2b:
		return insn->reg != HW_RSP;
	case 0xc8: /* enter */
		return false;
	default:
		return true;
	}
}

bool effect_of(struct effect *e, const struct x86_insn *insn)
{
	if (insn->vector || insn->op > 0xff)
		return true;
	if (insn->op >> 3 == 0x50 >> 3) {
		move_sp(e, -WORD);
		return true;
	}
	if (insn->op >> 3 == 0x58 >> 3) {
		pop(e, insn->rm);
		return insn->rm != HW_RSP;
	}
	return do_one_byte(e, insn);
}

/* ---- branches ---- */

bool insn_is_return(const struct x86_insn *insn)
{
	return !insn->vector && (insn->op == 0xc3 || insn->op == 0xc2);
}

bool insn_is_conditional(const struct x86_insn *insn)
{
	return !insn->vector &&
	       ((insn->op >= 0x70 && insn->op <= 0x7f) ||
		(insn->op >= 0xe0 && insn->op <= 0xe3) ||
		(insn->op >= X86_OP(1, 0x80) && insn->op <= X86_OP(1, 0x8f)));
}

bool insn_is_jump(const struct x86_insn *insn)
{
	return !insn->vector && (insn->op == 0xe9 || insn->op == 0xeb);
}

bool insn_is_stop(const struct x86_insn *insn)
{
	return !insn->vector &&
	       (insn->op == 0xf4 || insn->op == X86_OP(1, 0x0b) || insn->op == 0xcc);
}

/* ---- the rule ---- */

/* The slot's distance from BASE in words; 0 if it was not saved, or is too far. */
static int words_from(int64_t slot, int64_t base, int limit)
{
	int64_t words;

	if (slot == EFFECT_UNSAVED)
		return 0;
	words = (slot - base) / WORD;
	return words > limit || words < -limit ? 0 : (int)words;
}

bool effect_rule(const struct effect *e, int64_t dropped, struct unwind_rule *rule)
{
	const struct unwind_arch *arch = &unwind_x86_64;
	int64_t cfa = e->sp.at + WORD + dropped, base = cfa;

	if (cfa % WORD || dropped % WORD || cfa > INT32_MAX || cfa < INT32_MIN)
		return false;
	*rule = (struct unwind_rule){
		.kind = RULE_REG,
		.cfa_reg = e->sp.by_fp ? arch->fp : arch->sp,
		.cfa_offset = (int32_t)cfa,
		.flags = RULE_SCANNED,
		.ra = (int16_t)(-1 - dropped / WORD),
		.fp = (int16_t)words_from(e->slots[0], cfa, INT16_MAX),
	};
	base += rule->fp * WORD;
	for (size_t i = 0; i < UNWIND_SAVED; i++)
		rule->saved[i] = (int8_t)words_from(e->slots[1 + i], base, INT8_MAX);
	return true;
}
