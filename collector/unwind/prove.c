/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/prove.h"

#include "unwind/reg_writes.h"
#include "unwind/stack_effect.h"

enum {
	INSNS_MAX = 1500, /* followed for one rule */
	WAYS_MAX = 64,    /* branches to remember */
	SEEN_BITS = 12,   /* twice as many places as instructions, at least */
	WORD = 8,
	CALL_SHORTEST = 2,
	CALL_LONGEST = 8,
};

/* One way through the code. */
struct way {
	uint64_t address;
	struct effect effect;
	bool called;     /* another call precedes */
	bool fp_written; /* fp is no frame pointer any more */
	uint8_t lost;    /* of effect_regs */
	int64_t dropped; /* by the return */
};

/* What the returns of one kind prove. */
struct evidence {
	bool found, differs;
	struct way best;
};

/* Ways that no call precedes come first, and are enough if they lead to a return. */
struct proof {
	const struct prove_code *code;
	unsigned int insns, nways;
	struct way ways[WAYS_MAX];
	struct evidence direct, behind_calls;
	uint64_t seen[1 << SEEN_BITS]; /* addresses, from the first way that led there */
};

/* ---- one instruction ---- */

static bool is_call(const struct x86_insn *insn)
{
	return !insn->vector &&
	       (insn->op == 0xe8 || (insn->op == 0xff && insn->reg % 8 == 2));
}

/* Instructions whose effect on rsp is known to effect_of. */
static bool has_effect(const struct x86_insn *insn)
{
	return !insn->vector &&
	       (insn->op == 0x81 || insn->op == 0x83 || insn->op == 0x89 ||
		insn->op == 0x8b || insn->op == 0x8d);
}

static int index_of(unsigned int reg)
{
	for (int i = 0; i < EFFECT_REGS; i++)
		if (effect_regs[i] == reg)
			return i;
	return -1;
}

static bool uses_fp(const struct x86_insn *insn)
{
	if (insn->vector)
		return false;
	return insn->op == 0xc9 ||
	       (insn->op == 0x89 && insn->mod == 3 && insn->rm == HW_RSP) ||
	       (insn->reg == HW_RSP && (insn->op == 0x8b || insn->op == 0x8d) &&
		insn->rm == HW_RBP);
}

/* mov from the stack to a register: where to, or -1; *SLOT is based as sp. */
static int restored_by(const struct way *w, const struct x86_insn *insn, int64_t *slot)
{
	struct effect_place base;

	if (insn->vector || insn->op != 0x8b || insn->mod == 3 || insn->indexed ||
	    (insn->rm != HW_RSP && (insn->rm != HW_RBP || w->fp_written)))
		return -1;
	base = insn->rm == HW_RSP ? w->effect.sp : effect_fp(&w->effect);
	*slot = base.at + insn->disp;
	return base.by_fp == w->effect.sp.by_fp && *slot % WORD == 0 ? index_of(insn->reg)
								     : -1;
}

static void lose(struct way *w, int i)
{
	w->lost |= (uint8_t)(1 << i);
	w->effect.slots[i] = EFFECT_UNSAVED;
}

/* A slot that is not a place by the new base of sp is of no use. */
static void note_lost_slots(struct way *w, const struct effect *before)
{
	for (int i = 0; i < EFFECT_REGS; i++)
		if (before->slots[i] != EFFECT_UNSAVED &&
		    w->effect.slots[i] == EFFECT_UNSAVED)
			lose(w, i);
		else if (before->slots[i] != w->effect.slots[i])
			w->lost &= (uint8_t) ~(1 << i);
}

/* Registers that INSN restores or overwrites; pop's and leave's are in the effect. */
static void note_registers(struct way *w, const struct x86_insn *insn, uint16_t written,
			   int restored, int64_t slot)
{
	for (int i = 0; i < EFFECT_REGS; i++)
		if (i == restored) {
			w->effect.slots[i] = slot;
			w->lost &= (uint8_t) ~(1 << i);
		} else if (written >> effect_regs[i] & 1) {
			lose(w, i);
		}
	/* A call keeps fp in all conventions, and others only in C's. */
	if (is_call(insn))
		for (int i = 1; i < EFFECT_REGS; i++)
			if (w->effect.slots[i] == EFFECT_UNSAVED)
				lose(w, i);
	w->called |= is_call(insn);
}

/* Whether INSN makes fp another thing than a frame pointer that was set on the way. */
static bool ends_fp(const struct x86_insn *insn, uint16_t written)
{
	bool sets = insn->op == 0x89 || insn->op == 0x8b;

	if (sets && insn->mod == 3 && (insn->op == 0x89 ? insn->reg : insn->rm) == HW_RSP)
		return false;
	return written >> HW_RBP & 1 || insn->op == 0xc9 || insn->op == 0x58 + HW_RBP;
}

/* False: it ends the way. */
static bool follow_plain(struct way *w, const struct x86_insn *insn)
{
	const struct effect before = w->effect;
	uint16_t written = reg_writes_of(insn);
	int64_t slot = 0;
	int restored = restored_by(w, insn, &slot);

	if ((written >> HW_RSP & 1 && !has_effect(insn)) ||
	    (uses_fp(insn) && w->fp_written) || !effect_of(&w->effect, insn))
		return false;
	note_lost_slots(w, &before);
	note_registers(w, insn, written, restored, slot);
	w->fp_written |= ends_fp(insn, written);
	return true;
}

/* ---- ways ---- */

/* Whether a way was at ADDRESS before. */
static bool was_seen(struct proof *p, uint64_t address)
{
	uint64_t at = address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_BITS);

	for (; p->seen[at]; at = (at + 1) % (1 << SEEN_BITS))
		if (p->seen[at] == address)
			return true;
	p->seen[at] = address;
	return false;
}

