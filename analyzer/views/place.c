/* SPDX-License-Identifier: Apache-2.0 */
#include "views/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "views/views.h"
#include "base/xalloc.h"

const struct value *place_thread_sums(const struct totals *totals, size_t *rows)
{
	*rows = totals->threads;
	return totals->thread;
}

struct place place_of_all(const struct place_kind *kind, const struct model *model,
			  struct place row)
{
	(void)kind;
	(void)model;
	row.source = 0;
	return row;
}

/* Names match on two sides, as numbers are a run's own. */
void place_put_task(const struct model *model, const char *name, struct strbuf *out)
{
	enum { COMM_MAX = 15 }; /* of a task's name */

	vec_for_each(const struct source, source, &model->sources) {
		const struct exp_log *log = &source->exp->log;
		const char *command = log->command.len ? log->command.data[0] : "";
		const char *slash = strrchr(command, '/');

		if (*name && !strncmp(slash ? slash + 1 : command, name, COMM_MAX)) {
			strbuf_addstr(out, "/"); /* which no name contains */
			return;
		}
	}
	strbuf_addstr(out, name);
}

const struct experiment *place_experiment(const struct place_rows *rows, uint32_t row)
{
	return rows->session->model.sources.data[rows->first.data[row].source].exp;
}

void place_count_columns(struct table *table)
{
	table_machine_column(table, "base_count", COLUMN_REAL);
	table_machine_column(table, "other_count", COLUMN_REAL);
}

void place_add_counts(const struct place_rows *rows, uint32_t row, struct table *table)
{
	const struct place_count *counts = row == COMPARED_TOTAL
						   ? &rows->all
						   : &rows->counts.data[row];

	for (size_t side = 0; side < SIDES; side++)
		table_add_real(table,
			       (double)counts->of[side] / (double)rows->runs.of[side]);
}

void place_add_number(struct table *table, uint32_t row, const char *unknown,
		      uint64_t number)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%" PRIu64, number);
	if (row == COMPARED_TOTAL || unknown) {
		table_add_text(table, row == COMPARED_TOTAL ? "<Total>" : unknown);
		table_add_absent(table);
	} else {
		table_add_text(table, text.data);
		table_add_number(table, number);
	}
	strbuf_release(&text);
}

/* ---- the table ---- */

struct place_table {
	const struct session *session;
	const struct place_kind *kind;
	VEC(struct place) places;
	bool apart;               /* each source has metrics of its own */
	size_t metrics;           /* of all sources then */
	VEC(struct value) values; /* [place × metrics + metric] */
	struct idmap ids;
	struct metric_list items;
	struct sort_key sort;
	struct ranks ranks;
	struct table table;
};

static uint32_t place_id(struct place_table *t, struct place place)
{
	uint32_t next = (uint32_t)t->places.len;
	uint32_t id = idmap_intern(&t->ids, place.source, place.row, next);

	if (id == next) {
		*vec_push(&t->places) = place;
		for (size_t m = 0; m < t->metrics; m++)
			*vec_push(&t->values) = (struct value){ 0 };
	}
	return id;
}

static struct value *values_of(struct place_table *t, uint32_t place)
{
	return t->values.data + place * t->metrics;
}

static void add_source(struct place_table *t, uint32_t index)
{
	const struct source *source = &t->session->model.sources.data[index];
	size_t first = t->apart ? index * t->session->model.metrics.len : 0;
	size_t rows;
	const struct totals *totals = source_totals(&t->session->model, source);
	const struct value *sums = t->kind->sums(totals, &rows);

	for (uint32_t r = 0; r < rows; r++)
		for (size_t e = 0; e < totals->columns; e++) {
			struct value v = sums[e * rows + r];
			struct place place = { index, r };

			if (!value_is_any(v))
				continue;
			place = t->kind->place_of(t->kind, &t->session->model, place);
			if (place.row == MODEL_NONE)
				continue;
			value_add(
				&values_of(t,
					   place_id(t, place))[first + source->metric[e]],
				v);
		}
}

static void place_table_init(struct place_table *t, const struct session *s,
			     const struct place_kind *kind, bool apart)
{
	size_t sources = s->model.sources.len;

	*t = (struct place_table){ .session = s, .kind = kind, .apart = apart };
	t->metrics = s->model.metrics.len * (apart ? sources : 1);
	for (uint32_t i = 0; i < sources; i++)
		add_source(t, i);
}

static void place_table_release(struct place_table *t)
{
	vec_release(&t->places);
	vec_release(&t->values);
	vec_release(&t->items);
	vec_release(&t->ranks);
	idmap_release(&t->ids);
}

/* Low numbers first. */
static struct rank rank_in_order(const struct place_table *t, uint32_t place)
{
	return (struct rank){ .weight = UINT64_MAX - t->places.data[place].row,
			      .name = "",
			      .id = place };
}

/* VALUES are a place's, by metric. */
static struct value value_of(const void *values, enum flavor flavor, uint32_t metric)
{
	(void)flavor; /* exclusive */
	return ((const struct value *)values)[metric];
}

