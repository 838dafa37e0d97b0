/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers that unwinding needs, and the differences between architectures.
 *
 * Registers have DWARF's numbers.  Both architectures are always built in: their
 * differences are a row of data, so either's stacks can be unwound on any host.
 *
 *	         general registers    fp      sp      return address
 *	x86-64   0 … 15               rbp 6   rsp 7   pseudo register 16
 *	aarch64  0 … 30, sp 31        x29     sp 31   x30
 */
#ifndef UNWIND_REGS_H
#define UNWIND_REGS_H

#include <stdbool.h>
#include <stdint.h>

#define UNWIND_REGS  33 /* the most of any architecture */
#define UNWIND_SAVED 5  /* callee-saved registers, beside fp, that a rule can restore */

struct unwind_regs {
	uint64_t reg[UNWIND_REGS];
	uint64_t known;   /* bit N: reg[N] holds the frame's value */
	uint64_t unsaved; /* bit N: unknown, as the kernel did not save it */
	uint64_t pc;
};

struct unwind_arch {
	const char *name;
	uint16_t elf_machine;
	uint8_t fp, sp, ra; /* DWARF numbers */
	uint8_t argument;   /* the same: the first argument of a system call */
	uint8_t saved[UNWIND_SAVED];
	uint64_t kept;         /* registers that a call preserves */
	uint64_t address_mask; /* clears the signature of a return address */
	/*
	 * Offsets of the interrupted registers in a signal frame, from its stack pointer.
	 */
	uint16_t sigframe_pc, sigframe_sp;
	uint16_t sigframe_stack; /* and its stack_t: the handler's own stack, if any */
	uint16_t sigframe_reg[UNWIND_REGS]; /* 0: not there */
	uint64_t perf_mask;                 /* perf_event_attr.sample_regs_user */
	/* Registers that an NMI in the kernel reports as -1, and those that it does not
	   write at all. */
	uint64_t nmi_minus_one, nmi_missing;
	uint8_t perf_pc; /* bit numbers of that mask */
	uint8_t perf_reg[UNWIND_REGS];
	uint8_t nregs;
};

extern const struct unwind_arch unwind_x86_64, unwind_aarch64;

/* The row for an e_machine, or NULL. */
const struct unwind_arch *unwind_arch_of(uint16_t elf_machine);

/* The architecture that this program was built for, or NULL. */
const struct unwind_arch *unwind_arch_host(void);

/*
 * From a sample's user registers: VALUES has one for each bit set in MASK, the lowest bit
 * first, COUNT in all.  False if pc or stack pointer is missing.
 */
bool unwind_regs_from_perf(const struct unwind_arch *arch, uint64_t mask,
			   const uint64_t *values, unsigned int count,
			   struct unwind_regs *regs);

/*
 * For a sample taken in the kernel.  An NMI, such as that of x86's counters, may precede
 * the saving of all user registers; perf then reports -1 for those in doubt.  If all of
 * these are -1, they become unknown in REGS.
 */
void unwind_regs_drop_unsaved(const struct unwind_arch *arch, struct unwind_regs *regs);

static inline bool unwind_reg_known(const struct unwind_regs *regs, unsigned int n)
{
	return regs->known >> n & 1;
}

static inline void unwind_reg_set(struct unwind_regs *regs, unsigned int n,
				  uint64_t value)
{
	regs->reg[n] = value;
	regs->known |= UINT64_C(1) << n;
	regs->unsaved &= ~(UINT64_C(1) << n);
}

#endif
