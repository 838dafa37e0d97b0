/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where interrupts and exceptions enter the kernel, and the thunks by which its functions
 * call and return.
 *
 * The kernel's unwinder follows such an entry by the registers that it saved.  So the frame
 * outside it has the address of the interrupted instruction, and not a return address: it
 * may be the first one of its function.  x86: arch/x86/entry/entry_64.S, and the hints in
 * arch/x86/include/asm/unwind_hints.h; arm64: kernel_entry in arch/arm64/kernel/entry.S,
 * which makes a frame record of the interrupted address.
 *
 * An indirect call that avoids speculation (a retpoline) stores the function's address in
 * place of its own return address, and returns to it by way of a thunk.  In that instant
 * the frame outside the thunk is the function that is about to begin.
 */
#ifndef KERNEL_ENTRIES_H
#define KERNEL_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct kernel_names;

enum kernel_entry_kind { ENTRY_INTERRUPT, ENTRY_CALL_THUNK, ENTRY_RETURN_THUNK };

struct kernel_entry {
	uint64_t start, end;
	enum kernel_entry_kind kind;
};

/* All-zero: none is known. */
struct kernel_entries {
	VEC(struct kernel_entry) v; /* in the order of addresses */
	uint64_t code_end;          /* of the code that the kernel had at boot */
};

/*
 * Those of the running kernel, with ROOT before /proc; none if it hides its addresses.  They
 * are kept in $XDG_CACHE_HOME/ringprof/kernel-entries (mode 0600) for this boot: each
 * recording wants them at its start, and reading all names takes several milliseconds.
 */
void kernel_entries_open(struct kernel_entries *e, const char *root);

/* Those among NAMES. */
void kernel_entries_find(struct kernel_entries *e, const struct kernel_names *names);

/* The recorded ones lie SLIDE further on, which wraps. */
void kernel_entries_move(struct kernel_entries *e, uint64_t slide);

/*
 * Whether ADDRESS, of the frame outside the one at INNER, is that of an instruction which runs
 * next, and not a return address.
 */
bool kernel_entries_is_exact(const struct kernel_entries *e, uint64_t inner,
			     uint64_t address);

/*
 * Whether ADDRESS is in a thunk.  Inside one the kernel's unwinder may find no caller; the
 * stack did not begin there.
 */
bool kernel_entries_is_thunk(const struct kernel_entries *e, uint64_t address);

void kernel_entries_release(struct kernel_entries *e);

#endif
