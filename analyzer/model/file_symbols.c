/* SPDX-License-Identifier: Apache-2.0 */
#include "model/file_symbols.h"

#include <elf.h>
#include <stdlib.h>

#include "elf/debugfile.h"
#include "model/module_place.h"
#include "base/xalloc.h"

void file_symbols_init(struct file_symbols *out, const struct experiment *exp,
		       const struct object_search *search)
{
	*out = (struct file_symbols){
		.exp = exp,
		.search = search,
		.by_module = xcalloc(exp->modules.len + 1, sizeof(struct objsyms *)),
		.tried = xcalloc(exp->modules.len + 1, sizeof(bool)),
	};
}

void file_symbols_release(struct file_symbols *files)
{
	for (size_t i = 0; i < files->exp->modules.len; i++)
		if (files->by_module[i]) {
			objsyms_release(files->by_module[i]);
			free(files->by_module[i]);
		}
	free(files->by_module);
	free(files->tried);
}

/* A file with its symbols has no more elsewhere. */
static bool has_debug_file(const struct object_place *place)
{
	struct elf_image img, debug;
	bool has;

	if (object_file_open(place, &img))
		return false;
	has = !elf_section_typed(&img, SHT_SYMTAB) &&
	      !debugfile_open(&img, place, &debug);
	if (has)
		elf_image_release(&debug);
	elf_image_release(&img);
	return has;
}

static struct objsyms *read_file(const struct file_symbols *files, uint32_t index,
				 bool debug_only)
{
	struct object_place place;
	struct objsyms *syms;

	if (!module_place(files->exp, index, files->search, &place) ||
	    (debug_only && !has_debug_file(&place)))
		return NULL;
	syms = xcalloc(1, sizeof(*syms));
	if (!objsyms_read(syms, &place))
		return syms;
	objsyms_release(syms);
	free(syms);
	return NULL;
}

bool file_symbols_find(struct file_symbols *files, uint32_t module, uint64_t offset,
		       bool debug_only, struct symbol *out)
{
	if (!files->tried[module])
		files->by_module[module] = read_file(files, module, debug_only);
	files->tried[module] = true;
	if (!files->by_module[module])
		return false;
	objsyms_at(files->by_module[module], offset, out);
	return true;
}
