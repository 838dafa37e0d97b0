/* SPDX-License-Identifier: Apache-2.0 */
/* symbols: the share of names and lines known for each object, and the remedies. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/generated.h"
#include "model/module_place.h"
#include "model/pcs.h"
#include "model/stored_symbols.h"
#include "rows/view.h"
#include "views/views.h"
#include "base/xalloc.h"

/* The known parts of one object's samples, by the leaf of their stacks. */
struct knowledge {
	uint64_t samples, nameless, lineless;
	unsigned names_from; /* a bit for each EXP_SOURCE_… */
	bool named_now;      /* by its file, which was missing at the recording */
	bool seen;           /* in any stack */
};

static const char *const source_words[] = {
	[EXP_SOURCE_SYMTAB] = "symtab",
	[EXP_SOURCE_DYNSYM] = "dynsym",
	[EXP_SOURCE_DEBUG_FILE] = "debug file",
	[EXP_SOURCE_PLT] = "plt",
	[EXP_SOURCE_UNWIND] = "unwind table",
	[EXP_SOURCE_KALLSYMS] = "kallsyms",
	[EXP_SOURCE_PERF_MAP] = "perf map",
	[EXP_SOURCE_ARTIFICIAL] = NULL,
	[EXP_SOURCE_NONE] = NULL,
	[EXP_SOURCE_MINI] = "minidebuginfo",
	[EXP_SOURCE_RECORDING] = "recording",
	[EXP_SOURCE_GO] = "Go table",
};

#define SOURCES (sizeof(source_words) / sizeof(source_words[0]))

/* By frame; the caller frees it. */
static uint64_t *leaf_samples(const struct source *source)
{
	const struct totals *t = &source->totals;
	uint64_t *samples = xcalloc(source->exp->frames.len + 1, sizeof(*samples));

	for (size_t e = 0; e < t->events; e++)
		for (size_t n = 1; n < t->nodes; n++)
			samples[source->exp->nodes.data[n].frame] +=
				t->node[e * t->nodes + n].samples;
	return samples;
}

static bool has_line(const struct sites *sites, size_t source, size_t frame)
{
	const struct frame_ids *frames = &sites->map.sources[source];
	uint32_t innermost = frames->ids.data[frames->first.data[frame + 1] - 1];

	return sites->sites.data[innermost].line > 0;
}

static bool is_label(const struct exp_symbol *symbol)
{
	return !symbol || symbol->source == EXP_SOURCE_UNWIND ||
	       symbol->source == EXP_SOURCE_NONE;
}

/* A debug file installed since may name functions that the recording does not. */
static enum exp_symbol_source source_of(const struct exp_symbol *symbol, bool nameless)
{
	if (is_label(symbol) && !nameless)
		return EXP_SOURCE_DEBUG_FILE;
	return symbol && symbol->source < SOURCES ? symbol->source : EXP_SOURCE_NONE;
}

static void add_source(const struct session *s, const struct sites *sites, size_t index,
		       struct knowledge *objects)
{
	const struct source *source = &s->model.sources.data[index];
	const struct experiment *exp = source->exp;
	uint64_t *samples = leaf_samples(source);
	struct stored_symbols stored;

	stored_symbols_init(&stored, exp);
	for (size_t f = 0; f < exp->frames.len; f++) {
		const struct exp_frame *frame = &exp->frames.data[f];
		struct knowledge *k = &objects[source->object[frame->module]];
		const struct exp_symbol *symbol = stored_symbols_find(
			&stored, frame->module, pc_of_frame(frame));

		bool nameless = s->model.functions.data[source->function[f]].label;

		k->seen = true;
		k->samples += samples[f];
		if (nameless)
			k->nameless += samples[f];
		if (!has_line(sites, index, f))
			k->lineless += samples[f];
		if (!stored.of_file[frame->module] && !nameless && is_label(symbol))
			k->named_now = true;
		else if (stored_symbols_has(&stored, frame->module))
			k->names_from |= 1U << source_of(symbol, nameless);
	}
	stored_symbols_release(&stored);
	free(samples);
}

static void add_share(struct table *table, uint64_t part, uint64_t whole)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%.2f %%", whole ? 100 * (double)part / (double)whole : 0);
	table_add_text(table, text.data);
	strbuf_release(&text);
}

static void add_names_from(struct table *table, const struct knowledge *k)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < SOURCES; i++)
		if (k->names_from & 1U << i && source_words[i])
			strbuf_addf(&text, "%s%s", text.len ? ", " : "", source_words[i]);
	if (k->named_now)
		strbuf_addf(&text, "%sthe file", text.len ? ", " : "");
	table_add_text(table, text.len ? text.data : "-");
	strbuf_release(&text);
}

