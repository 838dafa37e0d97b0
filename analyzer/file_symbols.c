/* SPDX-License-Identifier: Apache-2.0 */
#include "file_symbols.h"

#include <stdlib.h>

#include "module_place.h"
#include "xalloc.h"

void file_symbols_init(struct file_symbols *out, const struct experiment *exp)
{
	*out = (struct file_symbols){
		.exp = exp,
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

static struct objsyms *read_file(const struct experiment *exp, uint32_t index)
{
	struct object_place place;
	struct objsyms *syms;

	if (!module_place(exp, index, &place) || !*place.build_id)
		return NULL;
	syms = xcalloc(1, sizeof(*syms));
	if (!objsyms_read(syms, &place))
		return syms;
	objsyms_release(syms);
	free(syms);
	return NULL;
}

bool file_symbols_find(struct file_symbols *files, uint32_t module, uint64_t offset,
		       struct symbol *out)
{
	if (!files->tried[module])
		files->by_module[module] = read_file(files->exp, module);
	files->tried[module] = true;
	if (!files->by_module[module])
		return false;
	objsyms_at(files->by_module[module], offset, out);
	return true;
}
