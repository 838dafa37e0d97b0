/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/scan.h"

#include <string.h>

#include "elf/x86_insn.h"

enum {
	INSNS_MAX = 4000, /* followed for one rule */
	WAYS_MAX = 128,   /* branches to remember */
	WINDOW = 512,     /* bytes of code to read at once */
};

/* System calls that end a thread and a process. */
enum { SYS_EXIT = 60, SYS_EXIT_GROUP = 231 };

#define NOT_A_NUMBER -1

/* The state at one instruction of one way through the code. */
struct state {
	uint64_t address;
	struct effect effect;
	int32_t eax; /* or NOT_A_NUMBER */
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
		return insn->rm != HW_RAX;
	if (insn->op == 0x89)
		return insn->mod == 3 && insn->rm != HW_RAX;
	return insn->op == 0x8b && insn->reg != HW_RAX;
}

static void follow_eax(struct state *st, const struct x86_insn *insn)
{
	if (insn->vector)
		st->eax = NOT_A_NUMBER;
	else if (insn->rm == HW_RAX &&
		 (insn->op == 0xb8 || (insn->op == 0xc7 && insn->mod == 3)))
		st->eax = (int32_t)insn->imm;
	else if (insn->op == 0xb0 && insn->rm == HW_RAX) /* al */
		st->eax = st->eax == 0 ? (int32_t)insn->imm : NOT_A_NUMBER;
	else if (is_zeroing(insn) && insn->rm == HW_RAX)
		st->eax = 0;
	else if (!leaves_eax(insn))
		st->eax = NOT_A_NUMBER;
}

/* ---- ways through the code ---- */

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
	if (a->effect.sp.by_fp != b->effect.sp.by_fp)
		return a->effect.sp.by_fp;
	return a->effect.sp.at > b->effect.sp.at;
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

	if (!x86_insn_decode(code, len, &insn) || insn_is_stop(&insn))
		return false;
	st->address += insn.len;
	if (insn_is_return(&insn)) {
		take_return(s, st);
		return false;
	}
	if (insn_is_conditional(&insn) || insn_is_jump(&insn))
		add_way(s, st, st->address + (uint64_t)insn.imm);
	if (is_exit(st, &insn)) {
		s->exits = true;
		return false;
	}
	note_jump(s, st, &insn);
	follow_eax(st, &insn);
	return !insn_is_jump(&insn) && effect_of(&st->effect, &insn);
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

	effect_begin(&st.effect);
	return st;
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
	return s.found && effect_rule(&s.best.effect, 0, rule);
}

/* ---- from a function's entry to a place in it ---- */

/* What the ways that reach a place say. */
struct arrival {
	bool any, agree;
	struct effect_place sp, fp;
};

static bool is_same(struct effect_place a, struct effect_place b)
{
	return a.by_fp == b.by_fp && a.at == b.at;
}

static void arrive(struct arrival *a, const struct effect *e)
{
	const struct effect_place fp = effect_fp(e);

	a->agree = !a->any || (a->agree && is_same(a->sp, e->sp) && is_same(a->fp, fp));
	a->sp = e->sp;
	a->fp = fp;
	a->any = true;
}

bool unwind_scan_from_entry(const struct elf_file *f, uint64_t entry, uint64_t address,
			    struct effect_place *sp, struct effect_place *fp)
{
	struct arrival a = { 0 };
	struct scan s = { .file = f };
	struct state st = beginning(entry);

	if (f->arch != &unwind_x86_64)
		return false;
	for (;;) {
		do {
			if (st.address == address)
				arrive(&a, &st.effect);
		} while (s.insns++ < INSNS_MAX && follow(&s, &st));
		if (s.followed == s.nways)
			break;
		st = s.ways[s.followed++];
	}
	*sp = a.sp;
	*fp = a.fp;
	return a.any && a.agree && s.insns < INSNS_MAX;
}
