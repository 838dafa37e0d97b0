/* SPDX-License-Identifier: Apache-2.0 */
/*
 * godump FILE: each address of a Go program from which the CFA lies at another distance
 * from the stack pointer, by Go's own table, and the ends of functions.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "unwind/elf.h"
#include "elf/go_table.h"

enum { WORD = 8 };

static void dump(const struct go_table *t, const struct go_func *f)
{
	int32_t depth = 0, last = -1;
	uint32_t fuel;

	for (uint64_t at = f->start; at < f->end; at++, last = depth) {
		fuel = UINT32_MAX;
		if (go_func_depth(t, f, at, &fuel, &depth) && depth != last)
			printf("%" PRIx64 " %d\n", at, depth + WORD);
	}
	printf("%" PRIx64 " end\n", f->end);
}

int main(int argc, char **argv)
{
	struct elf_file file;
	const struct elf_section *section;
	struct strbuf bytes = { 0 };
	struct elf_image img;
	struct go_table table;
	struct go_func f;
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0 || elf_file_init_fd(&file, fd))
		return 1;
	if (!elf_file_image(&file, &img))
		return 1;
	section = elf_section_named(&img, ".gopclntab");
	if (!section || elf_section_unpack(&img, section, ELF_MAX_BYTES, &bytes) ||
	    !go_table_init(&table, bytes.data, bytes.len))
		return 1;
	for (uint64_t at = table.text; go_table_find(&table, at, &f); at = f.end)
		dump(&table, &f);
	strbuf_release(&bytes);
	elf_image_release(&img);
	elf_file_release(&file);
	return 0;
}
