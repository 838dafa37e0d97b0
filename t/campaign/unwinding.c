/* SPDX-License-Identifier: Apache-2.0 */
#include "unwinding.h"

#include <unistd.h>

#include "base/file.h"
#include "unwind/lookup.h"
#include "unwind/module.h"

enum { FUEL = 10000 };

static uint64_t ask_at(struct unwind_module *module, uint64_t offset)
{
	uint32_t fuel = FUEL;
	uint64_t vaddr, sum;
	struct cfi_row row;

	if (!unwind_module_vaddr(module, offset, &vaddr))
		return 0;
	sum = unwind_module_rule(module, vaddr, offset % 2, &fuel).kind;
	if (unwind_module_row(module, vaddr, &fuel, &row))
		sum += row.end - row.start;
	return sum;
}

uint64_t ask_unwinding(const char *path, const uint64_t *places, size_t count)
{
	struct unwind_module *module;
	uint64_t sum = 0;
	int fd = file_open(path);

	if (fd >= 0 && unwind_module_open(fd, &module)) {
		close(fd);
		return 0;
	}
	if (fd < 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		sum += ask_at(module, places[i]);
	unwind_module_free(module);
	return sum;
}
