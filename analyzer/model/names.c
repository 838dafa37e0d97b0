/* SPDX-License-Identifier: Apache-2.0 */
#include "model/names.h"

#include <stdlib.h>

#include "elf/demangle.h"
#include "base/strbuf.h"

const char *const name_style_words[NAME_STYLES] = {
	[NAME_LONG] = "long",
	[NAME_SHORT] = "short",
	[NAME_MANGLED] = "mangled",
};

void names_clear(struct names *names)
{
	vec_for_each(char *, name, &names->made)
		free(*name);
	vec_clear(&names->made);
}

void names_release(struct names *names)
{
	names_clear(names);
	vec_release(&names->made);
}

static char *make(const struct names *names, const struct model *model, uint32_t function)
{
	const struct function *f = &model->functions.data[function];
	const char *raw = model_string(model, f->name);
	struct strbuf text = { 0 };

	if (f->label || names->style == NAME_MANGLED)
		strbuf_addstr(&text, raw);
	else
		demangle(raw, &text,
			 names->style == NAME_SHORT ? DEMANGLE_SHORT : DEMANGLE_LONG);
	if (names->soname)
		strbuf_addf(&text, " [%s]", object_name(model, f->object));
	return strbuf_detach(&text);
}

const char *names_function(struct names *names, const struct model *model,
			   uint32_t function)
{
	while (names->made.len <= function)
		*vec_push(&names->made) = NULL;
	if (!names->made.data[function])
		names->made.data[function] = make(names, model, function);
	return names->made.data[function];
}
