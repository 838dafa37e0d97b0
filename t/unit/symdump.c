/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For test scripts: prints objsyms' data of a file.
 *
 *	symdump FILE [ROOT]        every symbol: address, size, source, name
 *	symdump -a FILE [ROOT]     for each hex address on stdin: start, source, label
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/image.h"
#include "elf/objsyms.h"

static const char *const source_names[SYMBOL_SOURCES] = {
	[SYMBOL_NONE] = "none",
	[SYMBOL_SYMTAB] = "symtab",
	[SYMBOL_DEBUG_FILE] = "debug file",
	[SYMBOL_MINI] = "minidebuginfo",
	[SYMBOL_GO] = "Go table",
	[SYMBOL_DYNSYM] = "dynsym",
	[SYMBOL_PLT] = "plt",
	[SYMBOL_FDE] = "unwind table",
	[SYMBOL_KALLSYMS] = "kallsyms",
	[SYMBOL_PERF_MAP] = "perf map",
	[SYMBOL_CARRIED] = "recording",
};

static void print_all(const struct symtab *tab)
{
	vec_for_each(const struct symbol_entry, entry, &tab->entries)
		printf("%" PRIx64 " %" PRIx64 " %s %s\n", entry->start, entry->size,
		       source_names[entry->source],
		       entry->name ? tab->names.data + entry->name : "-");
}

static void answer(const struct objsyms *syms, const struct elf_image *img,
		   const char *object)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		uint64_t offset, vaddr = strtoull(line, NULL, 16);
		struct strbuf label = { 0 };
		struct symbol sym;

		if (!elf_image_offset(img, vaddr, &offset)) {
			printf("%" PRIx64 " is in no segment\n", vaddr);
			continue;
		}
		objsyms_at(syms, offset, &sym);
		objsyms_label(&label, object, &sym);
		printf("%" PRIx64 " %s %s\n", sym.vaddr, source_names[sym.source],
		       strbuf_str(&label));
		strbuf_release(&label);
	}
}

int main(int argc, char **argv)
{
	bool ask = argc > 1 && !strcmp(argv[1], "-a");
	struct object_place place = { .path = argv[1 + ask] };
	const char *slash;
	struct elf_image img;
	struct objsyms syms;
	int error;

	if (argc < 2 + ask)
		return 2;
	place.root = argv[2 + ask];
	error = elf_image_open(&img, place.path);
	if (!error)
		error = objsyms_read_image(&syms, &img, &place);
	if (error) {
		fprintf(stderr, "symdump: %s: %s\n", place.path, strerror(-error));
		return 1;
	}
	slash = strrchr(place.path, '/');
	if (ask)
		answer(&syms, &img, slash ? slash + 1 : place.path);
	else
		print_all(&syms.named);
	objsyms_release(&syms);
	elf_image_release(&img);
	return 0;
}
