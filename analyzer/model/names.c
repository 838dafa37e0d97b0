/* SPDX-License-Identifier: Apache-2.0 */
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

#include "elf/demangle.h"
#include "base/strbuf.h"

const char *const name_style_words[NAME_STYLES] = {
	[NAME_AUTO] = "auto",
	[NAME_LONG] = "long",
	[NAME_SHORT] = "short",
	[NAME_MANGLED] = "mangled",
};

void names_clear(struct names *names)
{
	vec_for_each(char *, name, &names->made)
		free(*name);
	vec_for_each(char *, name, &names->old)
		free(*name);
	vec_clear(&names->made);
	vec_clear(&names->old);
	twins_release(&names->twins);
}

void names_release(struct names *names)
{
	names_clear(names);
	vec_release(&names->made);
	vec_release(&names->old);
	twins_release(&names->twins);
}

/* In the chosen style. */
static void add_bare_name(const struct names *names, const struct model *model,
			  uint32_t function, struct strbuf *out)
{
	const struct function *f = &model->functions.data[function];
	const char *raw = model_string(model, f->name);

	if (f->label || names->style == NAME_MANGLED)
		strbuf_addstr(out, raw);
	else
		demangle(raw, out,
			 names->style == NAME_SHORT ? DEMANGLE_SHORT : DEMANGLE_LONG);
}

/* The object only once. */
static void add_tell(const struct names *names, const struct model *model,
		     uint32_t function, struct strbuf *out)
{
	const char *tell = twins_tell(&names->twins, function);
	uint32_t object = model->functions.data[function].object;

	if (tell && !(names->soname && !strcmp(tell, object_name(model, object))))
		strbuf_addf(out, " (%s)", tell);
}

static char *make(const struct names *names, const struct model *model, uint32_t function)
{
	uint32_t object = model->functions.data[function].object;
	struct strbuf text = { 0 };

	add_bare_name(names, model, function, &text);
	add_tell(names, model, function, &text);
	if (names->soname)
		strbuf_addf(&text, " [%s]", object_name(model, object));
	return strbuf_detach(&text);
}

/* A change may separate functions known before. */
static void retire(struct names *names)
{
	vec_for_each(char *, name, &names->made) {
		if (*name)
			*vec_push(&names->old) = *name;
		*name = NULL;
	}
}

const char *names_function(struct names *names, const struct model *model,
			   uint32_t function)
{
	const struct twins_style style = { .raw = names->style == NAME_MANGLED,
					   .style = DEMANGLE_LONG,
					   .no_inlines = names->no_inlines,
					   .represent = names->represent };

	if (twins_refresh(&names->twins, model, &style))
		retire(names);
	while (names->made.len <= function)
		*vec_push(&names->made) = NULL;
	if (!names->made.data[function])
		names->made.data[function] = make(names, model, function);
	return names->made.data[function];
}

bool names_fits(struct names *names, const struct model *model, uint32_t function,
		const char *text)
{
	struct strbuf name = { 0 };
	bool fits = !strcmp(names_function(names, model, function), text);

	add_bare_name(names, model, function, &name);
	fits = fits || !strcmp(strbuf_str(&name), text);
	add_tell(names, model, function, &name);
	fits = fits || !strcmp(strbuf_str(&name), text);
	strbuf_release(&name);
	return fits;
}
