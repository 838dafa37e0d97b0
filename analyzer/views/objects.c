/* SPDX-License-Identifier: Apache-2.0 */
/* objects: programs, libraries and the kernel, with their metrics. */
#include <stdlib.h>

#include "views/view.h"
#include "views/views.h"
#include "base/xalloc.h"

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

/* Of which the values of a row are; OBJECT MODEL_NONE: <Total>. */
struct object_row {
	const struct session *session;
	const struct sums *sums;
	uint32_t object;
};

static struct value value_of(const void *object_row, enum flavor flavor, uint32_t metric)
{
	const struct object_row *row = object_row;

	if (row->object == MODEL_NONE)
		return row->session->model.metrics.data[metric].total;
	return sums_value(row->sums, flavor, metric, row->object);
}

static void rank_objects(const struct session *s, const struct sums *sums,
			 const struct sort_key *sort, struct ranks *out)
{
	*out = (struct ranks){ 0 };
	for (uint32_t o = 0; o < s->model.objects.len; o++) {
		struct rank rank = { .id = o, .name = object_path(&s->model, o) };
		const struct object_row values = { s, sums, o };
		const struct view_row row = { .value = value_of, .row = &values };
		bool any = false;

		for (size_t m = 0; m < s->model.metrics.len; m++)
			any |= value_is_any(sums_value(sums, INCLUSIVE, m, o));
		view_rank(s, &sort->by, &row, &rank);
		if (any)
			*vec_push(out) = rank;
	}
	ranks_sort(out, sort->reverse);
}

static void add_row(const struct session *s, const struct sums *sums,
		    const struct metric_list *items, uint32_t object, struct table *table)
{
	const struct object_row values = { s, sums, object };
	const struct view_row row = { .value = value_of, .row = &values };

	view_cells(s, items, &row, table);
	table_add_text(table,
		       object == MODEL_NONE ? "<Total>" : object_path(&s->model, object));
}

static int run_objects(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "objects" };
	struct metric_list items;
	struct sort_key sort;
	struct sums sums;
	struct ranks ranks;

	(void)argc;
	(void)argv;
	sum_objects(s, &sums);
	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &items);
	sort = view_order(s, &items, VIEW_FIELD(FIELD_NAME));
	rank_objects(s, &sums, &sort, &ranks);
	table_set_title(&table, view_title(s, "Objects", &sort));
	view_columns(s, &items, &table);
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
