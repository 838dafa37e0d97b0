/* SPDX-License-Identifier: Apache-2.0 */
/* Registers as the kernel gives them: their order, and which an interrupt did not save. */
#include "unwind/unwind.h"

#include "tap.h"

enum { RAX = 0, RBX = 3, RBP = 6, RSP = 7 };

static void test_perf_regs(void)
{
	/* x86-64's: ax bx cx dx si di bp sp ip, r8 … r15. */
	const uint64_t values[] = { 0, 3, 2,  1,  4,  5,  6,  7, 100,
				    8, 9, 10, 11, 12, 13, 14, 15 };
	struct unwind_regs regs;
	unsigned int right = 0;

	ok(unwind_regs_from_perf(&unwind_x86_64, unwind_x86_64.perf_mask, values, 17,
				 &regs),
	   "x86-64's registers in perf's order");
	for (unsigned int n = 0; n < 16; n++)
		right += regs.reg[n] == n && unwind_reg_known(&regs, n);
	is_u64(right, 16, "each in its place");
	is_u64(regs.pc, 100, "pc");
	ok(!unwind_regs_from_perf(&unwind_x86_64, unwind_x86_64.perf_mask, values, 8,
				  &regs),
	   "too few values");
	ok(!unwind_regs_from_perf(&unwind_x86_64, 1, values, 17, &regs), "no pc");
	ok(unwind_regs_from_perf(&unwind_x86_64, 1 << 7 | 1 << 8, values, 2, &regs) &&
		   regs.known == 1 << RSP,
	   "only two registers");
}

/* ax, bx, cx, dx, si, di, bp, sp, ip, r8 to r15, as an NMI in the kernel reports them */
static void test_unsaved(void)
{
	const uint64_t none = UINT64_MAX, gone = 1 << RBX | 0xf << 12;
	uint64_t values[] = { 0, none, 2,  3,  4,    5,    6,    7,   100,
			      8, 9,    10, 11, none, none, none, none };
	const struct unwind_arch *arch = &unwind_x86_64;
	struct unwind_regs regs;

	ok(unwind_regs_from_perf(arch, arch->perf_mask, values, 17, &regs), "registers");
	unwind_regs_drop_unsaved(arch, &regs);
	is_u64(regs.known, 0xffff & ~(gone | 1 << RAX),
	       "all five at -1: known registers");
	is_u64(regs.unsaved, gone, "… and unsaved ones");
	values[6] = none;
	ok(unwind_regs_from_perf(arch, arch->perf_mask, values, 17, &regs), "registers");
	unwind_regs_drop_unsaved(arch, &regs);
	is_u64(regs.unsaved, gone | 1 << RBP, "rbp too, before Linux 4.20");
	values[16] = 15;
	ok(unwind_regs_from_perf(arch, arch->perf_mask, values, 17, &regs), "registers");
	unwind_regs_drop_unsaved(arch, &regs);
	is_u64(regs.known, 0xffff, "four at -1 are values");
	is_u64(regs.unsaved, 0, "none is unsaved");
	ok(unwind_regs_from_perf(arch, 0x1f0, values, 5, &regs), "none of them recorded");
	unwind_regs_drop_unsaved(arch, &regs);
	is_u64(regs.unsaved, 0, "none of these is unsaved");
}

int main(void)
{
	test_perf_regs();
	test_unsaved();
	return done_testing();
}
