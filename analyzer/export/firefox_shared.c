/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the Firefox Profiler's format that all threads share: stacks, frames,
 * functions, objects, files, strings.  They refer to one another by numbers of rows.
 */
#include "export/firefox.h"

#include <inttypes.h>
#include <stdlib.h>

#include "export/export.h"
#include "base/xalloc.h"

#define NO_STACK UINT32_MAX

/* A column that is the same in COUNT rows. */
static void put_column(const struct firefox *x, const char *name, const char *value,
		       size_t count)
{
	fprintf(x->file, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(x->file, "%s%s", i ? "," : "", value);
	fputs("],", x->file);
}

/* ---- functions, frames, and their names ---- */

static void put_function_column(const struct firefox *x, const char *name, bool object)
{
	fprintf(x->file, "\"%s\":[", name);
	for (uint32_t f = 0; f < x->model->functions.len; f++)
		fprintf(x->file, "%s%" PRIu32, f ? "," : "",
			object ? x->model->functions.data[f].object : f);
	fputs("],", x->file);
}

/* The file of a function is that of its first line. */
static void put_sources(const struct firefox *x)
{
	size_t count = x->model->functions.len;
	uint32_t *files = xcalloc(count, sizeof(*files));

	vec_for_each(const struct site, site, &x->sites.sites)
		if (!files[site->function])
			files[site->function] = site->file;
	fputs("\"source\":[", x->file);
	for (size_t f = 0; f < count; f++)
		if (files[f])
			fprintf(x->file, "%s%zu", f ? "," : "", f);
		else
			fputs(f ? ",null" : "null", x->file);
	fputs("],", x->file);
	firefox_put_length(x, count);
	fputs(",\n\"sources\":{", x->file);
	put_column(x, "uuid", "null", count);
	fputs("\"filename\":[", x->file);
	for (size_t f = 0; f < count; f++)
		fprintf(x->file, "%s%zu", f ? "," : "",
			count + x->model->objects.len + files[f]);
	fputs("],", x->file);
	firefox_put_length(x, count);
	free(files);
}

static void put_functions(const struct firefox *x)
{
	size_t count = x->model->functions.len;

	fputs(",\n\"funcTable\":{", x->file);
	put_function_column(x, "name", false);
	put_function_column(x, "resource", true);
	put_column(x, "isJS", "false", count);
	put_column(x, "relevantForJS", "false", count);
	put_column(x, "lineNumber", "null", count);
	put_column(x, "columnNumber", "null", count);
	put_sources(x);
}

static void put_resources(const struct firefox *x)
{
	size_t count = x->model->objects.len;

	fputs(",\n\"resourceTable\":{", x->file);
	put_column(x, "lib", "null", count);
	put_column(x, "host", "null", count);
	put_column(x, "type", "1", count); /* a library */
	fputs("\"name\":[", x->file);
	for (size_t o = 0; o < count; o++)
		fprintf(x->file, "%s%zu", o ? "," : "", x->model->functions.len + o);
	fputs("],", x->file);
	firefox_put_length(x, count);
}

static void put_frames(const struct firefox *x)
{
	const struct site *sites = x->sites.sites.data;
	size_t count = x->sites.sites.len;

	fputs(",\n\"frameTable\":{\"func\":[", x->file);
	for (size_t i = 0; i < count; i++)
		fprintf(x->file, "%s%" PRIu32, i ? "," : "", sites[i].function);
	fputs("],\"line\":[", x->file);
	for (size_t i = 0; i < count; i++)
		if (sites[i].line)
			fprintf(x->file, "%s%" PRIu32, i ? "," : "", sites[i].line);
		else
			fputs(i ? ",null" : "null", x->file);
	fputs("],", x->file);
	put_column(x, "address", "-1", count);
	put_column(x, "inlineDepth", "0", count);
	put_column(x, "category", "0", count);
	put_column(x, "subcategory", "0", count);
	put_column(x, "nativeSymbol", "null", count);
	put_column(x, "innerWindowID", "null", count);
	put_column(x, "column", "null", count);
	firefox_put_length(x, count);
}

static void put_string(const struct firefox *x, const char *text, bool first)
{
	fputs(first ? "\n" : ",\n", x->file);
	export_json_text(text, x->file);
}

/* Names of functions, paths of objects, and the model's own, among them those of files.
 */
static void put_strings(const struct firefox *x)
{
	fputs(",\n\"stringArray\":[", x->file);
	for (uint32_t f = 0; f < x->model->functions.len; f++)
		put_string(x, session_function(x->session, f), !f);
	for (uint32_t o = 0; o < x->model->objects.len; o++)
		put_string(x, object_path(x->model, o), false);
	for (uint32_t i = 0; i < strtab_count(&x->model->strings); i++)
		put_string(x, model_string(x->model, i), false);
	fputs("]", x->file);
}

/* ---- stacks ---- */

/* What a hidden object calls of itself is one with it. */
static bool is_folded(const struct firefox *x, uint32_t id, uint32_t prefix)
{
	return prefix != NO_STACK && x->sites.map.folds[id] &&
	       x->stacks.data[prefix] == id;
}

/* The sites [FIRST, END) of FRAMES upon the stack PREFIX.  Frames and prefixes are
 * columns of their own: FRAME says which is written. */
static uint32_t put_steps(struct firefox *x, const uint32_t *ids, size_t count,
			  uint32_t prefix, bool frame)
{
	for (size_t i = 0; i < count; i++) {
		if (is_folded(x, ids[i], prefix))
			continue;
		fputs(x->stacks.len ? "," : "", x->file);
		if (frame)
			fprintf(x->file, "%" PRIu32, ids[i]);
		else if (prefix == NO_STACK)
			fputs("null", x->file);
		else
			fprintf(x->file, "%" PRIu32, prefix);
		prefix = (uint32_t)x->stacks.len;
		*vec_push(&x->stacks) = ids[i];
	}
	return prefix;
}

static void put_source_stacks(struct firefox *x, size_t index, bool frame)
{
	const struct experiment *exp = x->model->sources.data[index].exp;
	const struct frame_ids *frames = &x->sites.map.sources[index];
	uint32_t *leaf = x->leaf[index];

	leaf[0] = put_steps(x, &x->sites.map.empty, 1, NO_STACK, frame);
	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_node *node = &exp->nodes.data[n];
		uint32_t first = frames->first.data[node->frame];
		size_t count = frames->first.data[node->frame + 1] - first;

		leaf[n] = put_steps(x, frames->ids.data + first,
				    x->session->no_inlines ? 1 : count,
				    node->parent ? leaf[node->parent] : NO_STACK, frame);
	}
}

static void put_stacks(struct firefox *x)
{
	static const char *const columns[] = { "prefix", "frame" };

	fputs("\"stackTable\":{", x->file);
	for (size_t c = 0; c < 2; c++) {
		vec_clear(&x->stacks);
		fprintf(x->file, "\"%s\":[", columns[c]);
		for (size_t s = 0; s < x->model->sources.len; s++)
			put_source_stacks(x, s, c == 1);
		fputs("],", x->file);
	}
	firefox_put_length(x, x->stacks.len);
}

/* ---- all of it ---- */

void firefox_put_shared(struct firefox *x)
{
	fputs("\"shared\":{", x->file);
	put_stacks(x);
	put_frames(x);
	put_functions(x);
	put_resources(x);
	fputs(",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
	      "\"functionSize\":[],\"length\":0}",
	      x->file);
	put_strings(x);
	fputs("},\n", x->file);
}
