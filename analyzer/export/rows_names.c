/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, functions, files and lines, which all experiments of a database share. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/rows.h"

static const char *const kinds[] = {
	[EXP_KIND_FILE] = "file",
	[EXP_KIND_KERNEL] = "kernel",
	[EXP_KIND_KERNEL_MODULE] = "kernel module",
	[EXP_KIND_VDSO] = "vdso",
	[EXP_KIND_ANON] = "anonymous",
	[EXP_KIND_UNKNOWN] = "unknown",
	[EXP_KIND_ARTIFICIAL] = "artificial",
};

static int64_t add_object(struct row_export *e, uint32_t object)
{
	struct row_cell path = row_text(object_path(rows_model(e), object));
	struct row_cell kind = row_text(kinds[rows_model(e)->objects.data[object].kind]);
	uint64_t hash = fnv_text(fnv_text(FNV_EMPTY, kind.text), path.text);

	return row_share(e->sink, ROWS_OBJECTS, hash, ROW_CELLS(row_null(), path, kind));
}

int64_t rows_object(struct row_export *e, uint32_t object)
{
	if (!e->object[object])
		e->object[object] = add_object(e, object);
	return e->object[object];
}

static int64_t add_function(struct row_export *e, uint32_t function)
{
	const struct model *model = rows_model(e);
	const struct function *f = &model->functions.data[function];
	struct row_cell object = row_signed(rows_object(e, f->object));
	struct row_cell linkage = row_text(model_string(model, f->name));
	struct row_cell tell = row_text(model_string(model, f->tell));
	/* only a label is of one build */
	struct row_cell build = row_text(f->label ? model_string(model, f->build) : "");
	struct row_cell name = row_text(session_function(e->session, function));
	uint64_t hash = function_hash(model, function);
	struct strbuf same = { 0 };
	int64_t id;

	function_id(model, function, &same);
	/* a crafted recording may have a label that is another function's name */
	while (idmap_intern(&e->hashes, hash, 0, function) != function)
		hash = fnv_number(hash, 0);
	id = row_share(e->sink, ROWS_FUNCTIONS, hash,
		       ROW_CELLS(row_null(), object, name, linkage, tell, build,
				 row_text(strbuf_str(&same))));
	strbuf_release(&same);
	return id;
}

int64_t rows_function(struct row_export *e, uint32_t function)
{
	if (!e->function[function])
		e->function[function] = add_function(e, function);
	return e->function[function];
}

static int64_t file_id(struct row_export *e, uint32_t file)
{
	struct row_cell path = row_text(model_string(rows_model(e), file));
	uint64_t hash = fnv_text(FNV_EMPTY, path.text);

	return row_share(e->sink, ROWS_FILES, hash, ROW_CELLS(row_null(), path));
}

static int64_t add_line(struct row_export *e, const struct site *site)
{
	struct row_cell function = row_signed(rows_function(e, site->function));
	struct row_cell file = row_signed(file_id(e, site->file));
	struct row_cell line = row_number(site->line);
	uint64_t hash = fnv_number(FNV_EMPTY, (uint64_t)function.number);

	hash = fnv_number(hash, (uint64_t)file.number);
	hash = fnv_number(hash, (uint64_t)line.number);
	return row_share(e->sink, ROWS_LINES, hash,
			 ROW_CELLS(row_null(), function, file, line));
}

int64_t rows_line(struct row_export *e, uint32_t site)
{
	if (!e->line[site])
		e->line[site] = add_line(e, &e->sites[site]);
	return e->line[site];
}

/* ---- what the frames of an experiment are ---- */

/* Without inlined functions, and without lines. */
static void use_functions(struct row_export *e)
{
	struct model *model = &e->session->model;
	uint32_t none = strtab_intern(&model->strings, "");

	frame_map_functions(&e->whole_map, model);
	for (uint32_t f = 0; f < model->functions.len; f++)
		*vec_push(&e->whole) = (struct site){ .function = f, .file = none };
	e->sites = e->whole.data;
	e->lines = &e->whole_map;
}

void row_export_init(struct row_export *out, struct session *session,
		     struct row_sink *sink)
{
	bool inlines = !session->set.no_inlines;
	const struct model *model = &session->model;

	*out = (struct row_export){
		.sink = sink,
		.session = session,
		.exp = model->sources.data[0].exp,
		.analysis = session_analysis(session,
					     ANALYSIS_SUMS | ANALYSIS_TREE |
						     (inlines ? ANALYSIS_SITES : 0)),
	};
	if (inlines) {
		out->sites = out->analysis->sites.sites.data;
		out->lines = &out->analysis->sites.map;
	} else {
		use_functions(out);
	}
	rows_identify(out);
	rows_regions_init(&out->regions, session);
	out->object = xcalloc(model->objects.len + 1, sizeof(*out->object));
	out->function = xcalloc(model->functions.len + 1, sizeof(*out->function));
	out->line = xcalloc(out->lines->groups + 1, sizeof(*out->line));
	out->frame = xcalloc(out->exp->frames.len + 1, sizeof(*out->frame));
	out->leaf = xcalloc(out->exp->nodes.len + 1, sizeof(*out->leaf));
}

void row_export_release(struct row_export *e)
{
	vec_release(&e->whole);
	frame_map_release(&e->whole_map);
	free(e->object);
	free(e->function);
	free(e->line);
	free(e->frame);
	free(e->leaf);
	idmap_release(&e->hashes);
	strbuf_release(&e->identity);
	rows_regions_release(&e->regions);
}
