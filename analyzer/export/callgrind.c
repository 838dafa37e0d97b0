/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callgrind's profile format, version 1.  Its readers add a function's own cost and that
 * of its calls to its inclusive cost; so calls are those of callers-callees, which add up
 * with recursion too, and the count of a call is the number of its samples.
 */
#include "config.h"

#include "export/export.h"
#include "model/foreign.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tables/callers.h"
#include "base/xalloc.h"

struct callgrind {
	struct session *session;
	struct strbuf *out;
	struct stream *stream;
	const struct sites *sites;
	const struct sums *functions;
	const struct tree *tree;
	struct sums lines; /* by site */
	struct callers calls;
	uint32_t *first, *order; /* function → its sites in order; one more at the end */
};

/* ---- names, each with its number ---- */

static void put_name(const struct callgrind *c, const char *key, uint32_t id,
		     const char *name)
{
	struct strbuf valid = { 0 };

	foreign_put(&valid, foreign(*name ? name : "???"));
	strbuf_addf(c->out, "%s=(%" PRIu32 ") %s\n", key, id + 1, strbuf_str(&valid));
	strbuf_release(&valid);
}

/* A function's file: that of its first known line. */
static uint32_t file_of(const struct callgrind *c, uint32_t function)
{
	for (uint32_t i = c->first[function]; i < c->first[function + 1]; i++)
		if (c->sites->sites.data[c->order[i]].line)
			return c->sites->sites.data[c->order[i]].file;
	return 0;
}

/* PREFIX: "" for the function whose costs follow, "c" for one that it calls. */
static void put_function(const struct callgrind *c, const char *prefix, uint32_t function)
{
	const struct model *model = &c->session->model;
	uint32_t object = model->functions.data[function].object;
	uint32_t file = file_of(c, function);
	char key[4];

	snprintf(key, sizeof(key), "%sob", prefix);
	put_name(c, key, object, object_path(model, object));
	snprintf(key, sizeof(key), "%sf%c", prefix, *prefix ? 'i' : 'l');
	put_name(c, key, file, model_string(model, file));
	snprintf(key, sizeof(key), "%sfn", prefix);
	put_name(c, key, function, session_function(c->session, function));
}

/* ---- costs ---- */

static void put_cost(const struct callgrind *c, size_t metric, struct value value)
{
	strbuf_addf(c->out, " %" PRIu64, export_scaled(c->session, metric, value.weight));
}

static void put_line(const struct callgrind *c, const struct sums *sums, uint32_t group,
		     uint32_t line)
{
	size_t metrics = c->session->model.metrics.len;
	uint64_t samples = 0;

	for (size_t m = 0; m < metrics; m++)
		samples += sums_value(sums, EXCLUSIVE, m, group).samples;
	if (!samples)
		return;
	strbuf_addf(c->out, "%" PRIu32, line);
	for (size_t m = 0; m < metrics; m++)
		put_cost(c, m, sums_value(sums, EXCLUSIVE, m, group));
	strbuf_addch(c->out, '\n');
}

/* A line of another file, perhaps a macro's, does not belong to the function. */
static void put_own(const struct callgrind *c, uint32_t function)
{
	uint32_t file = file_of(c, function);

	for (uint32_t i = c->first[function]; i < c->first[function + 1]; i++) {
		const struct site *site = &c->sites->sites.data[c->order[i]];

		put_line(c, &c->lines, c->order[i], site->file == file ? site->line : 0);
	}
	if (!c->order)
		put_line(c, c->functions, function, 0);
}

static void put_call(const struct callgrind *c, const struct call_edge *edge)
{
	size_t metrics = c->session->model.metrics.len;
	uint64_t samples = 0;

	for (size_t m = 0; m < metrics; m++)
		samples += callers_value(&c->calls, m, edge).samples;
	if (!samples)
		return;
	put_function(c, "c", edge->other);
	strbuf_addf(c->out, "calls=%" PRIu64 " 0\n0", samples);
	for (size_t m = 0; m < metrics; m++)
		put_cost(c, m, callers_value(&c->calls, m, edge));
	strbuf_addch(c->out, '\n');
}

/* Only sampled functions are written. */
static void put_functions(const struct callgrind *c)
{
	for (uint32_t f = 0; f < c->functions->groups && stream_pass(c->stream); f++) {
		uint64_t samples = 0;

		for (size_t m = 0; m < c->session->model.metrics.len; m++)
			samples += sums_value(c->functions, INCLUSIVE, m, f).samples;
		if (!samples)
			continue;
		strbuf_addch(c->out, '\n');
		put_function(c, "", f);
		put_own(c, f);
		for (uint32_t e = c->calls.first[f]; e < c->calls.first[f + 1]; e++)
			if (c->calls.edges.data[e].callee)
				put_call(c, &c->calls.edges.data[e]);
	}
}

/* One word. */
static void put_event(const struct callgrind *c, struct foreign id)
{
	struct strbuf word = { 0 };

	foreign_put(&word, id);
	for (size_t i = 0; i < word.len; i++)
		if (word.data[i] == ' ')
			word.data[i] = '_';
	strbuf_addf(c->out, " %s", strbuf_str(&word));
	strbuf_release(&word);
}

static void put_head(const struct callgrind *c)
{
	const struct model *model = &c->session->model;

	strbuf_addstr(c->out,
		      "# callgrind format\nversion: 1\ncreator: ringprof " PACKAGE_VERSION
		      "\npositions: line\nevents:");
	vec_for_each(const struct metric, metric, &model->metrics)
		put_event(c, foreign(model_string(model, metric->id)));
	strbuf_addstr(c->out, "\nsummary:");
	for (size_t m = 0; m < model->metrics.len; m++)
		put_cost(c, m, tree_total(c->tree, m)[TREE_ROOT]);
	strbuf_addch(c->out, '\n');
}

/* ---- lines ---- */

/* Sites in the order of their functions. */
static void order_sites(struct callgrind *c, size_t functions)
{
	uint32_t *next = xcalloc(functions + 1, sizeof(*next));

	c->order = xcalloc(c->sites->sites.len, sizeof(*c->order));
	vec_for_each(const struct site, site, &c->sites->sites)
		c->first[site->function + 1]++;
	for (size_t f = 0; f < functions; f++)
		next[f + 1] = c->first[f + 1] += c->first[f];
	for (uint32_t i = 0; i < c->sites->sites.len; i++)
		c->order[next[c->sites->sites.data[i].function]++] = i;
	free(next);
}

static void write_callgrind(struct session *s, struct stream *out)
{
	const struct analysis *analysis = session_analysis(
		s, ANALYSIS_SITES | ANALYSIS_SUMS | ANALYSIS_TREE);
	/* functions that represent others have no lines */
	bool lined = !s->set.no_inlines && !s->set.hidden.objects.len;
	struct callgrind c = {
		.session = s,
		.stream = out,
		.out = &out->text,
		.sites = &analysis->sites,
		.tree = &analysis->tree,
		.functions = &analysis->sums,
	};
	size_t functions = analysis->sums.groups;

	c.first = xcalloc(functions + 1, sizeof(*c.first));
	if (lined) {
		sums_build(&c.lines, &s->model, &c.sites->map, false);
		order_sites(&c, functions);
	}
	callers_build(&c.calls, c.tree, functions);
	put_head(&c);
	put_functions(&c);
	callers_release(&c.calls);
	sums_release(&c.lines);
	free(c.order);
	free(c.first);
}

const struct export_format export_callgrind = {
	.write = write_callgrind,
};
