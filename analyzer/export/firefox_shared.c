/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the Firefox Profiler's format that all threads share: stacks, frames,
 * functions, objects, files, strings.  They refer to one another by numbers of rows.
 */
#include "export/firefox_parts.h"

#include <stdlib.h>

#include "export/export.h"
#include "base/xalloc.h"

#define NO_STACK UINT32_MAX

static void begin_table(struct firefox *x, const char *name)
{
	json_line(&x->json);
	json_key(&x->json, name);
	json_begin_object(&x->json);
}

static void begin_column(struct firefox *x, const char *name)
{
	json_key(&x->json, name);
	json_begin_array(&x->json);
}

static void end_column(struct firefox *x)
{
	json_end(&x->json);
}

static void put_number(struct firefox *x, uint64_t number)
{
	json_unsigned(&x->json, number);
	stream_pass(x->json.out);
}

/* A column that is the same in COUNT rows. */
static void put_column(struct firefox *x, const char *name, const char *value,
		       size_t count)
{
	begin_column(x, name);
	for (size_t i = 0; i < count && stream_pass(x->json.out); i++)
		json_ready(&x->json, value);
	end_column(x);
}

/* ---- functions, frames, and their names ---- */

static void put_function_column(struct firefox *x, const char *name, bool object)
{
	begin_column(x, name);
	for (uint32_t f = 0; f < x->model->functions.len; f++)
		put_number(x, object ? x->model->functions.data[f].object : f);
	end_column(x);
}

/* The file of a function is that of its first line. */
static void put_sources(struct firefox *x)
{
	size_t count = x->model->functions.len;
	uint32_t *files = xcalloc(count, sizeof(*files));

	vec_for_each(const struct site, site, &x->sites.sites)
		if (!files[site->function])
			files[site->function] = site->file;
	begin_column(x, "source");
	for (size_t f = 0; f < count; f++)
		if (files[f])
			put_number(x, f);
		else
			json_null(&x->json);
	end_column(x);
	firefox_put_length(x, count);
	begin_table(x, "sources");
	put_column(x, "uuid", "null", count);
	begin_column(x, "filename");
	for (size_t f = 0; f < count; f++)
		put_number(x, count + x->model->objects.len + files[f]);
	end_column(x);
	firefox_put_length(x, count);
	free(files);
}

static void put_functions(struct firefox *x)
{
	size_t count = x->model->functions.len;

	begin_table(x, "funcTable");
	put_function_column(x, "name", false);
	put_function_column(x, "resource", true);
	put_column(x, "isJS", "false", count);
	put_column(x, "relevantForJS", "false", count);
	put_column(x, "lineNumber", "null", count);
	put_column(x, "columnNumber", "null", count);
	put_sources(x);
}

static void put_resources(struct firefox *x)
{
	size_t count = x->model->objects.len;

	begin_table(x, "resourceTable");
	put_column(x, "lib", "null", count);
	put_column(x, "host", "null", count);
	put_column(x, "type", "1", count); /* a library */
	begin_column(x, "name");
	for (size_t o = 0; o < count; o++)
		put_number(x, x->model->functions.len + o);
	end_column(x);
	firefox_put_length(x, count);
}

static void put_frames(struct firefox *x)
{
	const struct site *sites = x->sites.sites.data;
	size_t count = x->sites.sites.len;

	begin_table(x, "frameTable");
	begin_column(x, "func");
	for (size_t i = 0; i < count; i++)
		put_number(x, sites[i].function);
	end_column(x);
	begin_column(x, "line");
	for (size_t i = 0; i < count; i++)
		if (sites[i].line)
			put_number(x, sites[i].line);
		else
			json_null(&x->json);
	end_column(x);
	put_column(x, "address", "-1", count);
	put_column(x, "inlineDepth", "0", count);
	put_column(x, "category", "0", count);
	put_column(x, "subcategory", "0", count);
	put_column(x, "nativeSymbol", "null", count);
	put_column(x, "innerWindowID", "null", count);
	put_column(x, "column", "null", count);
	firefox_put_length(x, count);
}

static void put_string(struct firefox *x, const char *text)
{
	json_line(&x->json);
	json_text(&x->json, text);
	stream_pass(x->json.out);
}

/* Names of functions, paths of objects, and the model's own, among them those of files.
 */
static void put_strings(struct firefox *x)
{
	json_line(&x->json);
	begin_column(x, "stringArray");
	for (uint32_t f = 0; f < x->model->functions.len; f++)
		put_string(x, session_function(x->session, f));
	for (uint32_t o = 0; o < x->model->objects.len; o++)
		put_string(x, object_path(x->model, o));
	for (uint32_t i = 0; i < strtab_count(&x->model->strings); i++)
		put_string(x, model_string(x->model, i));
	end_column(x);
}

static void put_symbols(struct firefox *x)
{
	static const char *const columns[] = { "libIndex", "address", "name",
					       "functionSize" };

	begin_table(x, "nativeSymbols");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		put_column(x, columns[i], "", 0);
	firefox_put_length(x, 0);
}

/* ---- stacks ---- */

/* Calls within an object that is merged are one frame. */
static bool is_folded(const struct firefox *x, uint32_t id, uint32_t prefix)
{
	return prefix != NO_STACK && x->sites.map.folds[id] &&
	       x->stacks.data[prefix] == id;
}

/*
 * Writes the sites [FIRST, END) of FRAMES on the stack PREFIX.  Frames and prefixes are
 * columns of their own: FRAME selects the one to write.
 */
static uint32_t put_steps(struct firefox *x, const uint32_t *ids, size_t count,
			  uint32_t prefix, bool frame)
{
	for (size_t i = 0; i < count; i++) {
		if (is_folded(x, ids[i], prefix))
			continue;
		if (frame || prefix != NO_STACK)
			put_number(x, frame ? ids[i] : prefix);
		else
			json_null(&x->json);
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
		uint32_t own = frame_of_node(frames, exp->nodes.data, n);
		uint32_t first = frames->first.data[own];
		size_t count = frames->first.data[own + 1] - first;

		leaf[n] = put_steps(x, frames->ids.data + first,
				    x->session->set.no_inlines ? 1 : count,
				    node->parent ? leaf[node->parent] : NO_STACK, frame);
	}
}

static void put_stacks(struct firefox *x)
{
	static const char *const columns[] = { "prefix", "frame" };

	json_key(&x->json, "stackTable");
	json_begin_object(&x->json);
	for (size_t c = 0; c < 2; c++) {
		vec_clear(&x->stacks);
		begin_column(x, columns[c]);
		for (size_t s = 0; s < x->model->sources.len; s++)
			put_source_stacks(x, s, c == 1);
		end_column(x);
	}
	firefox_put_length(x, x->stacks.len);
}

/* ---- all of it ---- */

void firefox_put_shared(struct firefox *x)
{
	json_line(&x->json);
	json_key(&x->json, "shared");
	json_begin_object(&x->json);
	put_stacks(x);
	put_frames(x);
	put_functions(x);
	put_resources(x);
	put_symbols(x);
	put_strings(x);
	json_end(&x->json);
}
