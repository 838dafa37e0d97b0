/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/compare_table.h"

#include <math.h>
#include <string.h>

#include "session/cmd.h"
#include "model/ratio.h"
#include "rows/view.h"

static const struct {
	const char *word;
	enum tone tone;
} changes[] = {
	[CHANGE_NOISE] = { "noise", TONE_PLAIN },
	[CHANGE_MORE] = { "more", TONE_WORSE },
	[CHANGE_LESS] = { "less", TONE_BETTER },
};

static const struct {
	const char *word;
	bool other, delta, ratio; /* the columns that it shows */
} modes[COMPARE_MODES] = {
	[COMPARE_OFF] = { "off", false, false, false },
	[COMPARE_ON] = { "on", true, false, false },
	[COMPARE_DELTA] = { "delta", false, true, false },
	[COMPARE_RATIO] = { "ratio", false, false, true },
};

bool compare_mode_find(const char *word, enum compare_mode *out)
{
	for (int i = 0; i < COMPARE_MODES; i++)
		if (!strcmp(modes[i].word, word)) {
			*out = (enum compare_mode)i;
			return true;
		}
	return false;
}

/* ---- what can be compared ---- */

static int check_groups(const struct session *s, struct strbuf *err)
{
	size_t runs[SIDES] = { 0 };

	vec_for_each(const struct source, source, &s->model.sources)
		if (source->group < SIDES)
			runs[source->group]++;
		else
			runs[SIDE_BASE] = 0;
	if (runs[SIDE_BASE] && runs[SIDE_OTHER])
		return 0;
	strbuf_addstr(err, "compare needs two experiments, or two groups with commas "
			   "between their runs: A1.er,A2.er B1.er,B2.er");
	return CMD_FAILED;
}

static bool has_metric(const struct source *source, uint32_t metric)
{
	for (size_t c = 0; c < source->totals.columns; c++)
		if (source->metric[c] == metric)
			return true;
	return false;
}

/* Uncounted does not mean small. */
static int check_metric(const struct model *model, uint32_t metric, struct strbuf *err)
{
	vec_for_each(const struct source, source, &model->sources) {
		if (has_metric(source, metric))
			continue;
		strbuf_addf(err,
			    "compare: %s has no %s; sort takes a metric of both sides",
			    source->exp->path,
			    model_string(model, model->metrics.data[metric].id));
		return CMD_FAILED;
	}
	return 0;
}

/* Whether every run counted the events of ITEM. */
static int check_counted(const struct model *model, const struct metric_item *item,
			 struct strbuf *err)
{
	const struct ratio *ratio;

	if (item->field == FIELD_METRIC)
		return check_metric(model, item->metric, err);
	ratio = &model->ratios.data[item->metric];
	return check_metric(model, ratio->top, err) ||
			       check_metric(model, ratio->bottom, err)
		       ? CMD_FAILED
		       : 0;
}

/* The first of ITEMS that is a value, unless ITEM is one; false: there is none. */
static bool make_value(const struct metric_list *items, struct metric_item *item)
{
	for (size_t i = 0; i < items->len && !metric_item_is_value(item); i++)
		*item = items->data[i];
	return metric_item_is_value(item);
}

/* All parts of ITEM that are displayed in any flavor. */
static unsigned parts_shown(const struct session *s, const struct metric_item *item)
{
	unsigned show = 0;

	vec_for_each(const struct metric_item, shown, &s->set.metrics)
		if (shown->field == item->field && shown->metric == item->metric)
			show |= shown->show;
	if (show || item->field == FIELD_RATIO)
		return show ? show : SHOW_TIME;
	return metric_shows(&s->model.metrics.data[item->metric]);
}

/* The metric to compare in, as displayed: the one that sorts. */
static int choose_item(struct compare_table *t, unsigned flavors, struct strbuf *err)
{
	struct metric_list items;
	bool found;

	view_items(t->session, flavors, &items);
	t->item = view_order(t->session, &items, 0).by;
	found = make_value(&items, &t->item);
	vec_release(&items);
	if (!found) {
		strbuf_addstr(err, "the recordings have no metric to compare");
		return CMD_FAILED;
	}
	t->item.show = parts_shown(t->session, &t->item);
	return check_counted(&t->session->model, &t->item, err);
}

int compare_table_init(struct compare_table *t, struct session *s, const char *key,
		       unsigned flavors, struct strbuf *err)
{
	*t = (struct compare_table){ .session = s, .table.key = key };
	if (check_groups(s, err)) {
		s->compare_due = false; /* once is enough */
		return CMD_FAILED;
	}
	return choose_item(t, flavors, err) ? CMD_FAILED : 0;
}

char *compare_table_title(const struct compare_table *t, const char *what)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s compared by metric: ", what);
	metric_item_title(&t->session->model, &t->item, &text);
	return strbuf_detach(&text);
}

/* ---- the comparison ---- */

/* The largest increase beyond noise, as a share of the base's whole. */
static void note_worst(struct session *s, const struct comparison *comparison)
{
	double whole = comparison->rows.data[0].sides[SIDE_BASE].amount;

	vec_for_each(const struct compared, c, &comparison->rows) {
		double percent = whole > 0 ? 100 * c->delta / whole : INFINITY;

		if (c->change == CHANGE_MORE && percent > s->worst_increase)
			s->worst_increase = percent;
	}
}

void compare_table_compare(struct compare_table *t, const struct sums *sums)
{
	comparison_build(&t->comparison, &t->session->model, sums, &t->item);
	if (t->item.field == FIELD_METRIC)
		note_worst(t->session, &t->comparison);
	for (size_t row = 0; row < sums->groups; row++)
		*vec_push(&t->place) = MODEL_NONE;
	for (size_t i = 1; i < t->comparison.rows.len; i++)
		t->place.data[t->comparison.rows.data[i].row] = (uint32_t)i;
}

