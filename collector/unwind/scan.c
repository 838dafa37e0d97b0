/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/scan.h"

#include <string.h>

#include "elf/x86_insn.h"

enum {
	INSNS_MAX = 4000, /* followed for one rule */
	WAYS_MAX = 128,   /* branches to remember */
	WINDOW = 512,     /* bytes of code to read at once */
	WORD = 8,
};

/* The hardware's numbers. */
enum { RAX, RBX = 3, RSP, RBP, R12 = 12, R13, R14, R15 };

/* System calls that end a thread and a process. */
enum { SYS_EXIT = 60, SYS_EXIT_GROUP = 231 };

#define UNSAVED      INT64_MIN
#define NOT_A_NUMBER -1

/* A rule's registers: fp, then arch->saved of x86-64. */
static const uint8_t kept_regs[1 + UNWIND_SAVED] = { RBP, RBX, R12, R13, R14, R15 };

/* A stack address: a distance from the initial value of one of two registers. */
struct place {
	bool by_fp; /* else by sp */
	int64_t at;
};

/* The state at one instruction of one way through the code. */
struct state {
	uint64_t address;
	struct place sp;
	bool fp_set; /* fp was set to FP on the way */
	struct place fp;
	int64_t slots[1 + UNWIND_SAVED]; /* of kept_regs, based as sp; or UNSAVED */
	int32_t eax;                     /* or NOT_A_NUMBER */
	bool branched;
};

struct scan {
	const struct elf_file *file;
	unsigned int insns;
	struct state ways[WAYS_MAX]; /* nearest first: a wrong one leads ever further */
	unsigned int nways, followed;
	bool found, exits, jumps;
	struct state jumped; /* behind the first jump to an unknown place */
	struct state best;   /* at a return */
	uint64_t window_at;
	size_t window_len;
	unsigned char window[WINDOW];
};

/* The bytes from ADDRESS on; *LEN becomes 0 if there are none. */
static const unsigned char *code_at(struct scan *s, uint64_t address, size_t *len)
{
	const struct elf_segment *segment;

	if (address - s->window_at >= s->window_len ||
	    s->window_len - (address - s->window_at) < X86_INSN_MAX) {
		segment = elf_segment_of(s->file, address);
		s->window_at = address;
		s->window_len = 0;
		if (segment && segment->flags & PF_X)
			s->window_len = elf_file_read(
				s->file, address - segment->vaddr + segment->offset,
				s->window, sizeof(s->window));
	}
	*len = s->window_len - (size_t)(address - s->window_at);
	return s->window + (address - s->window_at);
}

/* ---- the stack pointer ---- */

static void move_sp(struct state *st, int64_t bytes)
{
	st->sp.at += bytes;
}

static void set_sp(struct state *st, struct place sp)
{
	/* Registers saved by sp's old base have no known place by the new one. */
	for (size_t i = 0; st->sp.by_fp != sp.by_fp && i <= UNWIND_SAVED; i++)
		st->slots[i] = UNSAVED;
	st->sp = sp;
}

static struct place fp_place(const struct state *st)
{
	return st->fp_set ? st->fp : (struct place){ .by_fp = true };
}

static void pop(struct state *st, unsigned int reg)
{
	for (size_t i = 0; i <= UNWIND_SAVED; i++)
		if (kept_regs[i] == reg)
			st->slots[i] = st->sp.at;
	move_sp(st, WORD);
}

/* ---- the effect of each instruction on it: false ends the way ---- */

static bool do_arithmetic(struct state *st, const struct x86_insn *insn)
{
	if (insn->mod != 3 || insn->rm != RSP)
		return true;
	if (insn->reg == 0) /* add */
		move_sp(st, insn->imm);
	else if (insn->reg == 5) /* sub */
		move_sp(st, -insn->imm);
	return insn->reg == 0 || insn->reg == 5 || insn->reg == 7; /* cmp */
}

/* TO := FROM, both registers. */
static bool do_move(struct state *st, unsigned int to, unsigned int from)
{
	if (to == RSP && from == RBP) {
		set_sp(st, fp_place(st));
		return true;
	}
	if (to == RBP && from == RSP) {
		st->fp_set = true;
		st->fp = st->sp;
	}
	return to != RSP;
}

static bool do_lea(struct state *st, const struct x86_insn *insn)
{
	struct place base = insn->rm == RSP ? st->sp : fp_place(st);

	if (insn->reg != RSP)
		return true;
	if (insn->mod == 3 || insn->indexed || (insn->rm != RSP && insn->rm != RBP))
		return false;
	base.at += insn->disp;
	set_sp(st, base);
	return true;
}

