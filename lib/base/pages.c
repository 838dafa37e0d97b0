/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pages.h"

#include <sys/mman.h>

#include "base/program.h"

void *pages_alloc(size_t size)
{
	void *start = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (start == MAP_FAILED)
		program_die_oom();
	return start;
}

void pages_free(void *start, size_t size)
{
	munmap(start, size);
}
