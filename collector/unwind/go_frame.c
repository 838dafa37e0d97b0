/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/go_frame.h"

#include "elf/x86_insn.h"
#include "unwind/code.h"

enum {
	WORD = 8,
	RSP = 4,
	RBP = 5,
	PROLOGUE_INSNS = 16,
	PROLOGUE_BYTES = PROLOGUE_INSNS * X86_INSN_MAX,
};

static bool is_push_fp(const struct x86_insn *insn)
{
	return insn->op == 0x55 && insn->rm == RBP;
}

/* mov %rbp,disp(%rsp) */
static bool is_store_fp(const struct x86_insn *insn)
{
	return insn->op == 0x89 && insn->has_rm && insn->mod != 3 && insn->rm == RSP &&
	       insn->reg == RBP && !insn->indexed;
}

static bool ends_prologue(const struct x86_insn *insn)
{
	return insn->op == 0xe8 || insn->op == 0xe9 || insn->op == 0xeb ||
	       insn->op == 0xc3;
}

/* Whether INSN, which changes the depth from BEFORE to AFTER, saves fp in its place. */
static bool saves(const struct x86_insn *insn, int32_t before, int32_t after)
{
	if (insn->vector)
		return false;
	if (is_push_fp(insn))
		return after == WORD;
	return is_store_fp(insn) && insn->disp == before - WORD;
}

bool go_saves_fp(const struct go_code *go, const struct go_func *f, uint64_t vaddr,
		 uint32_t *fuel)
{
	unsigned char code[PROLOGUE_BYTES];
	size_t len = vaddr - f->start < sizeof(code) ? vaddr - f->start : sizeof(code);
	struct x86_insn insn;
	int32_t before, after;
	size_t at = 0;

	if (!go_func_depth(&go->table, f, vaddr, fuel, &before) || before < WORD)
		return false;
	if (!elf_read_code(go->file, f->start, code, len))
		return false;
	for (unsigned n = 0; n < PROLOGUE_INSNS; n++, at += insn.len) {
		if (!x86_insn_decode(code + at, len - at, &insn) || ends_prologue(&insn))
			return false;
		if (go_func_depth(&go->table, f, f->start + at, fuel, &before) &&
		    go_func_depth(&go->table, f, f->start + at + insn.len, fuel,
				  &after) &&
		    saves(&insn, before, after))
			return true;
	}
	return false;
}

/* A signal handler is one of Go's tops too, but returns to the interrupted code. */
static bool is_beginning(const struct go_table *t, const struct go_func *f)
{
	return f->flags & GO_FUNC_TOP && !go_func_is(t, f, "runtime.sigtramp") &&
	       !go_func_is(t, f, "runtime.cgoSigtramp");
}

bool go_row_at(const struct go_code *go, uint64_t vaddr, uint32_t *fuel,
	       struct cfi_row *row)
{
	const struct unwind_arch *arch = go->file->arch;
	struct go_func f;
	int32_t depth;

	/* A handler returns to the first byte of one, which follows another function. */
	if (unwind_code_is_sigreturn(go->file, vaddr))
		return false;
	if (!go_table_find(&go->table, vaddr, &f) ||
	    !go_func_depth(&go->table, &f, vaddr, fuel, &depth))
		return false;
	*row = (struct cfi_row){ .start = f.start, .end = f.end, .ra = arch->ra };
	row->cfa = (struct cfi_place){ .how = CFI_REGISTER,
				       .reg = arch->sp,
				       .number = depth + WORD };
	row->reg[arch->ra] = (struct cfi_place){ .how = CFI_OFFSET, .number = -WORD };
	if (is_beginning(&go->table, &f))
		row->reg[arch->ra].how = CFI_UNDEFINED;
	if (go_saves_fp(go, &f, vaddr, fuel))
		row->reg[arch->fp] = (struct cfi_place){ .how = CFI_OFFSET,
							 .number = -2 * WORD };
	return true;
}
