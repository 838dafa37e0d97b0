/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's own function names, from /proc/kallsyms.
 *
 * The table is keyed by absolute address, good until the next boot.  A module's symbols
 * carry "[name]" as their object; so do BPF programs ("[bpf]").  There are no sizes: a
 * symbol extends to the next one, the last of a module to the end of its page.
 *
 * The kernel takes tens of milliseconds to print this file: read it once, and only if
 * there is a kernel frame to name.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include "elf/symtab.h"

#define KALLSYMS_PATH "/proc/kallsyms"

/*
 * Reads a table in the format of /proc/kallsyms from PATH.  0 and a finished TAB, or a
 * negative errno and nothing to release: -EACCES when the kernel hides the addresses
 * (every one is 0: kernel.kptr_restrict, or perf_event_paranoid for an ordinary user).
 */
int kallsyms_read(struct symtab *tab, const char *path)
	__attribute__((warn_unused_result));

#endif
