/* SPDX-License-Identifier: Apache-2.0 */
/* samples: from one sample point to the next, what was used and counted. */
#include "model/points.h"

#include <stddef.h>

#include "base/xalloc.h"
#include "rows/state_columns.h"
#include "views/points.h"
#include "views/views.h"

struct points_view {
	struct session *session;
	struct table table;
};

static const struct {
	const char *key, *title;
	unsigned known; /* EXP_KNOWN_* */
	bool time;
	size_t at; /* in struct exp_point */
} usages[] = {
	{ "user_ns", "User CPU s", EXP_KNOWN_TIMES, true,
	  offsetof(struct exp_point, user_ns) },
	{ "system_ns", "System CPU s", EXP_KNOWN_TIMES, true,
	  offsetof(struct exp_point, system_ns) },
	{ "minor_faults", "Minor faults", EXP_KNOWN_TIMES, false,
	  offsetof(struct exp_point, minor_faults) },
	{ "major_faults", "Major faults", EXP_KNOWN_TIMES, false,
	  offsetof(struct exp_point, major_faults) },
	{ "voluntary", "Switches", EXP_KNOWN_SWITCHES, false,
	  offsetof(struct exp_point, voluntary) },
	{ "involuntary", "Preempted", EXP_KNOWN_SWITCHES, false,
	  offsetof(struct exp_point, involuntary) },
};

enum { USAGES = sizeof(usages) / sizeof(usages[0]) };

static void add_columns(struct points_view *v)
{
	const struct model *model = &v->session->model;
	struct table *table = &v->table;

	if (model->sources.len > 1)
		table_column(table, "experiment", "Experiment", COLUMN_NUMBER);
	else
		table_machine_column(table, "experiment", COLUMN_NUMBER);
	table_column(table, "sample", "Sample", COLUMN_NUMBER);
	ns_column(table, "begin_ns", "From s");
	ns_column(table, "duration_ns", "For s");
	for (size_t u = 0; u < USAGES; u++)
		if (usages[u].time)
			ns_column(table, usages[u].key, usages[u].title);
		else
			table_column(table, usages[u].key, usages[u].title,
				     COLUMN_NUMBER);
	for (size_t m = 0; m < model->metrics.len - model->splits; m++) {
		const struct metric *metric = &model->metrics.data[m];
		struct column *column;

		table_column(table, model_string(model, metric->id),
			     model_string(model, metric->label), COLUMN_REAL);
		column = &table->columns.data[table->columns.len - 1];
		column->seconds = metric->clock ? 1e-9 : 0;
		column->digits = metric->clock ? 3 : 0;
	}
	table_column(table, "until", "Until", COLUMN_TEXT);
	table_machine_column(table, "kind", COLUMN_TEXT);
}

static uint64_t usage_at(const struct exp_point *point, size_t u)
{
	return *(const uint64_t *)((const char *)point + usages[u].at);
}

/* Accounts of ended processes are gone, so they may fall. */
static void add_usage(struct table *table, const struct exp_point *from,
		      const struct exp_point *to)
{
	for (size_t u = 0; u < USAGES; u++) {
		const uint64_t before = usage_at(from, u), after = usage_at(to, u);

		if (!(from->known & to->known & usages[u].known) || after < before)
			table_add_absent(table);
		else if (usages[u].time)
			table_add_real(table, (double)(after - before));
		else
			table_add_number(table, after - before);
	}
}

static void add_counts(struct points_view *v, const struct source *source,
		       const struct exp_point *from, const struct exp_point *to)
{
	const struct model *model = &v->session->model;

	for (uint32_t m = 0; m < model->metrics.len - model->splits; m++) {
		double sum = 0;
		bool known = false;

		for (uint32_t e = 0; e < source->exp->log.events.len; e++) {
			double count;

			if (source->metric[e] != m ||
			    !points_counted(source->exp, from, to, e, &count))
				continue;
			known = true;
			sum += count;
		}
		if (known)
			table_add_real(&v->table, sum);
		else
			table_add_absent(&v->table);
	}
}

/* The interval before point I. */
static void add_row(struct points_view *v, size_t s, size_t i)
{
	static const char *const kinds[EXP_POINT_KINDS] = {
		[EXP_POINT_END] = "the end",
		[EXP_POINT_PROGRAM] = "the program",
		[EXP_POINT_SIGNAL] = "a signal",
		[EXP_POINT_PERIOD] = "its time",
	};
	static const char *const keys[EXP_POINT_KINDS] = {
		[EXP_POINT_END] = "end",
		[EXP_POINT_PROGRAM] = "program",
		[EXP_POINT_SIGNAL] = "signal",
		[EXP_POINT_PERIOD] = "period",
	};
	const struct source *source = &v->session->model.sources.data[s];
	const struct exp_point *to = &source->exp->points.data[i], *from = to - 1;
	const bool known = to->kind < EXP_POINT_KINDS && kinds[to->kind];

	table_add_number(&v->table, s + 1);
	table_add_number(&v->table, i);
	table_add_real(&v->table, (double)from->time_ns);
	table_add_real(&v->table, (double)(to->time_ns - from->time_ns));
	add_usage(&v->table, from, to);
	add_counts(v, source, from, to);
	table_add_text(&v->table, to->name ? experiment_string(source->exp, to->name)
				  : known  ? kinds[to->kind]
					   : "?");
	table_add_text(&v->table, known ? keys[to->kind] : "?");
}

int show_points(struct session *s, struct strbuf *err)
{
	struct points_view v = { .session = s, .table = { .key = "samples" } };
	size_t shown = 0;

	add_columns(&v);
	for (size_t i = 0; i < s->model.sources.len; i++) {
		const uint32_t count = points_intervals(s->model.sources.data[i].exp);

		for (uint32_t p = 1; p <= count; p++)
			if (!s->set.limit || shown++ < s->set.limit)
				add_row(&v, i, p);
	}
	table_set_title(&v.table, xstrdup("Sample points, and what was used until each"));
	if (filter_is_set(&s->model.filter))
		strbuf_addstr(&v.table.note, "filters change nothing here");
	return command_show(s, &v.table, err);
}
