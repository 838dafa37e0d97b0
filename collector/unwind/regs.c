/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/regs.h"

#include <elf.h>
#include <stddef.h>

#define BIT(n)  (UINT64_C(1) << (n))
#define BITS(n) (BIT(n) - 1)

/*
 * The stack pointer of a signal frame points to its struct ucontext, as the return
 * address below it was popped; uc_stack is at 16, uc_mcontext at 40 with one word a
 * register.
 */
#define X86_MC(n) (40 + 8 * (n))

const struct unwind_arch unwind_x86_64 = {
	.name = "x86-64",
	.elf_machine = EM_X86_64,
	.fp = 6,
	.sp = 7,
	.ra = 16,
	.argument = 5,
	.saved = { 3, 12, 13, 14, 15 },
	.kept = BIT(3) | BIT(6) | BIT(7) | BIT(12) | BIT(13) | BIT(14) | BIT(15),
	.address_mask = UINT64_MAX,
	.sigframe_pc = X86_MC(16),
	.sigframe_sp = X86_MC(15),
	.sigframe_stack = 16,
	/* The kernel's order: r8 … r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip. */
	.sigframe_reg = { X86_MC(13), X86_MC(12), X86_MC(14), X86_MC(11), X86_MC(9),
			  X86_MC(8), X86_MC(10), X86_MC(15), X86_MC(0), X86_MC(1),
			  X86_MC(2), X86_MC(3), X86_MC(4), X86_MC(5), X86_MC(6),
			  X86_MC(7) },
	/*
	 * perf_get_regs_user(), arch/x86/kernel/perf_regs.c: rbx and r12 to r15 are -1, rbp
	 * was before Linux 4.20, rax is not written.
	 */
	.nmi_minus_one = BIT(3) | BIT(12) | BIT(13) | BIT(14) | BIT(15),
	.nmi_missing = BIT(0),
	.perf_mask = BITS(9) | (BITS(24) & ~BITS(16)),
	.perf_pc = 8,
	/* perf's order: ax, bx, cx, dx, si, di, bp, sp; r8 … from 16 on. */
	.perf_reg = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23 },
	.nregs = 16,
};

/*
 * The signal frame: struct siginfo of 128 bytes, struct ucontext whose uc_stack is at 16
 * and uc_mcontext at 176; fault_address, then x0 … x30, sp, pc.
 */
#define ARM_MC(n) (128 + 176 + 8 + 8 * (n))

const struct unwind_arch unwind_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.fp = 29,
	.sp = 31,
	.ra = 30,
	.argument = 0,
	.saved = { 19, 20, 21, 22, 23 },
	/*
	 * A call keeps x24 … x28 too, but no rule restores them.  It does not keep x30.
	 */
	.kept = BIT(19) | BIT(20) | BIT(21) | BIT(22) | BIT(23) | BIT(29) | BIT(31),
	.address_mask = BITS(48),
	.sigframe_pc = ARM_MC(32),
	.sigframe_sp = ARM_MC(31),
	.sigframe_stack = 128 + 16,
	.sigframe_reg = { ARM_MC(0),  ARM_MC(1),  ARM_MC(2),  ARM_MC(3),  ARM_MC(4),
			  ARM_MC(5),  ARM_MC(6),  ARM_MC(7),  ARM_MC(8),  ARM_MC(9),
			  ARM_MC(10), ARM_MC(11), ARM_MC(12), ARM_MC(13), ARM_MC(14),
			  ARM_MC(15), ARM_MC(16), ARM_MC(17), ARM_MC(18), ARM_MC(19),
			  ARM_MC(20), ARM_MC(21), ARM_MC(22), ARM_MC(23), ARM_MC(24),
			  ARM_MC(25), ARM_MC(26), ARM_MC(27), ARM_MC(28), ARM_MC(29),
			  ARM_MC(30), ARM_MC(31) },
	.perf_mask = BITS(33),
	.perf_pc = 32,
	.perf_reg = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
		      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
	.nregs = 32,
};

const struct unwind_arch *unwind_arch_of(uint16_t elf_machine)
{
	static const struct unwind_arch *const archs[] = { &unwind_x86_64,
							   &unwind_aarch64 };

	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (archs[i]->elf_machine == elf_machine)
			return archs[i];
	return NULL;
}

const struct unwind_arch *unwind_arch_host(void)
{
#if defined(__x86_64__)
	return &unwind_x86_64;
#elif defined(__aarch64__)
	return &unwind_aarch64;
#else
	return NULL;
#endif
}

/* The value of bit BIT_NR: the number of lower set bits is its index. */
static bool perf_value(uint64_t mask, unsigned int bit_nr, const uint64_t *values,
		       unsigned int count, uint64_t *value)
{
	unsigned int index = (unsigned int)__builtin_popcountll(mask & BITS(bit_nr));

	if (!(mask >> bit_nr & 1) || index >= count)
		return false;
	*value = values[index];
	return true;
}

bool unwind_regs_from_perf(const struct unwind_arch *arch, uint64_t mask,
			   const uint64_t *values, unsigned int count,
			   struct unwind_regs *regs)
{
	uint64_t value;

	regs->known = regs->unsaved = 0;
	if (!perf_value(mask, arch->perf_pc, values, count, &regs->pc))
		return false;
	for (unsigned int n = 0; n < arch->nregs; n++)
		if (perf_value(mask, arch->perf_reg[n], values, count, &value))
			unwind_reg_set(regs, n, value);
	return unwind_reg_known(regs, arch->sp);
}

void unwind_regs_drop_unsaved(const struct unwind_arch *arch, struct unwind_regs *regs)
{
	uint64_t unsaved = arch->nmi_minus_one & regs->known;

	for (unsigned int n = 0; n < arch->nregs; n++)
		if (unsaved >> n & 1 && regs->reg[n] != UINT64_MAX)
			return;
	if (!unsaved)
		return;
	if (unwind_reg_known(regs, arch->fp) && regs->reg[arch->fp] == UINT64_MAX)
		unsaved |= BIT(arch->fp);
	regs->known &= ~(unsaved | arch->nmi_missing);
	regs->unsaved = unsaved;
}
