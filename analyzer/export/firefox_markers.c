/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Markers of the Firefox Profiler's format: instances of regions as intervals, whose
 * category is their domain, and what programs say at an instant.  Counters have a graph.
 */
#include "export/firefox_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/export.h"
#include "model/lives.h"
#include "model/marks.h"
#include "model/open_regions.h"
#include "model/regions.h"

enum { PHASE_INSTANT, PHASE_INTERVAL, PHASE_BEGIN };

/* "Other" and "Regions", before the domains. */
enum { CATEGORY_OTHER, CATEGORY_REGIONS, CATEGORIES };

/* ---- which there are ---- */

/* An instance of a region, or what a program said. */
struct marker {
	uint64_t begin_ns, end_ns;
	uint32_t thread; /* row with its last name */
	uint32_t index : 31, mark : 1;
};

struct firefox_markers {
	const struct experiment *exp;
	VEC(struct marker)
	list;               /* by thread, then time, an instance before those in it */
	uint32_t *names;    /* by string of the experiment: one of the model's, or 0 */
	uint32_t *branches; /* by path: one of the model's strings */
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_time(const void *va, const void *vb)
{
	const struct marker *a = va, *b = vb;
	int order = compare(a->thread, b->thread);

	order = order ? order : compare(a->begin_ns, b->begin_ns);
	order = order ? order : compare(b->end_ns, a->end_ns);
	order = order ? order : compare(a->mark, b->mark);
	return order ? order
		     : compare(b->index, a->index); /* the outer one ended later */
}

static void find_instances(struct firefox_markers *m, const bool *admitted)
{
	const struct experiment *exp = m->exp;

	for (uint32_t i = 0; i < exp->regions.len && i <= INT32_MAX; i++) {
		const struct exp_region *r = &exp->regions.data[i];
		const uint32_t thread = exp->threads.data[r->thread].last;
		uint64_t ns;

		if (admitted[thread] && region_is_recorded(exp, r, &ns))
			*vec_push(&m->list) = (struct marker){ r->begin_ns, r->end_ns,
							       thread, i, false };
	}
}

static void find_marks(struct firefox_markers *m, const bool *admitted)
{
	for (uint32_t i = 0; i < m->exp->marks.len && i <= INT32_MAX; i++) {
		const struct exp_mark *mark = &m->exp->marks.data[i];
		const uint32_t thread = m->exp->threads.data[mark->thread].last;

		if (admitted[thread])
			*vec_push(&m->list) = (struct marker){ mark->time_ns,
							       mark->time_ns, thread, i,
							       true };
	}
}

/* ---- strings and categories ---- */

static void name_string(struct firefox *x, struct firefox_markers *m, uint32_t string)
{
	m->names[string] = strtab_intern(&x->session->model.strings,
					 experiment_string(m->exp, string));
}

static void find_strings(struct firefox *x, struct firefox_markers *m)
{
	struct strbuf branch = { 0 };

	m->names = xcalloc(m->exp->strings.len + 1, sizeof(*m->names));
	m->branches = xcalloc(m->exp->region_paths.len + 1, sizeof(*m->branches));
	for (uint32_t p = 1; p < m->exp->region_paths.len; p++) {
		const struct exp_region_path *path = &m->exp->region_paths.data[p];

		strbuf_clear(&branch);
		region_path_put(m->exp, p, &branch);
		m->branches[p] = strtab_intern(&x->session->model.strings,
					       strbuf_str(&branch));
		name_string(x, m, path->name);
		name_string(x, m, path->domain);
	}
	vec_for_each(const struct exp_mark, mark, &m->exp->marks) {
		name_string(x, m, mark->name);
		name_string(x, m, mark->domain);
	}
	strbuf_release(&branch);
}

/* Adds the category of a domain, one of the experiment's strings; 0: none. */
static void add_category(struct firefox *x, const struct firefox_markers *m,
			 uint32_t domain)
{
	const uint32_t next = CATEGORIES + (uint32_t)x->domains.len;

	if (domain && idmap_intern(&x->categories, m->names[domain], 0, next) == next)
		*vec_push(&x->domains) = m->names[domain];
}

static uint32_t category_of(const struct firefox *x, const struct firefox_markers *m,
			    uint32_t domain, uint32_t without)
{
	return domain ? idmap_get(&x->categories, m->names[domain], 0) : without;
}

static void find_categories(struct firefox *x, const struct firefox_markers *m)
{
	for (size_t p = 1; p < m->exp->region_paths.len; p++)
		add_category(x, m, m->exp->region_paths.data[p].domain);
	vec_for_each(const struct exp_mark, mark, &m->exp->marks)
		add_category(x, m, mark->domain);
}

void firefox_markers_read(struct firefox *x)
{
	const size_t sources = x->model->sources.len;

	x->markers = xcalloc(sources, sizeof(*x->markers));
	for (size_t s = 0; s < sources; s++) {
		const struct source *source = &x->model->sources.data[s];
		struct firefox_markers *m = &x->markers[s];
		bool *admitted = threads_admitted(x->model, source);

		m->exp = source->exp;
		find_instances(m, admitted);
		find_marks(m, admitted);
		if (m->list.len)
			qsort(m->list.data, m->list.len, sizeof(*m->list.data), by_time);
		find_strings(x, m);
		find_categories(x, m);
		free(admitted);
	}
}

void firefox_markers_release(struct firefox *x)
{
	for (size_t s = 0; s < x->model->sources.len; s++) {
		vec_release(&x->markers[s].list);
		free(x->markers[s].names);
		free(x->markers[s].branches);
	}
	free(x->markers);
	idmap_release(&x->categories);
	vec_release(&x->domains);
}

static void put_category(struct firefox *x, const char *name, const char *color)
{
	json_begin_object(&x->json);
	json_key(&x->json, "name");
	json_text(&x->json, name);
	json_key(&x->json, "color");
	json_text(&x->json, color);
	json_key(&x->json, "subcategories");
	json_begin_array(&x->json);
	json_text(&x->json, "Other");
	json_end(&x->json);
	json_end(&x->json);
	stream_pass(x->json.out);
}

void firefox_put_categories(struct firefox *x)
{
	static const char *const colors[] = { "green", "orange",  "purple", "yellow",
					      "brown", "magenta", "red",    "lightblue" };
	enum { COLORS = sizeof(colors) / sizeof(colors[0]) };

	json_key(&x->json, "categories");
	json_begin_array(&x->json);
	put_category(x, "Other", "grey");
	put_category(x, "Regions", "blue");
	for (size_t i = 0; i < x->domains.len; i++)
		put_category(x, model_string(x->model, x->domains.data[i]),
			     colors[i % COLORS]);
	json_end(&x->json);
}

/* How the profiler shows them, by their data's type. */
void firefox_put_schemas(struct firefox *x)
{
	static const char chart[] =
		"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"]";
	static const struct {
		const char *type, *more;
	} schemas[] = {
		{ "region", "\"chartLabel\":\"{marker.name}\",\"tableLabel\":\"{marker."
			    "data.branch}\","
			    "\"fields\":[{\"key\":\"branch\",\"label\":\"In\",\"format\":"
			    "\"unique-string\"}]" },
		{ "marker", "\"fields\":[]" },
		{ "note", "\"tableLabel\":\"{marker.data.value}\","
			  "\"fields\":[{\"key\":\"value\",\"label\":\"Value\",\"format\":"
			  "\"string\"}]" },
		{ "counter", "\"tableLabel\":\"{marker.data.value}\","
			     "\"fields\":[{\"key\":\"value\",\"label\":\"Value\","
			     "\"format\":\"decimal\"}],"
			     "\"graphs\":[{\"key\":\"value\",\"type\":\"line\"}]" },
	};