static void rank_places(struct place_table *t)
{
	for (uint32_t p = 0; p < t->places.len; p++) {
		const struct view_row row = { .value = value_of, .row = values_of(t, p) };
		struct rank *rank = vec_push(&t->ranks);

		*rank = (struct rank){ .name = "", .id = p };
		view_rank(t->session, &t->sort.by, &row, rank);
		if (t->kind->in_order)
			*rank = rank_in_order(t, p);
	}
	ranks_sort(&t->ranks, t->sort.reverse && !t->kind->in_order);
}

static void add_row(void *ctx, size_t index, struct table *table)
{
	struct place_table *t = ctx;
	uint32_t place = t->ranks.data[index].id;
	const struct view_row row = { .value = value_of, .row = values_of(t, place) };

	view_cells(t->session, &t->items, &row, table);
	t->kind->add_cells(t->kind, &t->session->model, t->places.data[place], table);
}

static int show_places(struct session *s, const struct place_kind *kind,
		       struct strbuf *err)
{
	struct place_table t;
	size_t rows;
	int error;

	place_table_init(&t, s, kind, false);
	view_items(s, VIEW_FLAVOR(EXCLUSIVE), &t.items);
	t.sort = view_order(s, &t.items, 0);
	rank_places(&t);
	t.table.key = kind->key;
	table_set_title(&t.table, kind->in_order ? xstrdup(kind->title)
						 : view_title(s, kind->title, &t.sort));
	view_columns(s, &t.items, &t.table);
	kind->add_columns(&t.table);
	rows = s->set.limit && s->set.limit < t.ranks.len ? s->set.limit : t.ranks.len;
	t.table.source = (struct table_source){ .add = add_row, .ctx = &t, .rows = rows };
	error = session_show(s, &t.table);
	place_table_release(&t);
	return command_shown(s, error, err);
}

/* ---- compared ---- */

/* The row of each place.  The caller frees it. */
static uint32_t *find_rows(const struct place_table *t, struct place_rows *rows)
{
	uint32_t *row = xcalloc(t->places.len + 1, sizeof(*row));
	struct strbuf identity = { 0 };
	struct idmap ids = { 0 };
	struct strtab texts;

	strtab_init(&texts);
	for (uint32_t p = 0; p < t->places.len; p++) {
		uint32_t next = (uint32_t)rows->first.len, key = p;

		strbuf_clear(&identity);
		if (t->kind->put_identity) {
			t->kind->put_identity(&t->session->model, t->places.data[p],
					      &identity);
			key = strtab_intern(&texts, strbuf_str(&identity));
		}
		row[p] = idmap_intern(&ids, key, 0, next);
		if (row[p] == next) {
			*vec_push(&rows->first) = t->places.data[p];
			*vec_push(&rows->counts) = (struct place_count){ 0 };
		}
	}
	strtab_release(&texts);
	idmap_release(&ids);
	strbuf_release(&identity);
	return row;
}

static void count_places(const struct place_table *t, const uint32_t *row,
			 struct place_rows *rows)
{
	const struct model *model = &t->session->model;

	vec_for_each(const struct source, source, &model->sources)
		rows->runs.of[source->group ? SIDE_OTHER : SIDE_BASE]++;
	for (size_t p = 0; p < t->places.len; p++) {
		const struct source *source =
			&model->sources.data[t->places.data[p].source];
		size_t side = source->group ? SIDE_OTHER : SIDE_BASE;

		rows->counts.data[row[p]].of[side]++;
		rows->all.of[side]++;
	}
}

/* The values of the places as sums whose groups are the rows. */
static void sum_places(const struct place_table *t, const uint32_t *row, size_t groups,
		       struct sums *out)
{
	*out = (struct sums){
		.groups = groups,
		.exclusive = xcalloc(t->metrics * groups + 1, sizeof(struct value)),
	};
	for (size_t p = 0; p < t->places.len; p++)
		for (size_t m = 0; m < t->metrics; m++)
			value_add(&out->exclusive[m * groups + row[p]],
				  t->values.data[p * t->metrics + m]);
}

static int compare_places(struct session *s, const struct place_kind *kind,
			  struct strbuf *err)
{
	struct place_rows rows = { .session = s, .kind = kind };
	struct place_table t;
	struct sums sums;
	uint32_t *row;
	int status;

	place_table_init(&t, s, kind, true);
	row = find_rows(&t, &rows);
	count_places(&t, row, &rows);
	sum_places(&t, row, rows.first.len, &sums);
	status = compare_rows_show(s, kind->compared, &sums, &rows, err);
	sums_release(&sums);
	place_table_release(&t);
	vec_release(&rows.first);
	vec_release(&rows.counts);
	free(row);
	return status;
}

int place_view_run(struct session *s, const struct place_kind *kind, struct strbuf *err)
{
	return s->set.compare ? compare_places(s, kind, err) : show_places(s, kind, err);
}
