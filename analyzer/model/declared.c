/* SPDX-License-Identifier: Apache-2.0 */
#include "model/declared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void declared_release(struct declared *declared)
{
	vec_release(&declared->list);
	vec_release(&declared->keys);
	vec_release(&declared->symbols);
	idmap_release(&declared->groups);
	idmap_release(&declared->ids);
}

/* ---- declarations ---- */

static uint64_t pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static uint32_t next_group(const struct declared *declared)
{
	return (uint32_t)declared->groups.len;
}

void declared_add(struct declared *declared, const struct declaration *d,
		  uint32_t function)
{
	uint32_t group = idmap_intern(&declared->groups, pair(d->object, d->name),
				      d->build, next_group(declared));
	uint32_t next = (uint32_t)declared->list.len;
	uint32_t id = idmap_intern(&declared->ids, pair(d->file, d->line), group, next);

	if (id == next)
		*vec_push(&declared->list) = *d;
	if (function != MODEL_NONE)
		*vec_push(&declared->symbols) = (struct declared_symbol){ function, id };
}

static const struct declaration *find(const struct declared *declared,
				      const struct declaration *d)
{
	uint32_t group = idmap_get(&declared->groups, pair(d->object, d->name), d->build);

	return &declared->list
			.data[idmap_get(&declared->ids, pair(d->file, d->line), group)];
}

uint32_t declared_function(const struct declared *declared, const struct declaration *d)
{
	return declared->keys.data[find(declared, d)->key].function;
}

/* ---- keys ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A declaration with its texts, for sorting. */
struct named {
	const struct declaration *d;
	const char *base, *path;
	uint32_t index;
};

static int by_family(const struct declaration *a, const struct declaration *b)
{
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->build < b->build ? -1 : a->build > b->build;
}

static int by_place(const void *va, const void *vb)
{
	const struct named *a = va, *b = vb;
	int order = by_family(a->d, b->d);

	order = order ? order : strcmp(a->base, b->base);
	order = order ? order : strcmp(a->path, b->path);
	if (order)
		return order;
	return a->d->line < b->d->line ? -1 : a->d->line > b->d->line;
}

static struct named *sort_declarations(const struct declared *declared,
				       const struct model *model)
{
	size_t count = declared->list.len;
	struct named *sorted = xcalloc(count + 1, sizeof(*sorted));

	for (uint32_t i = 0; i < count; i++) {
		const struct declaration *d = &declared->list.data[i];
		const char *path = model_string(model, d->file);

		sorted[i] = (struct named){ d, base_name(path), path, i };
	}
	qsort(sorted, count, sizeof(*sorted), by_place);
	return sorted;
}

static uint32_t key_text(struct model *model, const char *base, uint32_t number)
{
	struct strbuf text = { 0 };
	uint32_t id;

	strbuf_addf(&text, "%s#%" PRIu32, base, number);
	id = strtab_intern(&model->strings, text.data);
	strbuf_release(&text);
	return id;
}

static uint32_t intern_key(struct declared *declared, struct idmap *ids,
			   const struct declaration *d, uint32_t text)
{
	uint32_t next = (uint32_t)declared->keys.len;
	uint32_t id = idmap_intern(ids, pair(d->object, d->name), text, next);

	if (id == next)
		*vec_push(&declared->keys) = (struct declared_key){
			d->object, d->name, text, d->build, MODEL_NONE, 0,
		};
	else if (declared->keys.data[id].build != d->build)
		declared->keys.data[id].build = MODEL_NONE;
	return id;
}

/* Numbers those of one name and file in each build. */
static void make_keys(struct declared *declared, struct model *model)
{
	struct named *sorted = sort_declarations(declared, model);
	uint32_t *texts = xcalloc(declared->list.len + 1, sizeof(*texts));
	struct idmap ids = { 0 };

	for (size_t i = 0, number = 0; i < declared->list.len; i++) {
		const struct named *at = &sorted[i];

		number = i && !by_family(at[-1].d, at->d) &&
					 !strcmp(at[-1].base, at->base)
				 ? number + 1
				 : 1;
		/* texts move when one is interned */
		texts[at->index] = (uint32_t)number;
	}
	free(sorted);
	for (uint32_t i = 0; i < declared->list.len; i++) {
		struct declaration *d = &declared->list.data[i];
		char *base = xstrdup(base_name(model_string(model, d->file)));
		uint32_t text = key_text(model, base, texts[i]);

		d->key = intern_key(declared, &ids, d, text);
		free(base);
	}
	free(texts);
	idmap_release(&ids);
}

