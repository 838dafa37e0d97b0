/* SPDX-License-Identifier: Apache-2.0 */
/* The one thing that is done to a target's memory: pages of its stack are read. */
#ifndef HOLE_READ_H
#define HOLE_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads a byte of each page from HOLE, a page's first address, to the end of the mapping,
 * up to 1 MiB, and drops it.  The mapping has to be memory of the process's own, readable
 * and writable, with the stack pointer SP and HOLE in it: no guard page is read and no
 * file.  Where the page was never touched, the kernel's page of zeros lies there then;
 * its content is the same, it is not counted as memory of the process, and the first
 * write to it is one page fault as before.
 *
 * The number of pages; 0 where there is no such mapping; a negative errno where the
 * process is gone or may not be read.  May wait: for the mappings' lock, and for who
 * serves them (userfaultfd).  ROOT stands before /proc.
 */
ssize_t hole_read(const char *root, pid_t pid, uint64_t sp, uint64_t hole, size_t page);

#endif
