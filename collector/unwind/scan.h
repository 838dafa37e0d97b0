/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for x86-64 code that nobody described: its instructions are followed from where
 * it is to where it returns, and what they do to the stack pointer says where the return
 * address lies now.  Assembly without call frame information (libgmp's, musl's, ciphers),
 * what compilers were told to describe nothing of, and the C library's start files have
 * their callers found so.
 *
 * Of all returns that can be reached the one with the most stack counts: the way behind a
 * call that never comes back leads into the next function, from its beginning, whose
 * returns leave the stack where it was.  So what is wrong is too little, and is told by
 * that no call stands before the supposed return address: see RULE_SCANNED.
 *
 * The work is bounded.  aarch64's leaf code keeps its return address in a register, and
 * the rest has frame records: nothing is scanned there.
 */
#ifndef UNWIND_SCAN_H
#define UNWIND_SCAN_H

#include <stdbool.h>

#include "unwind/elf.h"
#include "unwind/rule.h"

/*
 * The rule of the code at ADDRESS (of an instruction: for a caller that which follows the
 * call); false where no return was found.  RULE_ROOT where a caller does nothing but
 * exit, as the C library's own beginnings of programs and threads do.
 */
bool unwind_scan(const struct elf_file *f, uint64_t address, bool is_return,
		 struct unwind_rule *rule);

#endif
