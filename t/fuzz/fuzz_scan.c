/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code of arbitrary bytes without call frame information: followed to its returns, and
 * the result used for a step.  The input's first byte selects whether to ask for a caller
 * (bit 0), the second the place in the code, which follows.
 */
#include <stdlib.h>

#include "unwind/code.h"
#include "unwind/scan.h"
#include "unwind/step.h"
#include "elf/x86_insn.h"

#define CODE  UINT64_C(0x400000)
#define STACK UINT64_C(0x7ffff000)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void decode(const uint8_t *code, size_t len)
{
	struct x86_insn insn;

	if (!x86_insn_decode(code, len, &insn))
		return;
	must(insn.len > 0 && insn.len <= X86_INSN_MAX && insn.len <= len);
	must(insn.mod < 4 && insn.reg < 16 && insn.rm < 16);
}

static void step(const struct unwind_arch *arch, const struct unwind_rule *rule)
{
	uint64_t words[64] = { 0 };
	const struct stack_copy stack = {
		.bytes = (const unsigned char *)words,
		.len = sizeof(words),
		.start = STACK,
	};
	struct unwind_regs regs = { .pc = CODE };
	struct step_result result;

	for (unsigned int n = 0; n < arch->nregs; n++)
		unwind_reg_set(&regs, n, STACK + 16 * n);
	step_by_rule(arch, rule, &stack, &regs, &result);
}

static void scan(const struct elf_file *f, uint64_t address, bool is_return)
{
	struct unwind_rule rule;

	if (!unwind_scan(f, address, is_return, &rule))
		return;
	if (rule.kind == RULE_ROOT) {
		must(is_return);
		return;
	}
	must(rule.kind == RULE_REG && rule.flags == RULE_SCANNED && rule.ra == -1);
	must(rule.cfa_reg == f->arch->sp || rule.cfa_reg == f->arch->fp);
	must(rule.cfa_offset % 8 == 0);
	step(f->arch, &rule);
}

/* Other facts found in the bytes of code. */
static void look(const struct elf_file *f, uint64_t address)
{
	struct unwind_rule rule;
	struct effect_place sp, fp;

	unwind_scan_from_entry(f, CODE, address, &sp, &fp);
	unwind_code_is_sigreturn(f, address);
	unwind_code_plt_rule(f, address, &rule);
	unwind_code_clone_rule(f, address, &rule);
	unwind_code_is_coroutine_end(f, address);
	unwind_code_is_go_end(f, address);
	unwind_code_is_behind_call(f, address);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct elf_file f = { .fd = -1, .arch = &unwind_x86_64 };

	if (len < 2 || len - 2 < bytes[1])
		return 0;
	f.image = bytes + 2;
	f.size = len - 2;
	*vec_push(&f.segments) =
		(struct elf_segment){ .filesz = f.size, .vaddr = CODE, .flags = PF_X };
	decode(f.image + bytes[1], f.size - bytes[1]);
	scan(&f, CODE + bytes[1], bytes[0] & 1);
	look(&f, CODE + bytes[1]);
	vec_release(&f.segments);
	return 0;
}
