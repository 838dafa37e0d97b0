/* SPDX-License-Identifier: Apache-2.0 */
#include "model/twins.h"

#include <ctype.h>
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

/* Functions of one displayed name. */
struct group {
	const struct model *model;
	const uint32_t *objects; /* see struct represented; or NULL */
	const bool *told;        /* by function: it keeps what it has; NULL: none does */
	VEC(uint32_t) functions;
};

static uint32_t object_of(const struct group *group, const struct function *f)
{
	return group->objects ? group->objects[f->object] : f->object;
}

/* ---- distinctions, best first; unknown ones add nothing ---- */

static void tell_object(const struct group *group, const struct function *f,
			struct strbuf *out)
{
	strbuf_addstr(out, object_name(group->model, object_of(group, f)));
}

/* Of constructors and destructors: "C1", as the C++ ABI names them. */
static const struct {
	char kind[3];
	const char *words;
} structors[] = {
	{ "C1", "complete object" }, { "C2", "base object" }, { "C3", "allocating" },
	{ "C4", "unified" },         { "C5", "comdat" },      { "D0", "deleting" },
	{ "D1", "complete object" }, { "D2", "base object" }, { "D4", "unified" },
	{ "D5", "comdat" },
};

/* Each is compared with each. */
enum { STRUCTORS_MAX = 64 };

/* The place of the digit that alone makes A and B two such functions; NULL: they are not. */
static const char *structor_of(const char *a, const char *b)
{
	size_t at = 0;

	while (a[at] && a[at] == b[at])
		at++;
	if (!at || !isdigit((unsigned char)a[at]) || !isdigit((unsigned char)b[at]) ||
	    strcmp(a + at + 1, b + at + 1) != 0)
		return NULL;
	return a + at - 1;
}

static void tell_structor(const struct group *group, const struct function *f,
			  struct strbuf *out)
{
	const char *name = model_string(group->model, f->name), *kind = NULL;

	if (strncmp(name, "_Z", 2) != 0 || group->functions.len > STRUCTORS_MAX)
		return;
	vec_for_each(const uint32_t, other, &group->functions) {
		const struct function *g = &group->model->functions.data[*other];

		kind = structor_of(name, model_string(group->model, g->name));
		if (kind)
			break;
	}
	for (size_t i = 0; kind && i < sizeof(structors) / sizeof(structors[0]); i++)
		if (!strncmp(structors[i].kind, kind, 2))
			strbuf_addstr(out, structors[i].words);
}

/* One class in several objects. */
static void tell_object_structor(const struct group *group, const struct function *f,
				 struct strbuf *out)
{
	struct strbuf structor = { 0 };

	tell_structor(group, f, &structor);
	if (structor.len)
		strbuf_addf(out, "%s, %s", structor.data,
			    object_name(group->model, object_of(group, f)));
	strbuf_release(&structor);
}

static void tell_line(const struct group *group, const struct function *f,
		      struct strbuf *out)
{
	if (f->decl_line)
		strbuf_addf(out, "%s:%" PRIu32,
			    base_name(model_string(group->model, f->decl_file)),
			    f->decl_line);
}

static void tell_file(const struct group *group, const struct function *f,
		      struct strbuf *out)
{
	strbuf_addstr(out, model_string(group->model, f->file));
}

static void tell_path(const struct group *group, const struct function *f,
		      struct strbuf *out)
{
	strbuf_addstr(out, object_path(group->model, object_of(group, f)));
}

static void tell_place(const struct group *group, const struct function *f,
		       struct strbuf *out)
{
	if (!f->inlined)
		strbuf_addf(out, "%s+0x%" PRIx64,
			    object_name(group->model, object_of(group, f)), f->start);
}

/* Not unique, but better than nothing. */
static void tell_rest(const struct group *group, const struct function *f,
		      struct strbuf *out)
{
	if (f->inlined && f->decl_line)
		strbuf_addf(out, "inlined, %s:%" PRIu32,
			    model_string(group->model, f->decl_file), f->decl_line);
	else if (f->inlined)
		strbuf_addstr(out, "inlined");
	else if (!f->label)
		strbuf_addf(out, "%s+0x%" PRIx64,
			    object_path(group->model, object_of(group, f)), f->start);
}

typedef void tell_fn(const struct group *, const struct function *, struct strbuf *);

static tell_fn *const ways[] = {
	tell_object, tell_structor, tell_object_structor, tell_line,
	tell_file,   tell_path,     tell_place,           tell_rest,
};

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

/* ---- a group ---- */

/* The texts of one way, and how many functions have each. */
struct texts {
	struct strtab all;
	uint32_t *of, *times;
};