static const char *lines_from(const struct object_lines *lines)
{
	if (!lines->asked || lines->error)
		return "-";
	return lines->debug_file ? "debug file" : "the file";
}

/* ---- its file ---- */

static const char *const proof_words[] = {
	[OBJECT_NONE] = "",
	[OBJECT_ARCHIVED] = "archive",
	[OBJECT_BUILD_ID] = "build-id",
	[OBJECT_MARK] = "unchanged",
	[OBJECT_STATED] = "symfs",
	[OBJECT_ONLINE] = "server",
};

static const struct {
	int error;
	const char *word;
} refusals[] = {
	{ -ESTALE, "no: another build" },
	{ -ENOKEY, "no: no build-id" },
	{ -ENOEXEC, "no: not ELF" },
	{ -EACCES, "no: not readable" },
};

static const char *refusal_of(int error)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (refusals[i].error == error)
			return refusals[i].word;
	return "no: not there";
}

/* The file that names, lines and instructions come from, and why that one. */
struct decision {
	struct object_found found;
	const char *word;
};

/* For the first build of the object: others are in the recording, but not on disk. */
static void decide(const struct model *model, uint32_t object, struct decision *out)
{
	*out = (struct decision){ .word = "-" };
	vec_for_each(const struct source, source, &model->sources)
		for (uint32_t m = 0; m < source->exp->modules.len; m++) {
			struct object_place place;
			struct elf_image img = { .fd = -1 };
			int error;

			if (source->object[m] != object || out->found.proof ||
			    !module_place(source->exp, m, &model->search, &place))
				continue;
			error = object_file_find(&place, &img, &out->found);
			out->word = error ? refusal_of(error)
					  : proof_words[out->found.proof];
			elf_image_release(&img);
		}
}

static void add_decision(struct table *table, const struct model *model, uint32_t object)
{
	struct decision d;

	decide(model, object, &d);
	table_add_text(table, d.word);
	table_add_text(table, d.found.path ? d.found.path : "");
	object_found_release(&d.found);
}

/* Remedies for missing names or lines, and their objects, for display. */
struct advice {
	char *remedy;
	struct strbuf objects;
};

struct advices {
	VEC(struct advice) list;
};

static void take_advice(struct advices *advices, const char *remedy, const char *object)
{
	struct advice *added;

	vec_for_each(struct advice, advice, &advices->list)
		if (!strcmp(advice->remedy, remedy)) {
			strbuf_addf(&advice->objects, ", %s", object);
			return;
		}
	added = vec_push(&advices->list);
	*added = (struct advice){ .remedy = xstrdup(remedy) };
	strbuf_addf(&added->objects, "for more of %s", object);
}

static void release_advices(struct advices *advices)
{
	vec_for_each(struct advice, advice, &advices->list) {
		free(advice->remedy);
		strbuf_release(&advice->objects);
	}
	vec_release(&advices->list);
}

/* Those of generated code, one for each runtime. */
static void add_generated(const struct model *model, struct advices *advices,
			  struct strbuf *out)
{
	struct generated_code code = { 0 };

	for (size_t i = 0; i < model->sources.len; i++)
		generated_add(&code, model, &model->sources.data[i]);
	vec_for_each(const struct generated, g, &code.by_runtime) {
		struct strbuf remedy = { 0 };

		generated_remedy(g->runtime, &remedy);
		strbuf_addf(out, "%s%s", out->len ? "; " : "", remedy.data);
		take_advice(advices, remedy.data,
			    g->runtime ? "its generated code" : "generated code");
		strbuf_release(&remedy);
	}
	generated_release(&code);
}

/*
 * An interpreter's own functions stand for those of its programs.  Its perf map names them,
 * with this mark.
 */
static void add_interpreter(const struct model *model, uint32_t object,
			    struct strbuf *out)
{
	const struct runtime *runtime = runtime_of_file(object_path(model, object));

	if (!runtime || !runtime->interprets)
		return;
	vec_for_each(const struct function, f, &model->functions)
		if (!strncmp(model_string(model, f->name), "py::", 4))
			return;
	generated_remedy(runtime, out);
}

/* How to name what has no name. */
static void add_remedy(const struct session *s, const struct sites *sites,
		       const struct knowledge *k, uint32_t object,
		       struct advices *advices, struct strbuf *out)
{
	const struct model *model = &s->model;
	enum exp_module_kind kind = model->objects.data[object].kind;

