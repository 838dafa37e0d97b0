/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults PAGES: touches so many pages of memory for the first time, each of which is one
 * page fault, in touch().
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work.h"

void touch(volatile char *memory, size_t pages, size_t size);

FUNCTION void touch(volatile char *memory, size_t pages, size_t size)
{
	for (size_t i = 0; i < pages; i++)
		memory[i * size] = 1;
}

int main(int argc, char **argv)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE), pages;
	char *memory;

	if (argc != 2) {
		fprintf(stderr, "usage: faults PAGES\n");
		return 2;
	}
	pages = parse_ms(argv[1]);
	memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		abort();
	/* else one fault would be for many pages; a kernel without them says no */
	madvise(memory, pages * size, MADV_NOHUGEPAGE);
	touch(memory, pages, size);
	return 0;
}
