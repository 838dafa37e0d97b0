/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counterparts.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/xalloc.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The next member has the key (HIGH, LOW). */
static void add_member(struct counterparts *parts, struct idmap *rows, uint64_t high,
		       uint32_t low)
{
	uint32_t next = (uint32_t)parts->first.len;
	uint32_t row = idmap_intern(rows, high, low, next);

	if (row == next)
		*vec_push(&parts->first) = (uint32_t)parts->row.len;
	*vec_push(&parts->row) = row;
}

static bool is_target(const struct model *model, const char *name)
{
	vec_for_each(const struct source, source, &model->sources) {
		const struct exp_log *log = &source->exp->log;

		if (log->command.len && !strcmp(base_name(log->command.data[0]), name))
			return true;
	}
	return false;
}

void counterparts_objects(struct counterparts *out, const struct model *model)
{
	struct idmap rows = { 0 };
	struct strtab names;

	*out = (struct counterparts){ 0 };
	strtab_init(&names);
	for (uint32_t o = 0; o < model->objects.len; o++) {
		const char *name = object_name(model, o);

		add_member(out, &rows,
			   is_target(model, name) ? 0 : strtab_intern(&names, name), 0);
	}
	strtab_release(&names);
	idmap_release(&rows);
}

/* The key shared by functions of two builds, or of two copies of one. */
struct finder {
	struct counterparts *out, objects;
	const struct model *model;
	struct idmap groups;                /* (object, name) → its number */
	struct idmap symbols, declarations; /* that and its distinction → row */
};

enum { SEVERAL = UINT32_MAX - 1 };

static void put_function(struct finder *finder, uint32_t function, uint32_t row)
{
	finder->out->row.data[function] = row;
	if (row == finder->out->first.len)
		*vec_push(&finder->out->first) = function;
}

static uint32_t group_of(struct finder *finder, const struct function *f)
{
	return idmap_intern(&finder->groups, finder->objects.row.data[f->object], f->name,
			    (uint32_t)finder->groups.len);
}

/* ROW has functions of that declaration; a header's may be in several rows. */
static void note_declaration(struct finder *finder, uint32_t group, uint32_t decl,
			     uint32_t row)
{
	if (decl && idmap_intern(&finder->declarations, group, decl, row) != row)
		idmap_set(&finder->declarations, group, decl, SEVERAL);
}

/* Functions with a symbol match by name, source file and number. */
static void place_symbol(struct finder *finder, uint32_t function)
{
	const struct function *f = &finder->model->functions.data[function];
	uint32_t row = (uint32_t)finder->out->first.len, group;

	if (f->label) {
		put_function(finder, function, row);
		return;
	}
	group = group_of(finder, f);
	row = idmap_intern(&finder->symbols, group, f->tell, row);
	put_function(finder, function, row);
	note_declaration(finder, group, f->decl, row);
}

/*
 * Functions that are only inlined match the symbol of their declaration, if there is one.
 */
static void place_inlined(struct finder *finder, uint32_t function)
{
	const struct function *f = &finder->model->functions.data[function];
	uint32_t group = group_of(finder, f);
	uint32_t row = f->decl ? idmap_get(&finder->declarations, group, f->decl)
			       : IDMAP_NONE;

	if (row == IDMAP_NONE || row == SEVERAL)
		row = idmap_intern(&finder->symbols, group, f->tell,
				   (uint32_t)finder->out->first.len);
	put_function(finder, function, row);
	note_declaration(finder, group, f->decl, row);
}

void counterparts_functions(struct counterparts *out, const struct model *model)
{
	struct finder finder = { .out = out, .model = model };

	*out = (struct counterparts){ 0 };
	counterparts_objects(&finder.objects, model);
	for (uint32_t f = 0; f < model->functions.len; f++)
		*vec_push(&out->row) = MODEL_NONE;
	for (uint32_t f = 0; f < model->functions.len; f++)
		if (!model->functions.data[f].inlined)
			place_symbol(&finder, f);
	for (uint32_t f = 0; f < model->functions.len; f++)
		if (model->functions.data[f].inlined)
			place_inlined(&finder, f);
	counterparts_release(&finder.objects);
	idmap_release(&finder.groups);
	idmap_release(&finder.symbols);
	idmap_release(&finder.declarations);
}