	json_key(&x->json, "markerSchema");
	json_begin_array(&x->json);
	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++) {
		char *json = xasprintf("{\"name\":\"%s\",%s,%s}", schemas[i].type, chart,
				       schemas[i].more);

		json_ready(&x->json, json);
		free(json);
	}
	json_end(&x->json);
}

/* ---- the table of a thread ---- */

/* The number of a mark; false: it has none. */
static bool number_of(const struct exp_mark *mark, double *number)
{
	switch (mark->type) {
	case EXP_VALUE_UNSIGNED:
		*number = (double)mark->value;
		return true;
	case EXP_VALUE_SIGNED:
		*number = (double)(int64_t)mark->value;
		return true;
	case EXP_VALUE_REAL:
		memcpy(number, &mark->value, sizeof(*number));
		return isfinite(*number);
	default:
		return false;
	}
}

static void put_value(struct firefox *x, const struct experiment *exp,
		      const struct exp_mark *mark)
{
	struct strbuf value = { 0 };
	double number;

	if (mark->type == EXP_VALUE_NONE)
		return;
	if (mark->kind == EXP_MARK_COUNTER) {
		if (!number_of(mark, &number))
			return;
		json_key(&x->json, "value");
		json_number(&x->json, number);
		return;
	}
	mark_put_value(exp, mark, &value);
	json_key(&x->json, "value");
	json_text(&x->json, strbuf_str(&value));
	strbuf_release(&value);
}

