/* SPDX-License-Identifier: Apache-2.0 */
/* compare, fail-above: functions of two groups of runs, and what changed. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "model/ratio.h"
#include "views/view.h"
#include "views/views.h"

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

/* The metric to compare in, as it is to be shown: the one that sorts. */
static struct metric_item compared_item(const struct session *s)
{
	struct metric_list items;
	struct metric_item item;
	unsigned show = 0;

	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &items);
	item = view_order(s, &items, 0).by;
	vec_release(&items);
	if (!metric_item_is_value(&item))
		item = (struct metric_item){ .field = FIELD_METRIC };
	vec_for_each(const struct metric_item, shown, &s->metrics)
		if (shown->field == item.field && shown->metric == item.metric)
			show |= shown->show;
	if (!show)
		show = item.field == FIELD_RATIO
			       ? SHOW_TIME
			       : metric_shows(&s->model.metrics.data[item.metric]);
	item.show = show;
	return item;
}

static void add_columns(struct session *s, const struct metric_item *item,
			struct table *table)
{
	struct column *column;
	double seconds;
	int digits;

	view_column(s, item, table);
	view_column(s, item, table);
	seconds = item->show & SHOW_TIME ? table->columns.data[0].seconds : 0;
	digits = seconds > 0 ? 3 : table->columns.data[0].digits;
	table->columns.data[0].group = "base";
	table->columns.data[1].group = "other";
	if (!modes[s->compare].other)
		table->columns.data[1].show = 0;
	table_column(table, "delta", "Delta", COLUMN_REAL);
	column = &table->columns.data[table->columns.len - 1];
	column->machine_only = !modes[s->compare].delta;
	column->seconds = seconds;
	column->sign = true;
	column->digits = digits;
	table_column(table, "ratio", "Ratio", COLUMN_REAL);
	column = &table->columns.data[table->columns.len - 1];
	column->machine_only = !modes[s->compare].ratio;
	column->digits = 3;
	table_column(table, "change", "Change", COLUMN_TEXT);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "object", COLUMN_TEXT);
	table_machine_column(table, "p", COLUMN_REAL);
	table_machine_column(table, "q", COLUMN_REAL);
}

/* More of a RATIO may be better or worse. */
static void add_row(struct session *s, const struct compared *c, bool ratio,
		    struct table *table)
{
	const struct estimate *base = &c->sides[SIDE_BASE],
			      *other = &c->sides[SIDE_OTHER];
	bool total = c->function == MODEL_NONE;
	bool absent = c->absent[SIDE_BASE] || c->absent[SIDE_OTHER];

	for (size_t side = 0; side < SIDES; side++)
		if (c->absent[side])
			table_add_undefined(table);
		else
			table_add_estimate(table, c->sides[side]);
	if (absent)
		table_add_undefined(table);
	else
		table_add_real(table, c->delta);
	if (base->amount > 0 && !absent)
		table_add_real(table, other->amount / base->amount);
	else
		table_add_absent(table);
	table_add_toned(table, changes[c->change].word,
			ratio ? TONE_PLAIN : changes[c->change].tone);
	table_add_text(table, total ? "<Total>" : session_function(s, c->function));
	table_add_text(table,
		       total ? ""
			     : object_path(&s->model,
					   s->model.functions.data[c->function].object));
	table_add_real(table, c->p);
	table_add_real(table, c->q);
}

static char *title_of(const struct session *s, const struct metric_item *item)
{
	struct strbuf text = { 0 };

	strbuf_addstr(&text, "Functions compared by metric: ");
	metric_item_title(&s->model, item, &text);
	return strbuf_detach(&text);
}

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
	for (size_t e = 0; e < source->totals.events; e++)
		if (source->metric[e] == metric)
			return true;
	return false;
}

/* What was not counted is not little. */
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

/* Whether every run counted what ITEM is made of. */
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

int compare_show(struct session *s, struct strbuf *err)
{
	struct metric_item item = compared_item(s);
	struct table table = { .key = "compare" };
	struct comparison comparison;
	struct analysis apart;
	size_t rows;

	if (check_groups(s, err) || check_counted(&s->model, &item, err))
		return CMD_FAILED;
	session_analysis_apart(s, &apart);
	comparison_build(&comparison, &s->model, &apart, &item);
	analysis_release(&apart);
	if (item.field == FIELD_METRIC)
		note_worst(s, &comparison);
	table_set_title(&table, title_of(s, &item));
	add_columns(s, &item, &table);
	rows = comparison.rows.len;
	for (size_t i = 0; i < rows && (!s->limit || i <= s->limit); i++)
		add_row(s, &comparison.rows.data[i], item.field == FIELD_RATIO, &table);
	comparison_release(&comparison);
	return command_status(session_show(s, &table), output_name(&s->out), err);
}

static int run_compare(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	for (int i = 0; i < COMPARE_MODES; i++)
		if (!strcmp(modes[i].word, argv[0])) {
			s->compare = (enum compare_mode)i;
			return s->compare ? compare_show(s, err) : 0;
		}
	strbuf_addf(err, "compare takes on, delta, ratio or off, not '%s'", argv[0]);
	return CMD_USAGE;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.args = "MODE",
	.help = "two groups by function: on, delta, ratio; off",
	.values = "on off delta ratio",
	.run = run_compare,
};

static int run_fail_above(struct session *s, int argc, char **argv, struct strbuf *err)
{
	char *end;
	double percent = strtod(argv[0], &end);

	(void)argc;
	if (!isdigit((unsigned char)*argv[0]) || *end || !(percent < 1e9)) {
		strbuf_addf(err, "fail-above takes a percentage, not '%s'", argv[0]);
		return CMD_USAGE;
	}
	s->fail_given = true;
	s->fail_above = percent;
	return 0;
}

const struct cmd cmd_fail_above = {
	.name = "fail-above",
	.args = "PCT",
	.help = "exit with 3 if compare finds such an increase",
	.run = run_fail_above,
	.alone = true,
};