/* Opcode ff: only push affects the stack; jumps to unknown places end the way. */
static bool do_group_5(struct state *st, const struct x86_insn *insn)
{
	if (insn->reg % 8 == 6)
		move_sp(st, -WORD);
	return insn->reg % 8 != 4 && insn->reg % 8 != 5;
}

static bool do_leave(struct state *st)
{
	set_sp(st, fp_place(st));
	pop(st, RBP);
	return true;
}

/* Opcodes of one byte other than branches, returns and stops. */
static bool do_one_byte(struct state *st, const struct x86_insn *insn)
{
	bool rm_is_sp = insn->has_rm && insn->mod == 3 && insn->rm == RSP;

	switch (insn->op) {
	case 0x68: /* push imm */
	case 0x6a:
	case 0x9c: /* pushf */
		move_sp(st, -WORD);
		return true;
	case 0x9d: /* popf */
		move_sp(st, WORD);
		return true;
	case 0x81:
	case 0x83:
		return do_arithmetic(st, insn);
	case 0x89:
		return insn->mod != 3 || do_move(st, insn->rm, insn->reg);
	case 0x8b:
		return insn->mod == 3 ? do_move(st, insn->reg, insn->rm)
				      : insn->reg != RSP;
	case 0x8d:
		return do_lea(st, insn);
	case 0x8f: /* pop r/m */
		move_sp(st, WORD);
		return true;
	case 0xc9:
		return do_leave(st);
	case 0xff:
		return do_group_5(st, insn);
	case 0x01: /* add and sub of registers */
	case 0x29:
	case 0x87: /* xchg */
		return !rm_is_sp;
	case 0x03:
	case 0x2b:
		return insn->reg != RSP;
	case 0xc8: /* enter */
		return false;
	default:
		return true;
	}
}

static bool do_insn(struct state *st, const struct x86_insn *insn)
{
	if (insn->vector || insn->op > 0xff)
		return true;
	if (insn->op >> 3 == 0x50 >> 3) {
		move_sp(st, -WORD);
		return true;
	}
	if (insn->op >> 3 == 0x58 >> 3) {
		pop(st, insn->rm);
		return insn->rm != RSP;
	}
	return do_one_byte(st, insn);
}

/* ---- the number of a system call ---- */

static bool is_zeroing(const struct x86_insn *insn)
{
	return (insn->op == 0x31 || insn->op == 0x33) && insn->mod == 3 &&
	       insn->reg == insn->rm;
}

/* Moves between other registers, as before a system call. */
static bool leaves_eax(const struct x86_insn *insn)
{
	if (is_zeroing(insn))
		return insn->rm != RAX;
	if (insn->op == 0x89)
		return insn->mod == 3 && insn->rm != RAX;
	return insn->op == 0x8b && insn->reg != RAX;
}

static void follow_eax(struct state *st, const struct x86_insn *insn)
{
	if (insn->vector)
		st->eax = NOT_A_NUMBER;
	else if (insn->rm == RAX &&
		 (insn->op == 0xb8 || (insn->op == 0xc7 && insn->mod == 3)))
		st->eax = (int32_t)insn->imm;
	else if (insn->op == 0xb0 && insn->rm == RAX) /* al */
		st->eax = st->eax == 0 ? (int32_t)insn->imm : NOT_A_NUMBER;
	else if (is_zeroing(insn) && insn->rm == RAX)
		st->eax = 0;
	else if (!leaves_eax(insn))
		st->eax = NOT_A_NUMBER;
}

/* ---- ways through the code ---- */

static bool is_return_insn(const struct x86_insn *insn)
{
	return !insn->vector && (insn->op == 0xc3 || insn->op == 0xc2);
}

static bool is_conditional(const struct x86_insn *insn)
{
	return !insn->vector &&
	       ((insn->op >= 0x70 && insn->op <= 0x7f) ||
		(insn->op >= 0xe0 && insn->op <= 0xe3) ||
		(insn->op >= X86_OP(1, 0x80) && insn->op <= X86_OP(1, 0x8f)));
}

static bool is_jump(const struct x86_insn *insn)
{
	return !insn->vector && (insn->op == 0xe9 || insn->op == 0xeb);
}

/* hlt, ud2, int3: the code behind is never reached. */
static bool is_stop(const struct x86_insn *insn)
{
	return !insn->vector &&
	       (insn->op == 0xf4 || insn->op == X86_OP(1, 0x0b) || insn->op == 0xcc);
}

