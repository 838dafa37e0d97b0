/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for code without call frame information that is recognized by its bytes: the
 * trampoline that a signal handler returns to (musl's and the kernel's have none or a
 * poor one), PLT stubs (lld writes none for them), clone's system call in glibc on
 * x86-64, and the ends of coroutines.
 */
#ifndef UNWIND_CODE_H
#define UNWIND_CODE_H

#include <stdbool.h>

#include "unwind/elf.h"
#include "unwind/rule.h"

/* Whether VADDR is in a signal trampoline, in the byte before one, or at its end. */
bool unwind_code_is_sigreturn(const struct elf_file *f, uint64_t vaddr);

/* The rule for a stub at VADDR; false if there is none. */
bool unwind_code_plt_rule(const struct elf_file *f, uint64_t vaddr,
			  struct unwind_rule *rule);

/* The rule from the system call in glibc's clone or clone3 to the child's own part. */
bool unwind_code_clone_rule(const struct elf_file *f, uint64_t vaddr,
			    struct unwind_rule *rule);

/*
 * Whether the code that the first function of a coroutine returns to begins in the byte
 * behind VADDR: makecontext's, or that of Boost.Context's make_fcontext, which PHP has
 * too. No call returns there; the code ends the coroutine, the thread or the process.
 */
bool unwind_code_is_coroutine_end(const struct elf_file *f, uint64_t vaddr);

/*
 * Whether VADDR is the byte before the code that goroutines return to, which no call
 * precedes.
 */
bool unwind_code_is_go_end(const struct elf_file *f, uint64_t vaddr);

/*
 * Whether the call that ends at VADDR was made after Go's runtime switched to another
 * stack, which the call frame information of its assembly does not show (x86-64). The
 * runtime switches for its own work, and to ask the vDSO for the time.
 */
bool unwind_code_is_go_switch(const struct elf_file *f, uint64_t vaddr);

/*
 * Whether the code at VADDR ends the thread at once, as behind the call in a thread's
 * first code.
 */
bool unwind_code_is_thread_end(const struct elf_file *f, uint64_t vaddr);

/* Whether a call ends at VADDR, as before a return address. */
bool unwind_code_is_behind_call(const struct elf_file *f, uint64_t vaddr);

#endif
