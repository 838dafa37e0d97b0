/* SPDX-License-Identifier: Apache-2.0 */
/* marks: what programs say at an instant: markers, counters, notes. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/marks.h"
#include "model/open_regions.h"
#include "rows/state_columns.h"
#include "views/views.h"

struct place {
	uint32_t source, mark;
};

struct marks {
	struct session *session;
	VEC(struct place) places;  /* in the order of their times */
	struct open_regions *open; /* by source */
	struct table table;
};

static const struct exp_mark *mark_at(const struct marks *m, const struct place *place)
{
	return &m->session->model.sources.data[place->source]
			.exp->marks.data[place->mark];
}

/* For qsort, which takes no context. */
struct sorted {
	uint64_t time_ns;
	struct place place;
};

static int by_time(const void *va, const void *vb)
{
	const struct sorted *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->place.source != b->place.source)
		return a->place.source < b->place.source ? -1 : 1;
	return a->place.mark < b->place.mark ? -1 : a->place.mark > b->place.mark;
}

static void find_places(struct marks *m)
{
	const struct model *model = &m->session->model;
	VEC(struct sorted) all = { 0 };

	for (uint32_t s = 0; s < model->sources.len; s++) {
		const struct experiment *exp = model->sources.data[s].exp;

		for (uint32_t i = 0; i < exp->marks.len; i++)
			*vec_push(&all) = (struct sorted){ exp->marks.data[i].time_ns,
							   { s, i } };
	}
	if (all.len)
		qsort(all.data, all.len, sizeof(*all.data), by_time);
	vec_for_each(const struct sorted, one, &all)
		*vec_push(&m->places) = one->place;
	vec_release(&all);
}

static void add_columns(struct table *table)
{
	ns_column(table, "time_ns", "At ms");
	table->columns.data[0].seconds = 1e-6;
	table_column(table, "kind", "Kind", COLUMN_TEXT);
	table_column(table, "domain", "Domain", COLUMN_TEXT);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_column(table, "value", "Value", COLUMN_TEXT);
	table_column(table, "branch", "In region", COLUMN_TEXT);
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "thread", "Thread", COLUMN_NUMBER);
	table_column(table, "thread_name", "Thread's name", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

static void add_row(void *ctx, size_t row, struct table *table)
{
	const struct marks *m = ctx;
	const struct place *place = &m->places.data[row];
	const struct exp_mark *mark = mark_at(m, place);
	const struct experiment *exp = m->session->model.sources.data[place->source].exp;
	const struct exp_thread *thread = &exp->threads.data[mark->thread];
	const struct open_regions *open = &m->open[place->source];
	struct strbuf value = { 0 }, branch = { 0 };

	mark_put_value(exp, mark, &value);
	region_path_put(exp, open_regions_path(open, thread->number, mark->time_ns),
			&branch);
	table_add_real(table, (double)mark->time_ns);
	table_add_text(table, mark_kind(mark));
	table_add_text(table, experiment_string(exp, mark->domain));
	table_add_text(table, experiment_string(exp, mark->name));
	if (mark->type == EXP_VALUE_NONE)
		table_add_absent(table);
	else
		table_add_text(table, strbuf_str(&value));
	table_add_text(table, strbuf_str(&branch));
	table_add_number(table, (uint64_t)exp->processes.data[thread->process].pid);
	table_add_number(table, (uint64_t)thread->tid);
	table_add_text(table,
		       experiment_string(exp, exp->threads.data[thread->last].name));
	table_add_number(table, place->source + 1);
	strbuf_release(&value);
	strbuf_release(&branch);
}

static void marks_release(struct marks *m)
{
	for (size_t s = 0; s < m->session->model.sources.len; s++)
		open_regions_release(&m->open[s]);
	free(m->open);
	vec_release(&m->places);
}

static int run_marks(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct marks m = { .session = s, .table = { .key = "marks" } };
	const size_t limit = s->set.limit;
	int status;

	(void)argc;
	(void)argv;
	find_places(&m);
	if (!m.places.len) {
		strbuf_addstr(err,
			      "the program said nothing: collect --regions on records "
			      "markers, counters and notes of ITT");
		return CMD_FAILED;
	}
	m.open = xcalloc(s->model.sources.len, sizeof(*m.open));
	for (size_t i = 0; i < s->model.sources.len; i++)
		open_regions_init(&m.open[i], s->model.sources.data[i].exp);
	add_columns(&m.table);
	table_set_title(&m.table, xstrdup("What the program said, in the order of time"));
	m.table.source = (struct table_source){ add_row, &m, m.places.len };
	if (limit && limit < m.places.len)
		m.table.source.rows = limit;
	status = command_show(s, &m.table, err);
	marks_release(&m);
	return status;
}

const struct cmd cmd_marks = {
	.name = "marks",
	.args = "",
	.help = "markers, counters and notes of the program",
	.run = run_marks,
};