	if (kind == EXP_KIND_ANON) {
		add_generated(model, advices, out);
		return;
	}
	sites_remedy(sites, model, object, out);
	if (!out->len)
		add_interpreter(model, object, out);
	if (!out->len && k->nameless && kind == EXP_KIND_KERNEL)
		strbuf_addstr(out,
			      "record as root, or after sysctl kernel.kptr_restrict=0");
	if (out->len)
		take_advice(advices, out->data, object_name(model, object));
}

static void add_columns(struct table *table)
{
	table_column(table, "samples", "Samples", COLUMN_NUMBER);
	table_machine_column(table, "nameless", COLUMN_NUMBER);
	table_machine_column(table, "lineless", COLUMN_NUMBER);
	table_column(table, "nameless_share", "No name", COLUMN_TEXT);
	table_column(table, "lineless_share", "No line", COLUMN_TEXT);
	table_column(table, "names_from", "Names from", COLUMN_TEXT);
	table_column(table, "lines_from", "Lines from", COLUMN_TEXT);
	table_column(table, "file_by", "File by", COLUMN_TEXT);
	table_machine_column(table, "file", COLUMN_TEXT);
	table_column(table, "object", "Object", COLUMN_TEXT);
	table_machine_column(table, "build_id", COLUMN_TEXT);
	table_machine_column(table, "remedy", COLUMN_TEXT);
}

static void add_row(const struct session *s, const struct sites *sites,
		    const struct knowledge *k, uint32_t object, struct advices *advices,
		    struct table *table)
{
	const struct object_lines *lines = &sites->objects.data[object];
	struct strbuf remedy = { 0 };

	add_remedy(s, sites, k, object, advices, &remedy);
	table_add_number(table, k->samples);
	table_add_number(table, k->nameless);
	table_add_number(table, k->lineless);
	add_share(table, k->nameless, k->samples);
	add_share(table, k->lineless, k->samples);
	add_names_from(table, k);
	table_add_text(table, lines_from(lines));
	add_decision(table, &s->model, object);
	table_add_text(table, object_path(&s->model, object));
	table_add_text(table, model_string(&s->model, lines->build_id));
	table_add_text(table, strbuf_str(&remedy));
	strbuf_release(&remedy);
}

static void rank_objects(const struct model *model, const struct knowledge *objects,
			 struct ranks *out)
{
	for (uint32_t o = 0; o < model->objects.len; o++)
		if (objects[o].seen && model->objects.data[o].kind != EXP_KIND_ARTIFICIAL)
			*vec_push(out) = (struct rank){
				.weight = objects[o].samples,
				.name = object_path(model, o),
				.id = o,
			};
	ranks_sort(out, false);
}

/* The rows, and below them the advice, as commands are too long for a column. */
static int show(struct session *s, const struct sites *sites,
		const struct knowledge *objects, const struct ranks *ranks)
{
	struct table table = { .key = "symbols" };
	struct advices advices = { 0 };
	int error;

	table_set_title(&table, xstrdup("Symbols, by samples of the object itself"));
	add_columns(&table);
	for (size_t i = 0; i < ranks->len && (!s->set.limit || i < s->set.limit); i++) {
		uint32_t object = ranks->data[i].id;

		add_row(s, sites, &objects[object], object, &advices, &table);
	}
	vec_for_each(const struct advice, advice, &advices.list)
		table_break_detail(&table, advice->remedy, advice->objects.data);
	error = session_show(s, &table);
	release_advices(&advices);
	return error;
}

static int run_symbols(struct session *s, int argc, char **argv, struct strbuf *err)
{
	const struct sites *sites = &session_analysis(s, ANALYSIS_SITES)->sites;
	struct knowledge *objects = xcalloc(s->model.objects.len + 1, sizeof(*objects));
	struct ranks ranks = { 0 };
	int error;

	(void)argc;
	(void)argv;
	for (size_t i = 0; i < s->model.sources.len; i++)
		add_source(s, sites, i, objects);
	rank_objects(&s->model, objects, &ranks);
	error = show(s, sites, objects, &ranks);
	vec_release(&ranks);
	free(objects);
	return command_shown(s, error, err);
}

const struct cmd cmd_symbols = {
	.name = "symbols",
	.args = "",
	.help = "sources of names and lines, and how to get more",
	.group = GROUP_FIND,
	.run = run_symbols,
	.comparable = "objects",
};