static void add_way(struct proof *p, const struct way *w, uint64_t target)
{
	if (p->nways == WAYS_MAX)
		return;
	p->ways[p->nways] = *w;
	p->ways[p->nways++].address = target;
}

/* The way to follow next into *W; false if there is none, or no need. */
static bool next_way(struct proof *p, struct way *w)
{
	for (int called = 0; called < 2 && !(called && p->direct.found); called++)
		for (unsigned int i = 0; i < p->nways; i++)
			if (p->ways[i].called == called) {
				*w = p->ways[i];
				p->ways[i] = p->ways[--p->nways];
				return true;
			}
	return false;
}

static bool is_same_place(const struct way *a, const struct way *b)
{
	return a->effect.sp.by_fp == b->effect.sp.by_fp &&
	       a->effect.sp.at == b->effect.sp.at && a->dropped == b->dropped;
}

/* To an address that the way itself pushed is a jump. */
static bool is_jump_by_return(const struct way *w)
{
	return !w->effect.sp.by_fp && w->effect.sp.at < 0;
}

/* A function saves nothing in the place of its return address, nor in its caller's frame. */
static void lose_foreign_slots(struct way *w)
{
	for (int i = 0; i < EFFECT_REGS; i++)
		if (w->effect.slots[i] != EFFECT_UNSAVED &&
		    w->effect.slots[i] >= w->effect.sp.at)
			lose(w, i);
}

static void take_return(struct proof *p, struct way *w)
{
	struct evidence *e = w->called ? &p->behind_calls : &p->direct;

	if (is_jump_by_return(w))
		return;
	lose_foreign_slots(w);
	if (!e->found) {
		e->best = *w;
		e->found = true;
		return;
	}
	e->differs |= !is_same_place(&e->best, w);
	e->best.lost |= w->lost;
	for (int i = 0; i < EFFECT_REGS; i++)
		if (e->best.effect.slots[i] != w->effect.slots[i])
			lose(&e->best, i);
}

/* Decodes the instruction at ADDRESS. */
static bool decode(const struct prove_code *code, uint64_t address, struct x86_insn *insn)
{
	unsigned char bytes[X86_INSN_MAX];
	size_t len = code->read(code->context, address, bytes, sizeof(bytes));
	bool is_code = x86_insn_decode(bytes, len, insn);

	code->used(code->context, address, is_code ? insn->len : len);
	return is_code;
}

/* Follows one instruction; false if the way ends. */
static bool follow(struct proof *p, struct way *w)
{
	struct x86_insn insn;

	if (was_seen(p, w->address) || !decode(p->code, w->address, &insn) ||
	    insn_is_stop(&insn))
		return false;
	w->address += insn.len;
	if (insn_is_return(&insn)) {
		w->dropped = insn.op == 0xc2 ? (uint16_t)insn.imm : 0;
		take_return(p, w);
		return false;
	}
	if (insn_is_conditional(&insn) || insn_is_jump(&insn))
		add_way(p, w, w->address + (uint64_t)insn.imm);
	if (insn_is_jump(&insn) || !follow_plain(w, &insn))
		return false;
	if (is_call(&insn))
		add_way(p, w, w->address);
	return !is_call(&insn);
}

static void follow_all(struct proof *p, uint64_t address)
{
	struct way w = { .address = address };

	effect_begin(&w.effect);
	do
		while (p->insns++ < INSNS_MAX && follow(p, &w))
			;
	while (next_way(p, &w));
}

/* ---- the rule ---- */

static bool is_kept(const struct unwind_rule *rule, int i)
{
	return i == 0 ? rule->fp != 0 : rule->saved[i - 1] != 0;
}

static bool to_rule(const struct way *w, struct unwind_made_rule *out)
{
	const struct unwind_arch *arch = &unwind_x86_64;

	*out = (struct unwind_made_rule){ 0 };
	if (!effect_rule(&w->effect, w->dropped, &out->rule))
		return false;
	if (out->rule.cfa_reg == arch->sp && out->rule.cfa_offset < WORD)
		return false;
	for (int i = 0; i < EFFECT_REGS; i++) {
		bool unkept = w->effect.slots[i] != EFFECT_UNSAVED &&
			      !is_kept(&out->rule, i);

		if (w->lost >> i & 1 || unkept)
			out->lost |= UINT64_C(1) << (i ? arch->saved[i - 1] : arch->fp);
	}
	return true;
}

/* Behind the last call of a function, which never returns, the next function begins. */
static bool looks_like_a_beginning(const struct unwind_made_rule *made)
{
	return made->rule.cfa_reg == unwind_x86_64.sp && made->rule.cfa_offset == WORD;
}

bool unwind_prove(const struct prove_code *code, uint64_t address, bool is_return,
		  struct unwind_made_rule *out)
{
	struct proof p = { .code = code };
	const struct evidence *e;

	follow_all(&p, address);
	e = p.direct.found ? &p.direct : &p.behind_calls;
	if (!e->found || e->differs || !to_rule(&e->best, out))
		return false;
	out->doubtful = e != &p.direct || (is_return && looks_like_a_beginning(out));
	return e == &p.direct || !is_return || !looks_like_a_beginning(out);
}

bool unwind_prove_call(const struct prove_code *code, uint64_t address)
{
	unsigned char bytes[CALL_LONGEST];
	struct x86_insn insn;

	if (code->read(code->context, address - CALL_LONGEST, bytes, CALL_LONGEST) !=
	    CALL_LONGEST)
		return false;
	for (size_t len = CALL_SHORTEST; len <= CALL_LONGEST; len++)
		if (x86_insn_decode(bytes + CALL_LONGEST - len, len, &insn) &&
		    insn.len == len && is_call(&insn))
			return true;
	return false;
}