static uint64_t string_of(const struct firefox *x, uint32_t string)
{
	return x->model->functions.len + x->model->objects.len + string;
}

static void put_data(struct firefox *x, const struct firefox_markers *m,
		     const struct marker *at)
{
	json_begin_object(&x->json);
	json_key(&x->json, "type");
	if (at->mark) {
		const struct exp_mark *mark = &m->exp->marks.data[at->index];

		json_text(&x->json, mark_kind(mark));
		put_value(x, m->exp, mark);
	} else {
		const uint32_t path = m->exp->regions.data[at->index].path;

		json_text(&x->json, "region");
		json_key(&x->json, "branch");
		json_unsigned(&x->json, string_of(x, m->branches[path]));
	}
	json_end(&x->json);
}

static const struct exp_region_path *path_of(const struct firefox_markers *m,
					     const struct marker *at)
{
	return &m->exp->region_paths.data[m->exp->regions.data[at->index].path];
}

static void put_name(struct firefox *x, const struct firefox_markers *m,
		     const struct marker *at)
{
	const uint32_t name = at->mark ? m->exp->marks.data[at->index].name
				       : path_of(m, at)->name;

	json_unsigned(&x->json, string_of(x, m->names[name]));
}

static int phase_of(const struct firefox_markers *m, const struct marker *at)
{
	if (at->mark)
		return PHASE_INSTANT;
	return m->exp->regions.data[at->index].flags & EXP_REGION_UNENDED
		       ? PHASE_BEGIN
		       : PHASE_INTERVAL;
}

static void put_begin(struct firefox *x, const struct firefox_markers *m,
		      const struct marker *at)
{
	(void)m;
	firefox_put_ms(x, at->begin_ns);
}

static void put_end(struct firefox *x, const struct firefox_markers *m,
		    const struct marker *at)
{
	if (phase_of(m, at) == PHASE_INTERVAL)
		firefox_put_ms(x, at->end_ns);
	else
		json_null(&x->json);
}

static void put_phase(struct firefox *x, const struct firefox_markers *m,
		      const struct marker *at)
{
	json_signed(&x->json, phase_of(m, at));
}

static void put_category_of(struct firefox *x, const struct firefox_markers *m,
			    const struct marker *at)
{
	const uint32_t domain = at->mark ? m->exp->marks.data[at->index].domain
					 : path_of(m, at)->domain;

	json_unsigned(
		&x->json,
		category_of(x, m, domain, at->mark ? CATEGORY_OTHER : CATEGORY_REGIONS));
}

/* The first marker of THREAD, or where it would be. */
static size_t first_of(const struct firefox_markers *m, uint32_t thread)
{
	size_t low = 0, high = m->list.len;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (m->list.data[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool firefox_has_markers(const struct firefox *x, size_t source, uint32_t thread)
{
	const struct firefox_markers *m = &x->markers[source];

	return first_of(m, thread) < first_of(m, thread + 1);
}

void firefox_put_markers(struct firefox *x, size_t source, uint32_t thread)
{
	static const struct {
		const char *name;
		void (*put)(struct firefox *x, const struct firefox_markers *m,
			    const struct marker *at);
	} columns[] = { { "data", put_data },       { "name", put_name },
			{ "startTime", put_begin }, { "endTime", put_end },
			{ "phase", put_phase },     { "category", put_category_of } };
	const struct firefox_markers *m = &x->markers[source];
	const size_t first = first_of(m, thread);
	const size_t end = thread == FIREFOX_NO_THREAD ? first : first_of(m, thread + 1);

	json_key(&x->json, "markers");
	json_begin_object(&x->json);
	for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++) {
		json_key(&x->json, columns[c].name);
		json_begin_array(&x->json);
		for (size_t i = first; i < end && stream_pass(x->json.out); i++)
			columns[c].put(x, m, &m->list.data[i]);
		json_end(&x->json);
	}
	firefox_put_length(x, end - first);
}
