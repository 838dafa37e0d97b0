/* SPDX-License-Identifier: Apache-2.0 */
#include "export/export.h"

#include "render/render.h"
#include "rows/view.h"

static const enum flavor flavors[] = { EXCLUSIVE, INCLUSIVE };

#define FLAVOR_COUNT (sizeof(flavors) / sizeof(flavors[0]))

static void add_columns(const struct session *s, struct table *table)
{
	table_column(table, "id", "Id", COLUMN_NUMBER);
	table_column(table, "parent", "Parent", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_column(table, "object", "Object", COLUMN_TEXT);
	for (uint32_t m = 0; m < s->model.metrics.len; m++)
		for (size_t f = 0; f < FLAVOR_COUNT; f++)
			view_column(
				s,
				&(struct metric_item){
					.flavor = flavors[f],
					.metric = m,
					.show = metric_shows(&s->model.metrics.data[m]),
				},
				table);
}

struct nodes {
	struct session *session;
	const struct tree *tree;
};

static void add_node(void *ctx, size_t n, struct table *table)
{
	const struct nodes *nodes = ctx;
	struct session *s = nodes->session;
	const struct tree *tree = nodes->tree;
	const struct tree_node *node = &tree->nodes.data[n];
	const struct function *f = n == TREE_ROOT
					   ? NULL
					   : &s->model.functions.data[node->function];

	table_add_number(table, n);
	if (f)
		table_add_number(table, node->parent);
	else
		table_add_absent(table);
	table_add_text(table, f ? session_function(s, node->function) : "<Total>");
	table_add_text(table, f ? object_path(&s->model, f->object) : "");
	for (uint32_t m = 0; m < s->model.metrics.len; m++) {
		const struct metric *metric = &s->model.metrics.data[m];

		table_add_estimate(
			table, estimate_of(metric, tree_own(tree, m)[n], metric->total));
		table_add_estimate(table, f ? estimate_of(metric, tree_total(tree, m)[n],
							  metric->total)
					    : estimate_total(metric));
	}
}

static void write_csv(struct session *s, struct stream *out)
{
	struct nodes nodes = { s, &session_analysis(s, ANALYSIS_TREE)->tree };
	struct table table = {
		.source = { .add = add_node,
			    .ctx = &nodes,
			    .rows = nodes.tree->nodes.len },
	};

	add_columns(s, &table);
	render_csv(&table, ',', out);
	table_release(&table);
}

const struct export_format export_csv = {
	.write = write_csv,
};
