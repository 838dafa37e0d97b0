/* SPDX-License-Identifier: Apache-2.0 */
/* objects: programs, libraries and the kernel, with their metrics. */
#include <stdlib.h>

#include "view.h"
#include "views.h"
#include "xalloc.h"

/* Sums by object, once a sample however many of its functions are in the stack. */
static void sum_objects(struct session *s, struct sums *out)
{
	const struct analysis *a = session_analysis(s);
	size_t functions = s->model.functions.len;
	uint32_t *of_function = xcalloc(functions + 1, sizeof(*of_function));
	struct lineage lineage;

	for (size_t f = 0; f < functions; f++)
		of_function[f] = s->model.functions.data[f].object;
	lineage_build(&lineage, &a->tree, of_function, s->model.objects.len);
	sums_build(out, &lineage, &a->tree);
	lineage_release(&lineage);
	free(of_function);
}

static void rank_objects(const struct session *s, const struct sums *sums,
			 struct ranks *out)
{
	struct sort_key sort = session_sort(s);

	*out = (struct ranks){ 0 };
	for (uint32_t o = 0; o < s->model.objects.len; o++) {
		struct rank rank = { .id = o, .name = object_path(&s->model, o) };
		bool any = false;

		for (size_t m = 0; m < s->model.metrics.len; m++)
			any |= sums_value(sums, INCLUSIVE, m, o).samples > 0;
		if (sort.by.field == FIELD_METRIC) {
			struct value v = sums_value(sums, sort.by.flavor, sort.by.metric,
						    o);

			rank.weight = v.weight;
			rank.samples = v.samples;
		}
		if (any)
			*vec_push(out) = rank;
	}
	ranks_sort(out, sort.reverse);
}

/* OBJECT MODEL_NONE: <Total>. */
static void add_row(const struct session *s, const struct sums *sums,
		    const struct metric_list *items, uint32_t object, struct table *table)
{
	bool is_total = object == MODEL_NONE;

	vec_for_each(const struct metric_item, item, items) {
		struct value whole, v;

		if (item->field != FIELD_METRIC)
			continue;
		whole = s->model.metrics.data[item->metric].total;
		v = is_total ? whole
			     : sums_value(sums, item->flavor, item->metric, object);
		table_add_estimate(table, view_estimate(s, item->metric, v, whole));
	}
	table_add_text(table, is_total ? "<Total>" : object_path(&s->model, object));
}

static int run_objects(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "objects" };
	struct metric_list items;
	struct sums sums;
	struct ranks ranks;

	(void)argc;
	(void)argv;
	sum_objects(s, &sums);
	rank_objects(s, &sums, &ranks);
	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &items);
	table.title = xstrdup("Objects");
	vec_for_each(const struct metric_item, item, &items)
		if (item->field == FIELD_METRIC)
			view_metric_column(s, item, &table);
	table_column(&table, "object", "Object", COLUMN_TEXT);
	add_row(s, &sums, &items, MODEL_NONE, &table);
	for (size_t i = 0; i < ranks.len && (!s->limit || i < s->limit); i++)
		add_row(s, &sums, &items, ranks.data[i].id, &table);
	vec_release(&items);
	vec_release(&ranks);
	sums_release(&sums);
	return command_status(session_show(s, &table), output_name(&s->out), err);
}

const struct cmd cmd_objects = {
	.name = "objects",
	.args = "",
	.help = "programs, libraries and the kernel with their metrics",
	.run = run_objects,
};
