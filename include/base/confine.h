/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Confines a child process that parses files of others, so that code which takes over its
 * parser controls only the child's answer.
 *
 * Once confined, the process can compute, map memory, open files for reading, and write
 * to one descriptor.  It cannot write or change any other file, execute a program, signal
 * or trace a process, use the network, or change its user or capabilities.  This holds
 * for the whole process, so it must be single-threaded.
 *
 * Two mechanisms do this.  A seccomp filter (any kernel that we support) allows only the
 * necessary system calls, and checks the flags of openat.  It cannot see those of
 * openat2, which keeps paths below another root, so that is allowed only if Landlock
 * (version 3, Linux 6.2) denies all writing; file.h has another way.  Other calls fail with EPERM, as in containers; none ends the process.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>
#include <stddef.h>

enum confined {
	CONFINED_CALLS = 1 << 0, /* by seccomp */
	CONFINED_FILES = 1 << 1, /* by Landlock */
};

/*
 * Confines this process to reading files and writing to OUT.  Returns what the kernel
 * granted, as a set of enum confined.  It cannot be undone.
 */
unsigned confine_to_answer(int out);

/*
 * Before that: from now on this process opens only files below the COUNT directories
 * FOLDERS, some perhaps -1, wherever its rights would reach.  What is open stays so.
 * False: this kernel cannot (Landlock is missing or off).
 */
bool confine_reading(const int *folders, size_t count)
	__attribute__((warn_unused_result));

#endif
