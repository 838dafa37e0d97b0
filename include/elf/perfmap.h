/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function names that a JIT wrote for profilers: /tmp/perf-PID.map, lines of "START SIZE
 * name" in hex, by absolute address in that process.
 *
 * The program under profile writes the file, so its size, lines and symbols are bounded,
 * and malformed lines are skipped.  JITs reuse memory: of two entries with the same start
 * the later one counts.
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include <stdint.h>
#include <sys/types.h>

#include "base/named_file.h"
#include "elf/symtab.h"

/* 0 and a finished TAB, or a negative errno and nothing to release. */
int perfmap_read(struct symtab *tab, const char *path);

/*
 * The process whose map to find.  /tmp is everybody's and pids are reused: the map must
 * belong to that process's user or root, be no link, and have been changed in that time.
 */
struct perfmap_place {
	const struct namer_of_files *by; /* the process; NULL: it is gone, or is ours */
	int inner_pid;                   /* its own view of its pid, if BY is not NULL */
	int pid;                         /* the pid that we see */
	uid_t owner;
	int64_t from_ns, to_ns; /* since the epoch; to_ns 0: until now */
};

/*
 * Looks in the process's own /tmp, then in ours.  0 and a finished TAB, or a negative
 * errno and nothing to release; -EACCES: there is a map, but it was refused.
 */
int perfmap_find(struct symtab *tab, const struct perfmap_place *place);

#endif
