/* SPDX-License-Identifier: Apache-2.0 */
/* experiment_list, metric_list, cmetric_list: the choices. */
#include <stdlib.h>

#include "model/run.h"
#include "model/split.h"
#include "rows/view.h"
#include "views/views.h"
#include "base/xalloc.h"

static int run_experiment_list(struct session *s, int argc, char **argv,
			       struct strbuf *err)
{
	struct table table = { .key = "experiment_list" };

	(void)argc;
	(void)argv;
	table_column(&table, "id", "ID", COLUMN_NUMBER);
	table_column(&table, "pid", "PID", COLUMN_NUMBER);
	table_column(&table, "samples", "Samples", COLUMN_NUMBER);
	table_column(&table, "path", "Experiment", COLUMN_TEXT);
	table_column(&table, "command", "Command", COLUMN_TEXT);
	for (size_t i = 0; i < s->model.sources.len; i++) {
		char *command;
		struct run run;

		run_read(&run, &s->model, i);
		command = run_subject(&run);
		table_add_number(&table, i + 1);
		table_add_number(&table, (uint64_t)run.exp->log.pid);
		table_add_number(&table, run.samples);
		table_add_text(&table, run.exp->path);
		table_add_text(&table, command);
		free(command);
		run_release(&run);
	}
	return command_show(s, &table, err);
}

const struct cmd cmd_experiment_list = {
	.name = "experiment_list",
	.args = "",
	.help = "the open experiments",
	.group = GROUP_FIND,
	.run = run_experiment_list,
};

static void add_spelling(const struct session *s, const struct metric_item *item,
			 struct table *table)
{
	struct strbuf text = { 0 };

	metric_item_spell(&s->model, item, &text);
	table_add_text(table, text.data);
	strbuf_clear(&text);
	metric_item_title(&s->model, item, &text);
	table_add_text(table, text.data);
	strbuf_release(&text);
}

/* ITEMS, and the sort key of tables. */
static int show_metrics(struct session *s, const char *key,
			const struct metric_list *items, const struct sort_key *sort)
{
	struct table table = { .key = key };
	struct strbuf title = { 0 };

	strbuf_addstr(&title, "Current metrics, sorted by ");
	sort_key_title(&s->model, sort, &title);
	table_set_title(&table, strbuf_detach(&title));
	table_column(&table, "metric", "Metric", COLUMN_TEXT);
	table_column(&table, "title", "Title", COLUMN_TEXT);
	vec_for_each(const struct metric_item, item, items)
		add_spelling(s, item, &table);
	return session_show(s, &table);
}

struct offered {
	const struct session *session;
	struct table *table;
};

/* Metrics that are made when a command names them. */
static void add_offer(void *ctx, const struct split_offer *split)
{
	const struct offered *o = ctx;
	const struct model *model = &o->session->model;

	for (int f = 0; f < FLAVORS; f++) {
		struct strbuf text = { 0 };

		metric_name_spell((enum flavor)f,
				  metric_shows(&model->metrics.data[split->whole]),
				  split->name, &text);
		table_add_text(o->table, text.data);
		strbuf_clear(&text);
		strbuf_addf(&text, "%s %s", flavor_names[f].title, split->label);
		table_add_text(o->table, text.data);
		strbuf_release(&text);
	}
}

static int show_available(struct session *s)
{
	struct table table = { .key = "metrics_available" };

	table_set_title(&table, xstrdup("Available metrics"));
	table_column(&table, "metric", "Metric", COLUMN_TEXT);
	table_column(&table, "title", "Title", COLUMN_TEXT);
	for (uint32_t m = 0; m < s->model.metrics.len; m++)
		for (int f = 0; f < FLAVORS; f++) {
			struct metric_item item = { .flavor = (enum flavor)f,
						    .metric = m };

			item.show = metric_shows(&s->model.metrics.data[m]);
			add_spelling(s, &item, &table);
		}
	splits_possible(&s->model, add_offer, &(struct offered){ s, &table });
	for (uint32_t r = 0; r < s->model.ratios.len; r++)
		for (int f = 0; f < FLAVORS; f++)
			add_spelling(s,
				     &(struct metric_item){ .field = FIELD_RATIO,
							    .flavor = (enum flavor)f,
							    .metric = r,
							    .show = SHOW_TIME },
				     &table);
	for (int f = FIELD_NAME; f < METRIC_FIELDS; f++)
		add_spelling(s, &(struct metric_item){ .field = (enum metric_field)f },
			     &table);
	return session_show(s, &table);
}

static int run_metric_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct sort_key sort = session_sort(s);
	int error = show_metrics(s, "metrics_shown", &s->set.metrics, &sort);

	(void)argc;
	(void)argv;
	if (!error)
		error = show_available(s);
	return command_shown(s, error, err);
}

const struct cmd cmd_metric_list = {
	.name = "metric_list",
	.args = "",
	.help = "the metrics shown, and those available",
	.group = GROUP_FIND,
	.run = run_metric_list,
};

/* The displayed ones of view_items. */
static int run_cmetric_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct metric_list items, seen = { 0 };
	struct sort_key sort;
	int error;

	(void)argc;
	(void)argv;
	view_items(s, VIEW_FLAVOR(ATTRIBUTED), &items);
	sort = view_order(s, &items, VIEW_FIELD(FIELD_NAME));
	vec_for_each(const struct metric_item, item, &items)
		if (item->field == FIELD_NAME ||
		    (metric_item_is_value(item) && item->show))
			*vec_push(&seen) = *item;
	error = show_metrics(s, "cmetrics_shown", &seen, &sort);
	vec_release(&items);
	vec_release(&seen);
	return command_shown(s, error, err);
}

const struct cmd cmd_cmetric_list = {
	.name = "cmetric_list",
	.args = "",
	.help = "the metrics of callers-callees",
	.group = GROUP_FIND,
	.run = run_cmetric_list,
};