/* Each target is followed once, from the first way that leads there. */
static void add_way(struct scan *s, const struct state *st, uint64_t target)
{
	for (unsigned int i = 0; i < s->nways; i++)
		if (s->ways[i].address == target)
			return;
	if (s->nways == WAYS_MAX)
		return;
	s->ways[s->nways] = *st;
	s->ways[s->nways].address = target;
	s->ways[s->nways++].branched = true;
}

/* The function itself proves a return through fp; see the header for the rest. */
static bool is_better(const struct state *a, const struct state *b)
{
	if (a->sp.by_fp != b->sp.by_fp)
		return a->sp.by_fp;
	return a->sp.at > b->sp.at;
}

static void take_return(struct scan *s, const struct state *st)
{
	if (!s->found || is_better(st, &s->best))
		s->best = *st;
	s->found = true;
}

/*
 * Behind a jump through a register or memory lie the cases of a switch or, if that was a
 * function's tail call, the next function or another part of this one.  It is worth
 * following only if there is nothing better.
 */
static void note_jump(struct scan *s, const struct state *st, const struct x86_insn *insn)
{
	if (insn->vector || insn->op != 0xff || insn->reg % 8 != 4 || s->jumps)
		return;
	s->jumps = true;
	s->jumped = *st;
}

static bool is_exit(const struct state *st, const struct x86_insn *insn)
{
	return !st->branched && insn->op == X86_OP(1, 0x05) &&
	       (st->eax == SYS_EXIT || st->eax == SYS_EXIT_GROUP);
}

/* Follows one instruction of the way ST; false if it ends. */
static bool follow(struct scan *s, struct state *st)
{
	size_t len;
	const unsigned char *code = code_at(s, st->address, &len);
	struct x86_insn insn;

	if (!x86_insn_decode(code, len, &insn) || is_stop(&insn))
		return false;
	st->address += insn.len;
	if (is_return_insn(&insn)) {
		take_return(s, st);
		return false;
	}
	if (is_conditional(&insn) || is_jump(&insn))
		add_way(s, st, st->address + (uint64_t)insn.imm);
	if (is_exit(st, &insn)) {
		s->exits = true;
		return false;
	}
	note_jump(s, st, &insn);
	follow_eax(st, &insn);
	return !is_jump(&insn) && do_insn(st, &insn);
}

/* Follows the way ST, and those that branch off. */
static void follow_all(struct scan *s, struct state st)
{
	for (;;) {
		while (s->insns++ < INSNS_MAX && follow(s, &st))
			;
		if (s->followed == s->nways)
			return;
		st = s->ways[s->followed++];
	}
}

static struct state beginning(uint64_t address)
{
	struct state st = { .address = address, .eax = NOT_A_NUMBER };

	for (size_t i = 0; i <= UNWIND_SAVED; i++)
		st.slots[i] = UNSAVED;
	return st;
}

/* ---- the rule ---- */

/* The slot's distance from BASE in words; 0 if it was not saved, or is too far. */
static int words_from(int64_t slot, int64_t base, int limit)
{
	int64_t words;

	if (slot == UNSAVED)
		return 0;
	words = (slot - base) / WORD;
	return words > limit || words < -limit ? 0 : (int)words;
}

static bool to_rule(const struct elf_file *f, const struct state *st,
		    struct unwind_rule *rule)
{
	int64_t cfa = st->sp.at + WORD, base = cfa;

	if (cfa % WORD || cfa > INT32_MAX || cfa < INT32_MIN)
		return false;
	*rule = (struct unwind_rule){
		.kind = RULE_REG,
		.cfa_reg = st->sp.by_fp ? f->arch->fp : f->arch->sp,
		.cfa_offset = (int32_t)cfa,
		.flags = RULE_SCANNED,
		.ra = -1,
		.fp = (int16_t)words_from(st->slots[0], cfa, INT16_MAX),
	};
	base += rule->fp * WORD;
	for (size_t i = 0; i < UNWIND_SAVED; i++)
		rule->saved[i] = (int8_t)words_from(st->slots[1 + i], base, INT8_MAX);
	return true;
}

bool unwind_scan(const struct elf_file *f, uint64_t address, bool is_return,
		 struct unwind_rule *rule)
{
	struct scan s = { .file = f };

	if (f->arch != &unwind_x86_64)
		return false;
	follow_all(&s, beginning(address));
	if (!s.found && s.jumps)
		follow_all(&s, s.jumped);
	if (s.exits && is_return) {
		*rule = (struct unwind_rule){ .kind = RULE_ROOT };
		return true;
	}
	return s.found && to_rule(f, &s.best, rule);
}
