/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/go_chain.h"

#include <string.h>

#include "elf/x86_insn.h"
#include "unwind/code.h"

enum {
	CALL_REL32 = 0xe8,
	CALL_LEN = 5,
	LEA = 0x8d,
	RSP = 4,
	RBP = 5,
	RIP = 5, /* the base, if mod is 0 */
	WINDOW = 512,
	SEARCHES_MAX = 256, /* by name, of one program */
	FUNC_MAX = 1 << 16, /* bytes of a function's code to search */
};

/* The target of the call before the return address RET, if it is direct. */
static bool call_target(const struct go_code *go, uint64_t ret, uint64_t *target)
{
	unsigned char code[CALL_LEN];
	int32_t distance;

	if (!elf_read_code(go->file, ret - CALL_LEN, code, CALL_LEN) ||
	    code[0] != CALL_REL32)
		return false;
	memcpy(&distance, code + 1, sizeof(distance));
	*target = ret + (uint64_t)(int64_t)distance;
	return true;
}

/* A function's instructions, one by one. */
struct sweep {
	const struct go_code *go;
	uint32_t *fuel;
	uint64_t at, end; /* addresses: of the next instruction, and behind the last */
	/* the code that was read: WINDOW_LEN bytes, beginning at WINDOW_AT */
	uint64_t window_at;
	size_t window_len;
	unsigned char window[WINDOW];
};

/* From AT to END; the window is still empty. */
static void sweep_begin(struct sweep *s, const struct go_code *go, uint64_t at,
			uint64_t end, uint32_t *fuel)
{
	s->go = go;
	s->fuel = fuel;
	s->at = s->window_at = at;
	s->end = end;
	s->window_len = 0;
}

/* The number of bytes in the window from the next instruction on. */
static size_t bytes_ahead(const struct sweep *s)
{
	return s->window_at + s->window_len - s->at;
}

/* Moves the window to the next instruction. */
static void read_window(struct sweep *s)
{
	s->window_at = s->at;
	s->window_len = s->end - s->at < WINDOW ? s->end - s->at : WINDOW;
	if (!elf_read_code(s->go->file, s->at, s->window, s->window_len))
		s->window_len = 0;
}

/* False if none could be read, or the fuel is spent. */
static bool next_insn(struct sweep *s, struct x86_insn *insn)
{
	if (!*s->fuel)
		return false;
	--*s->fuel;
	if (bytes_ahead(s) < X86_INSN_MAX && s->window_at + s->window_len < s->end)
		read_window(s);
	if (!x86_insn_decode(s->window + (s->at - s->window_at), bytes_ahead(s), insn))
		return false;
	s->at += insn->len;
	return true;
}

/* mov %rsp,%rbp, or lea …(%rsp),%rbp, as before Go 1.21 */
static bool sets_fp(const struct x86_insn *insn)
{
	if (insn->op == 0x89)
		return insn->mod == 3 && insn->reg == RSP && insn->rm == RBP;
	return insn->op == LEA && insn->reg == RBP && insn->rm == RSP;
}

/* pop %rbp, or mov …(%rsp),%rbp */
static bool restores_fp(const struct x86_insn *insn)
{
	if (insn->op == 0x5d)
		return insn->rm == RBP;
	return insn->op == 0x8b && insn->mod != 3 && insn->reg == RBP;
}

/* Code behind ret and jmp is reached from elsewhere. */
static bool goes_away(const struct x86_insn *insn)
{
	return insn->op == 0xc3 || insn->op == 0xe9 || insn->op == 0xeb;
}

/* Whether the frame pointer is F's own at VADDR, not still or again its caller's. */
static bool has_own_fp(const struct go_code *go, const struct go_func *f, uint64_t vaddr,
		       uint32_t *fuel)
{
	struct sweep s;
	struct x86_insn insn;
	bool was_set = false, own = false;

	sweep_begin(&s, go, f->start, vaddr, fuel);
	while (s.at < s.end) {
		if (!next_insn(&s, &insn))
			return false;
		if (insn.vector)
			continue;
		if (sets_fp(&insn))
			was_set = own = true;
		else if (restores_fp(&insn))
			own = false;
		else if (goes_away(&insn))
			own = was_set;
	}
	return own;
}