static void texts_init(struct texts *texts, const struct group *group, size_t way)
{
	size_t count = group->functions.len;
	struct strbuf text = { 0 };

	strtab_init(&texts->all);
	texts->of = xcalloc(count, sizeof(*texts->of));
	texts->times = xcalloc(count + 1, sizeof(*texts->times));
	for (size_t i = 0; i < count; i++) {
		uint32_t f = group->functions.data[i];

		strbuf_clear(&text);
		ways[way](group, &group->model->functions.data[f], &text);
		texts->of[i] = strtab_intern(&texts->all, strbuf_str(&text));
		texts->times[texts->of[i]]++;
	}
	strbuf_release(&text);
}

static void texts_release(struct texts *texts)
{
	strtab_release(&texts->all);
	free(texts->of);
	free(texts->times);
}

static void try_way(const struct group *group, size_t way, struct twins *out)
{
	struct texts texts;

	texts_init(&texts, group, way);
	for (size_t i = 0; i < group->functions.len; i++) {
		uint32_t function = group->functions.data[i], text = texts.of[i];
		char **tell = &out->tells.data[function];

		if (group->told && group->told[function])
			continue;
		if (!*tell && text && (way + 1 == WAYS || texts.times[text] == 1))
			*tell = xstrdup(strtab_get(&texts.all, text));
	}
	texts_release(&texts);
}

/* ---- all groups ---- */

struct shown {
	const struct model *model;
	const struct twins_style *style;
	struct represented represent; /* or NULL, NULL */
	bool *own; /* by function: it is not only inlined ones; NULL: all are alike */
	struct strtab names;
	VEC(uint32_t) last;   /* by name: the last function of it; MODEL_NONE: none */
	VEC(uint32_t) before; /* by function: the one before it of that name, or none */
};

static uint32_t name_of(struct shown *shown, const struct function *f)
{
	const char *raw = model_string(shown->model, f->name);
	struct strbuf name = { 0 };
	uint32_t id;

	if (f->label || shown->style->raw)
		return strtab_intern(&shown->names, raw);
	demangle(raw, &name, shown->style->style);
	id = strtab_intern(&shown->names, strbuf_str(&name));
	strbuf_release(&name);
	return id;
}

static bool *find_own(const struct shown *shown)
{
	size_t count = shown->model->functions.len;
	const uint32_t *by = shown->represent.functions;
	bool *own = xcalloc(count + 1, sizeof(*own));

	for (size_t f = 0; f < count; f++)
		own[by ? by[f] : f] |= !shown->model->functions.data[f].inlined;
	return own;
}

static void link_names(struct shown *shown)
{
	size_t count = shown->model->functions.len;

	for (uint32_t f = 0; f < count; f++) {
		uint32_t name;

		*vec_push(&shown->before) = MODEL_NONE;
		if (shown->represent.functions && shown->represent.functions[f] != f)
			continue;
		name = name_of(shown, &shown->model->functions.data[f]);
		while (shown->last.len <= name)
			*vec_push(&shown->last) = MODEL_NONE;
		shown->before.data[f] = shown->last.data[name];
		shown->last.data[name] = f;
	}
}

/* Those of one name, of which LAST is the last: all, or those in ONLY. */
static void tell_group(const struct shown *shown, struct group *group, uint32_t last,
		       const bool *only, struct twins *out)
{
	vec_clear(&group->functions);
	for (uint32_t f = last; f != MODEL_NONE; f = shown->before.data[f])
		if (!only || only[f])
			*vec_push(&group->functions) = f;
	for (size_t way = 0; way < WAYS && group->functions.len > 1; way++)
		try_way(group, way, out);
}

static void tell_groups(const struct shown *shown, struct twins *out)
{
	struct group group = { .model = shown->model,
			       .objects = shown->represent.objects };

	vec_for_each(const uint32_t, last, &shown->last) {
		if (*last == MODEL_NONE)
			continue;
		group.told = NULL;
		if (shown->own)
			tell_group(shown, &group, *last, shown->own, out);
		group.told = shown->own;
		tell_group(shown, &group, *last, NULL, out);
	}
	vec_release(&group.functions);
}

static void share_tells(const struct shown *shown, struct twins *out)
{
	const uint32_t *by = shown->represent.functions;

	for (size_t f = 0; by && f < out->tells.len; f++)
		if (by[f] != f && out->tells.data[by[f]])
			out->tells.data[f] = xstrdup(out->tells.data[by[f]]);
}

bool twins_refresh(struct twins *twins, const struct model *model,
		   const struct twins_style *style)
{
	struct shown shown = { .model = model, .style = style };

	if (twins->changes == model->changes)
		return false;
	twins_release(twins);
	twins->changes = model->changes;
	for (size_t i = 0; i < model->functions.len; i++)
		*vec_push(&twins->tells) = NULL;
	strtab_init(&shown.names);
	if (style->represent)
		style->represent(model, &shown.represent);
	if (style->no_inlines)
		shown.own = find_own(&shown);
	link_names(&shown);
	tell_groups(&shown, twins);
	share_tells(&shown, twins);
	vec_release(&shown.last);
	vec_release(&shown.before);
	strtab_release(&shown.names);
	free(shown.own);
	free(shown.represent.functions);
	free(shown.represent.objects);
	return true;
}