/* By member the one that represents it, of COUNT. */
static uint32_t *representatives(const struct counterparts *parts, size_t count)
{
	uint32_t *out = xcalloc(count + 1, sizeof(*out));

	for (size_t i = 0; i < count; i++)
		out[i] = parts->first.data[parts->row.data[i]];
	return out;
}

void counterparts_represent(const struct model *model, struct represented *out)
{
	struct counterparts functions, objects;

	counterparts_functions(&functions, model);
	counterparts_objects(&objects, model);
	out->functions = representatives(&functions, model->functions.len);
	out->objects = representatives(&objects, model->objects.len);
	counterparts_release(&functions);
	counterparts_release(&objects);
}

bool counterparts_is_machine(const struct counterparts *functions,
			     const struct model *model, uint32_t row)
{
	uint32_t function = functions->first.data[row];

	return object_is_machine(model, model->functions.data[function].object);
}

void counterparts_sites(struct counterparts *out, const struct model *model,
			const struct sites *sites)
{
	struct counterparts functions;
	struct idmap rows = { 0 };
	struct strtab files;

	*out = (struct counterparts){ 0 };
	strtab_init(&files);
	counterparts_functions(&functions, model);
	vec_for_each(const struct site, site, &sites->sites) {
		const char *file = site->line ? model_string(model, site->file) : "";
		uint64_t function = functions.row.data[site->function];

		add_member(out, &rows,
			   function << 32 | strtab_intern(&files, base_name(file)),
			   site->line);
	}
	counterparts_release(&functions);
	strtab_release(&files);
	idmap_release(&rows);
}

/* By row of OBJECTS: whether its modules have two build-ids.  The caller frees it. */
static bool *find_rebuilt(const struct counterparts *objects, const struct model *model)
{
	bool *rebuilt = xcalloc(counterparts_rows(objects) + 1, sizeof(*rebuilt));
	const char **build = xcalloc(counterparts_rows(objects) + 1, sizeof(*build));

	vec_for_each(const struct source, source, &model->sources)
		for (size_t m = 0; m < source->exp->modules.len; m++) {
			const struct exp_module *module = &source->exp->modules.data[m];
			uint32_t row = objects->row.data[source->object[m]];
			const char *id = experiment_string(source->exp, module->build_id);

			if (module->kind != EXP_KIND_FILE || !*id)
				continue;
			rebuilt[row] |= build[row] && strcmp(build[row], id) != 0;
			build[row] = id;
		}
	free(build);
	return rebuilt;
}

void counterparts_note_builds(const struct model *model, uint32_t object,
			      struct strbuf *out)
{
	struct counterparts objects;
	const char *before = out->len ? "; " : "";
	bool *rebuilt;

	counterparts_objects(&objects, model);
	rebuilt = find_rebuilt(&objects, model);
	for (uint32_t row = 0; row < counterparts_rows(&objects); row++) {
		if (!rebuilt[row] ||
		    (object != MODEL_NONE && objects.row.data[object] != row))
			continue;
		strbuf_addf(out, "%s%s", before,
			    object_name(model, objects.first.data[row]));
		before = ", ";
	}
	if (*before == ',')
		strbuf_addstr(out, " differs between the runs: each line has its own "
				   "build's number");
	free(rebuilt);
	counterparts_release(&objects);
}

void counterparts_release(struct counterparts *parts)
{
	vec_release(&parts->row);
	vec_release(&parts->first);
}

/* A row folds if the function that represents it does. */
static void apply_folds(const struct counterparts *parts, struct frame_map *map)
{
	bool *folds = xcalloc(counterparts_rows(parts) + 1, sizeof(*folds));

	for (size_t i = 0; i < map->groups; i++)
		folds[parts->row.data[i]] |= map->folds[i];
	free(map->folds);
	map->folds = folds;
}

void counterparts_apply(const struct counterparts *parts, struct frame_map *map)
{
	for (size_t s = 0; s < map->source_count; s++)
		vec_for_each(uint32_t, id, &map->sources[s].ids)
			*id = parts->row.data[*id];
	map->empty = parts->row.data[map->empty];
	if (map->folds)
		apply_folds(parts, map);
	map->groups = counterparts_rows(parts);
}
