/* SPDX-License-Identifier: Apache-2.0 */
#include "model/twins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

void twins_release(struct twins *twins)
{
	vec_for_each(char *, tell, &twins->tells)
		free(*tell);
	vec_release(&twins->tells);
	*twins = (struct twins){ 0 };
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- distinctions, best first; unknown ones add nothing ---- */

static void tell_line(const struct model *model, const struct function *f,
		      struct strbuf *out)
{
	if (f->decl_line)
		strbuf_addf(out, "%s:%" PRIu32,
			    base_name(model_string(model, f->decl_file)), f->decl_line);
}

static void tell_file(const struct model *model, const struct function *f,
		      struct strbuf *out)
{
	strbuf_addstr(out, model_string(model, f->file));
}

static void tell_place(const struct model *model, const struct function *f,
		       struct strbuf *out)
{
	if (!f->inlined)
		strbuf_addf(out, "%s+0x%" PRIx64, object_name(model, f->object),
			    f->start);
}

static void tell_path(const struct model *model, const struct function *f,
		      struct strbuf *out)
{
	if (f->inlined && f->decl_line)
		strbuf_addf(out, "inlined, %s:%" PRIu32,
			    model_string(model, f->decl_file), f->decl_line);
	else if (f->inlined)
		strbuf_addstr(out, "inlined");
}

typedef void tell_fn(const struct model *, const struct function *, struct strbuf *);

static tell_fn *const ways[] = { tell_line, tell_file, tell_place, tell_path };

enum { WAYS = sizeof(ways) / sizeof(ways[0]), WAY_PLACE = 2 };

/* ---- groups of one name ---- */

struct group {
	const struct model *model;
	VEC(uint32_t) functions;
};

static char *text_of(const struct model *model, uint32_t function, size_t way)
{
	struct strbuf text = { 0 };

	ways[way](model, &model->functions.data[function], &text);
	return strbuf_detach(&text);
}

/* Whether no other of the GROUP has the text of number I. */
static bool is_alone(char *const *texts, size_t count, size_t i)
{
	for (size_t k = 0; k < count; k++)
		if (k != i && !strcmp(texts[k], texts[i]))
			return false;
	return *texts[i];
}

static void try_way(const struct group *group, size_t way, char **texts,
		    struct twins *out)
{
	size_t count = group->functions.len;

	for (size_t i = 0; i < count; i++)
		texts[i] = text_of(group->model, group->functions.data[i], way);
	for (size_t i = 0; i < count; i++) {
		char **tell = &out->tells.data[group->functions.data[i]];

		if (!*tell &&
		    (way + 1 == WAYS ? *texts[i] != '\0' : is_alone(texts, count, i)))
			*tell = xstrdup(texts[i]);
	}
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
}

/* Compares each with each; very large groups use the place alone, which is fast. */
static void tell_group(const struct group *group, struct twins *out)
{
	enum { COMPARED_MAX = 256 };
	size_t count = group->functions.len;
	char **texts = xcalloc(count + 1, sizeof(*texts));

	if (count > COMPARED_MAX)
		vec_for_each(const uint32_t, f, &group->functions)
			out->tells.data[*f] = text_of(group->model, *f, WAY_PLACE);
	for (size_t way = 0; way < WAYS && count > 1 && count <= COMPARED_MAX; way++)
		try_way(group, way, texts, out);
	free(texts);
}

/* By (object, name): the function before it of that name, MODEL_NONE for the first. */
static uint32_t *link_names(const struct model *model, uint32_t **last, size_t *names)
{
	size_t count = model->functions.len;
	uint32_t *before = xcalloc(count + 1, sizeof(*before));
	struct idmap ids = { 0 };

	*last = xcalloc(count + 1, sizeof(**last));
	*names = 0;
	for (uint32_t f = 0; f < count; f++) {
		const struct function *function = &model->functions.data[f];
		uint32_t id;

		before[f] = MODEL_NONE;
		if (function->label)
			continue;
		id = idmap_intern(&ids, function->object, function->name,
				  (uint32_t)*names);
		if (id == *names)
			++*names;
		else
			before[f] = (*last)[id];
		(*last)[id] = f;
	}
	idmap_release(&ids);
	return before;
}

bool twins_refresh(struct twins *twins, const struct model *model)
{
	struct group group = { .model = model };
	uint32_t *last, *before;
	size_t names;

	if (twins->changes == model->changes)
		return false;
	twins_release(twins);
	twins->changes = model->changes;
	for (size_t i = 0; i < model->functions.len; i++)
		*vec_push(&twins->tells) = NULL;
	before = link_names(model, &last, &names);
	for (size_t n = 0; n < names; n++) {
		if (before[last[n]] == MODEL_NONE)
			continue;
		vec_clear(&group.functions);
		for (uint32_t f = last[n]; f != MODEL_NONE; f = before[f])
			*vec_push(&group.functions) = f;
		tell_group(&group, twins);
	}
	vec_release(&group.functions);
	free(before);
	free(last);
	return true;
}