const struct compared *compare_table_find(const struct compare_table *t, size_t row)
{
	uint32_t place = t->place.data[row];

	return place == MODEL_NONE ? NULL : &t->comparison.rows.data[place];
}

/* ---- columns ---- */

static void add_sides(struct compare_table *t)
{
	static const char *const words[SIDES] = { "base", "other" };

	for (uint32_t side = 0; side < SIDES; side++) {
		struct column *column;

		view_column(t->session, &t->item, &t->table);
		column = &t->table.columns.data[t->table.columns.len - 1];
		column->group = words[side];
		column->counted = view_side_counted(t->session, &t->item, side);
		if (side == SIDE_OTHER && !modes[t->session->set.compare].other)
			column->show = 0;
	}
}

static struct column *add_real(struct table *table, const char *key, const char *title,
			       bool shown)
{
	struct column *column;

	table_column(table, key, title, COLUMN_REAL);
	column = &table->columns.data[table->columns.len - 1];
	column->machine_only = !shown;
	column->digits = 3;
	return column;
}

void compare_table_columns(struct compare_table *t)
{
	size_t first = t->table.columns.len;
	enum compare_mode mode = t->session->set.compare;
	const struct column *base;
	struct column *delta, *ratio;
	double counted;

	add_sides(t);
	counted = fmax(t->table.columns.data[first].counted,
		       t->table.columns.data[first + 1].counted);
	delta = add_real(&t->table, "delta", "Delta", modes[mode].delta);
	base = &t->table.columns.data[first];
	delta->seconds = t->item.show & SHOW_TIME ? base->seconds : 0;
	delta->digits = delta->seconds > 0 ? 3 : base->digits;
	delta->sign = true;
	delta->counted = counted;
	ratio = add_real(&t->table, "ratio", "Ratio", modes[mode].ratio);
	ratio->counted = counted;
	table_column(&t->table, "change", "Change", COLUMN_TEXT);
}

void compare_table_end_columns(struct compare_table *t)
{
	table_machine_column(&t->table, "p", COLUMN_REAL);
	table_machine_column(&t->table, "q", COLUMN_REAL);
}

/* ---- rows ---- */

enum { CELLS = 5 }; /* of compare_table_columns */

static void add_sides_of(struct compare_table *t, const struct compared *c)
{
	for (size_t side = 0; side < SIDES; side++)
		if (c->absent[side])
			table_add_undefined(&t->table);
		else
			table_add_estimate(&t->table, c->sides[side]);
}

/* More of a ratio may be better or worse. */
static enum tone tone_of(const struct compare_table *t, const struct compared *c)
{
	return t->item.field == FIELD_RATIO ? TONE_PLAIN : changes[c->change].tone;
}

void compare_table_begin(struct compare_table *t, const struct compared *c)
{
	bool absent = c && (c->absent[SIDE_BASE] || c->absent[SIDE_OTHER]);

	for (int i = 0; i < CELLS && !c; i++)
		table_add_absent(&t->table);
	if (!c)
		return;
	add_sides_of(t, c);
	if (absent)
		table_add_undefined(&t->table);
	else
		table_add_real(&t->table, c->delta);
	if (c->sides[SIDE_BASE].amount > 0 && !absent)
		table_add_real(&t->table,
			       c->sides[SIDE_OTHER].amount / c->sides[SIDE_BASE].amount);
	else
		table_add_absent(&t->table);
	table_add_toned(&t->table, changes[c->change].word, tone_of(t, c));
}

void compare_table_end(struct compare_table *t, const struct compared *c)
{
	if (c) {
		table_add_real(&t->table, c->p);
		table_add_real(&t->table, c->q);
	} else {
		table_add_absent(&t->table);
		table_add_absent(&t->table);
	}
}

int compare_table_show(struct compare_table *t, struct strbuf *err)
{
	struct session *s = t->session;
	int error = session_show(s, &t->table);

	s->compare_due = false;
	comparison_release(&t->comparison);
	vec_release(&t->place);
	return command_shown(s, error, err);
}

/* ---- tables of rows without an order of their own ---- */

struct rows {
	struct compare_table compare;
	const struct compare_view *view;
	void *ctx;
};

static void add_row(void *ctx, size_t index, struct table *table)
{
	struct rows *rows = ctx;
	const struct compared *c = &rows->compare.comparison.rows.data[index];

	compare_table_begin(&rows->compare, c);
	rows->view->cells(rows->ctx, c->row, table);
	compare_table_end(&rows->compare, c);
}

int compare_rows_show(struct session *s, const struct compare_view *view,
		      const struct sums *sums, void *ctx, struct strbuf *err)
{
	struct rows rows = { .view = view, .ctx = ctx };
	struct compare_table *t = &rows.compare;
	size_t count;
	int status = compare_table_init(t, s, view->key, view->flavors, err);

	if (status)
		return status;
	compare_table_compare(t, sums);
	table_set_title(&t->table, compare_table_title(t, view->title));
	compare_table_columns(t);
	view->columns(&t->table);
	compare_table_end_columns(t);
	count = t->comparison.rows.len;
	t->table.source = (struct table_source){
		.add = add_row,
		.ctx = &rows,
		.rows = s->set.limit && s->set.limit + 1 < count ? s->set.limit + 1
								 : count,
	};
	if (view->by_line)
		counterparts_note_builds(&s->model, MODEL_NONE, &t->table.note);
	return compare_table_show(t, err);
}
