/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function names that a JIT wrote for profilers: /tmp/perf-PID.map, lines of
 * "START SIZE name" with hex numbers, keyed by absolute address of that process.
 *
 * The file is written by the program under profile: its size, its lines and its count of
 * symbols are bounded, and a line that is not of that form is skipped.  JITs reuse
 * memory: of two entries with one start the later line is the truth.
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include "elf/symtab.h"

/* 0 and a finished TAB, or a negative errno and nothing to release. */
int perfmap_read(struct symtab *tab, const char *path);

/*
 * The map of process PID: in its own /tmp by the pid that it has in its own namespace
 * (that is where it writes), then in ours.  Works while the process, or its zombie,
 * exists; after that only for one without namespaces of its own.
 */
int perfmap_read_pid(struct symtab *tab, int pid);

#endif