/* Whether INSN, before RET, takes the address of FUNC, or of a word that holds it. */
static bool takes_func(const struct go_code *go, const struct x86_insn *insn,
		       uint64_t ret, uint64_t func)
{
	const uint64_t at = ret + (uint64_t)(int64_t)insn->disp;
	uint64_t word;

	if (insn->vector || insn->op != LEA || insn->mod || insn->rm != RIP)
		return false;
	return at == func ||
	       (elf_read_code(go->file, at, &word, sizeof(word)) && word == func);
}

/* The calls that a function makes to another. */
struct calls {
	unsigned all, with_func;
	uint64_t any, one_with_func; /* the return address of the last of each */
};

/*
 * The calls in F to TARGET, and those that pass FUNC: its address is taken behind the
 * previous call.  False if the code is not understood.
 */
static bool find_calls(const struct go_code *go, const struct go_func *f, uint64_t target,
		       uint64_t func, uint32_t *fuel, struct calls *calls)
{
	struct sweep s;
	struct x86_insn insn;
	bool taken = false;

	sweep_begin(&s, go, f->start, f->end, fuel);
	while (s.at < s.end) {
		if (!next_insn(&s, &insn))
			return false;
		taken |= func && takes_func(go, &insn, s.at, func);
		if (insn.vector || insn.op != CALL_REL32)
			continue;
		if (s.at + (uint64_t)insn.imm == target) {
			calls->all++;
			calls->any = s.at;
			calls->with_func += taken;
			if (taken)
				calls->one_with_func = s.at;
		}
		taken = false;
	}
	return true;
}

static const struct go_edge none = { .kind = GO_EDGE_NONE };
static const struct go_edge a_call = { .kind = GO_EDGE_CALL };

/* The chain went through a frame of BELOW, so ABOVE is its return address. */
static struct go_edge from_framed(const struct go_code *go, const struct go_func *below,
				  uint64_t above)
{
	uint64_t target;

	if (unwind_code_is_go_end(go->file, above - 1))
		return a_call;
	if (call_target(go, above, &target))
		return target == below->start ? a_call : none;
	return unwind_code_is_behind_call(go->file, above) ? a_call : none;
}

/* The function whose closure FUNC is, by its name. */
static bool find_maker(struct go_code *go, uint64_t func, uint32_t *fuel,
		       struct go_func *maker)
{
	struct go_func f;

	if (!func || go->searches == SEARCHES_MAX || !go_table_find(&go->table, func, &f))
		return false;
	go->searches++;
	return go_table_find_outer(&go->table, &f, fuel, maker);
}

/*
 * BELOW has no frame, or not now: ABOVE is its caller's return address.  BELOW's argument
 * FUNC identifies the caller's call.  A goroutine's first function was not called; it is
 * the one that made FUNC.
 */
static struct go_edge from_frameless(struct go_code *go, const struct go_func *below,
				     uint64_t func, uint64_t above, uint32_t *fuel)
{
	const bool first = unwind_code_is_go_end(go->file, above - 1);
	struct calls calls = { 0 };
	struct go_edge edge = none;
	struct go_func caller;
	uint64_t target;

	if (first ? !find_maker(go, func, fuel, &caller)
		  : !call_target(go, above, &target) ||
			    !go_table_find(&go->table, target, &caller) ||
			    caller.start != target)
		return none;
	if (caller.end - caller.start > FUNC_MAX ||
	    !find_calls(go, &caller, below->start, func, fuel, &calls))
		return none;
	if (calls.with_func == 1)
		edge = (struct go_edge){ GO_EDGE_VIA, calls.one_with_func };
	else if (calls.all == 1 && !first)
		edge = (struct go_edge){ GO_EDGE_VIA, calls.any };
	if (edge.kind == GO_EDGE_VIA && !go_saves_fp(go, &caller, edge.via - 1, fuel))
		return none;
	return edge;
}

/* The start of the function that contains ADDRESS; 0: none. */
static uint64_t start_of(const struct go_code *go, uint64_t address)
{
	struct go_func f;

	return address && go_table_find(&go->table, address, &f) ? f.start : 0;
}

struct go_edge go_chain_edge(struct go_code *go, const struct go_place *below,
			     uint64_t above, uint32_t *fuel)
{
	const uint64_t at = below->address - below->is_return;
	struct go_func f;

	if (!go_table_find(&go->table, at, &f))
		return none;
	if (go_saves_fp(go, &f, at, fuel) &&
	    (below->is_return || has_own_fp(go, &f, at, fuel)))
		return from_framed(go, &f, above);
	return from_frameless(go, &f, start_of(go, below->callee), above, fuel);
}
