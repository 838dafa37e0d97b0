/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for x86-64 code without call frame information: its instructions are followed to
 * a return, and their effect on the stack pointer locates the return address.  This finds
 * the callers of assembly (libgmp's, musl's, ciphers), of code compiled without unwind
 * tables, and of the C library's start files.
 *
 * Of all reachable returns the one with the most stack counts: the way behind a call that
 * never returns leads into the start of the next function, whose returns leave the stack
 * unchanged.  So a wrong result is too small, and revealed by the lack of a call before
 * the supposed return address: see RULE_SCANNED.
 *
 * The work is bounded.  aarch64's leaf code keeps its return address in a register, and
 * the rest has frame records: nothing is scanned there.
 */
#ifndef UNWIND_SCAN_H
#define UNWIND_SCAN_H

#include <stdbool.h>

#include "unwind/elf.h"
#include "unwind/rule.h"
#include "unwind/stack_effect.h"

/*
 * The rule of the code at ADDRESS (of an instruction: for a caller, the one behind the
 * call); false if no return was found.  RULE_ROOT if a caller only exits, like the C
 * library's entry code of programs and threads.
 */
bool unwind_scan(const struct elf_file *f, uint64_t address, bool is_return,
		 struct unwind_rule *rule);

/*
 * Where stack and frame pointer lead at ADDRESS, an instruction of the function that begins at
 * ENTRY, by their values there: all ways that can be followed agree.  False where the function
 * takes stack by a number that the code does not show (alloca).
 */
bool unwind_scan_from_entry(const struct elf_file *f, uint64_t entry, uint64_t address,
			    struct effect_place *sp, struct effect_place *fp);

#endif
