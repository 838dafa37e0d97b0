/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

void model_init(struct model *model)
{
	*model = (struct model){ 0 };
	strtab_init(&model->strings);
}

static void source_release(struct source *source)
{
	experiment_free(source->exp);
	totals_release(&source->totals);
	totals_release(&source->admitted);
	free(source->object);
	free(source->build);
	division_release(&source->division);
	free(source->metric);
	free(source->recorded);
	free(source->function);
}

void model_release(struct model *model)
{
	vec_for_each(struct source, source, &model->sources)
		source_release(source);
	vec_release(&model->sources);
	filter_release(&model->filter);
	vec_release(&model->objects);
	vec_release(&model->functions);
	vec_release(&model->metrics);
	vec_release(&model->ratios);
	idmap_release(&model->object_ids);
	idmap_release(&model->function_ids);
	idmap_release(&model->place_ids);
	idmap_release(&model->place_groups);
	strtab_release(&model->strings);
}

const char *object_path(const struct model *model, uint32_t object)
{
	return model_string(model, model->objects.data[object].path);
}

bool object_is_machine(const struct model *model, uint32_t object)
{
	enum exp_module_kind kind = model->objects.data[object].kind;

	return kind == EXP_KIND_KERNEL || kind == EXP_KIND_KERNEL_MODULE ||
	       kind == EXP_KIND_ARTIFICIAL;
}

const char *object_name(const struct model *model, uint32_t object)
{
	const char *path = object_path(model, object);
	const char *slash = strrchr(path, '/');

	/* "/ (deleted)" has no last part */
	return slash && slash[1] && slash[1] != ' ' ? slash + 1 : path;
}

/* ---- functions ---- */

#define LABEL ((uint64_t)1 << 63)

/* By object and name; several of one name also by their tell. */
static uint32_t intern_function(struct model *model, const struct function *f)
{
	uint64_t key = f->label ? LABEL | f->build : f->tell;
	uint32_t group = idmap_intern(&model->place_groups, f->object, f->name,
				      (uint32_t)model->place_groups.len);
	uint32_t next = (uint32_t)model->functions.len;
	uint32_t id = idmap_intern(&model->function_ids, key, group, next);

	if (id != next)
		return id;
	*vec_push(&model->functions) = *f;
	model->changes++;
	return id;
}

/* Whether it has a place of its own, as symbols have. */
static bool has_place(const struct model *model, const struct function *f)
{
	return !f->label && !f->inlined &&
	       model->objects.data[f->object].kind != EXP_KIND_ANON;
}

/* A function known only as inlined code has a place now. */
static void settle(struct model *model, struct function *known, const struct function *f)
{
	if (!known->inlined)
		return;
	model->changes++;
	known->inlined = false;
	known->start = f->start;
	known->size = f->size;
	known->build = f->build;
	known->file = f->file;
}

static bool is_elsewhere(const struct function *known, const struct function *f)
{
	return known->build == f->build && known->start != f->start;
}

static uint32_t intern_apart(struct model *model, const struct function *f)
{
	struct function apart = *f;
	struct strbuf tell = { 0 };
	uint32_t id;

	strbuf_addf(&tell, "+0x%llx", (unsigned long long)f->start);
	apart.tell = strtab_intern(&model->strings, tell.data);
	id = intern_function(model, &apart);
	strbuf_release(&tell);
	return id;
}

uint32_t model_function(struct model *model, const struct function *f)
{
	uint32_t place, id;

	if (!has_place(model, f))
		return intern_function(model, f);
	place = idmap_intern(&model->place_groups, f->object | (uint64_t)f->build << 32,
			     f->name, (uint32_t)model->place_groups.len);
	id = idmap_get(&model->place_ids, f->start, place);
	if (id != IDMAP_NONE)
		return id;
	id = intern_function(model, f);
	settle(model, &model->functions.data[id], f);
	if (is_elsewhere(&model->functions.data[id], f))
		id = intern_apart(model, f);
	idmap_set(&model->place_ids, f->start, place, id);
	return id;
}

uint32_t model_object(struct model *model, uint32_t path, enum exp_module_kind kind)
{
	uint32_t next = (uint32_t)model->objects.len;
	uint32_t id = idmap_intern(&model->object_ids, path, kind, next);

	if (id == next)
		*vec_push(&model->objects) = (struct object){ .path = path,
							      .kind = kind };
	return id;
}

uint32_t model_artificial(struct model *model, const char *name)
{
	struct function f = { .label = true, .piece = true };
	size_t len = strcspn(name, "(");
	struct strbuf object = { 0 };

	while (len && name[len - 1] == ' ')
		len--;
	strbuf_add(&object, name, len);
	f.object = model_object(model,
				strtab_intern(&model->strings, strbuf_str(&object)),
				EXP_KIND_ARTIFICIAL);
	f.name = strtab_intern(&model->strings, name);
	strbuf_release(&object);
	return model_function(model, &f);
}

/* A label is valid for one build; else BUILD may be no string at all. */
uint64_t function_hash(const struct model *model, uint32_t function)
{
	const struct function *f = &model->functions.data[function];
	const char *build = f->label ? model_string(model, f->build) : "";
	uint64_t hash = fnv_text(FNV_EMPTY, object_path(model, f->object));

	hash = fnv_text(hash, model_string(model, f->name));
	hash = fnv_text(hash, model_string(model, f->tell));
	return fnv_text(hash, build);
}

void function_id(const struct model *model, uint32_t function, struct strbuf *out)
{
	strbuf_addf(out, "%016llx", (unsigned long long)function_hash(model, function));
}
