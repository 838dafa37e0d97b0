/* SPDX-License-Identifier: Apache-2.0 */
/* The only effect on a target's memory: reading pages of its stack. */
#ifndef HOLE_READ_H
#define HOLE_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads a byte of each page from HOLE, a page's first address, to the end of the mapping,
 * up to 1 MiB, and drops it.  The mapping must be private memory of the process, readable
 * and writable, and contain the stack pointer SP and HOLE: guard pages and files are not
 * read.  An untouched page then becomes the kernel's page of zeros: its content is the
 * same, it does not count as memory of the process, and the first write to it is one page
 * fault as before.
 *
 * The number of pages; 0 if there is no such mapping; a negative errno if the process is
 * gone or may not be read.  May wait: for the mappings' lock, and for a process that
 * serves them (userfaultfd).  ROOT precedes /proc.
 */
ssize_t hole_read(const char *root, pid_t pid, uint64_t sp, uint64_t hole, size_t page);

#endif