/* ---- functions ---- */

/* The functions of one name in one object. */
struct family {
	uint32_t keys, functions;
	uint32_t function; /* one of them */
};

struct families {
	struct idmap ids;
	VEC(struct family) list;
};

static void count_families(struct families *out, struct declared *declared,
			   const struct model *model)
{
	vec_for_each(struct declared_key, key, &declared->keys) {
		uint32_t next = (uint32_t)out->list.len;

		key->family = idmap_intern(&out->ids, pair(key->object, key->name), 0,
					   next);
		if (key->family == next)
			*vec_push(&out->list) = (struct family){ 0 };
		out->list.data[key->family].keys++;
	}
	for (uint32_t f = 0; f < model->functions.len; f++) {
		const struct function *function = &model->functions.data[f];
		uint32_t id = idmap_get(&out->ids, pair(function->object, function->name),
					0);

		if (function->label || function->inlined || id == IDMAP_NONE)
			continue;
		out->list.data[id].functions++;
		out->list.data[id].function = f;
	}
}

static void declare(struct model *model, uint32_t function, const struct declaration *d,
		    uint32_t text)
{
	struct function *f = &model->functions.data[function];

	if (f->decl_line)
		return;
	f->decl_file = d->file;
	f->decl_line = d->line;
	f->decl = text;
	model->changes++;
}

/* Those whose symbols say so. */
static void take_symbols(struct declared *declared, struct model *model)
{
	bool *several = xcalloc(declared->keys.len + 1, sizeof(*several));

	vec_for_each(const struct declared_symbol, symbol, &declared->symbols) {
		const struct declaration *d = &declared->list.data[symbol->declaration];
		struct declared_key *key = &declared->keys.data[d->key];

		declare(model, symbol->function, d, key->text);
		several[d->key] |= key->function != MODEL_NONE &&
				   key->function != symbol->function;
		key->function = symbol->function;
	}
	for (size_t i = 0; i < declared->keys.len; i++)
		if (several[i])
			declared->keys.data[i].function = MODEL_NONE;
	free(several);
}

/*
 * A symbol of another build without debug information matches if the name is unambiguous.
 */
static bool is_meant(const struct model *model, const struct declared_key *key,
		     const struct family *family)
{
	const struct function *f = &model->functions.data[family->function];

	return family->functions == 1 && family->keys == 1 && !f->decl_line &&
	       key->build != MODEL_NONE && f->build != key->build;
}

/* "@util.h#1": differs from any symbol's number. */
static uint32_t tell_of(struct model *model, uint32_t key_text_id)
{
	struct strbuf text = { 0 };
	uint32_t id;

	strbuf_addf(&text, "@%s", model_string(model, key_text_id));
	id = strtab_intern(&model->strings, text.data);
	strbuf_release(&text);
	return id;
}

static uint32_t function_of(struct model *model, const struct declared_key *key,
			    const struct family *family)
{
	struct function f = { .object = key->object, .name = key->name, .inlined = true };

	if (is_meant(model, key, family))
		return family->function;
	if (family->functions || family->keys > 1)
		f.tell = tell_of(model, key->text);
	return model_function(model, &f);
}

void declared_settle(struct declared *declared, struct model *model)
{
	struct families families = { 0 };

	make_keys(declared, model);
	take_symbols(declared, model);
	count_families(&families, declared, model);
	vec_for_each(struct declared_key, key, &declared->keys)
		if (key->function == MODEL_NONE)
			key->function = function_of(model, key,
						    &families.list.data[key->family]);
	vec_for_each(const struct declaration, d, &declared->list)
		declare(model, declared->keys.data[d->key].function, d,
			declared->keys.data[d->key].text);
	vec_release(&families.list);
	idmap_release(&families.ids);
}
