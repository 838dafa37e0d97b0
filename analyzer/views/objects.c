/* SPDX-License-Identifier: Apache-2.0 */
/* objects: programs, libraries and the kernel, with their metrics. */
#include <stdlib.h>

#include "rows/compare_table.h"
#include "rows/view.h"
#include "views/views.h"
#include "base/xalloc.h"

/*
 * Sums by object; a sample counts once, however many of the object's functions are in the
 * stack.
 */
static void sum_objects(struct session *s, struct sums *out)
{
	struct frame_map frames;
	uint32_t *of_function;

	session_shown(s, &frames);
	of_function = xcalloc(frames.groups + 1, sizeof(*of_function));
	for (size_t f = 0; f < frames.groups; f++)
		of_function[f] = s->model.functions.data[f].object;
	sums_build_grouped(out, &s->model, &frames, of_function, s->model.objects.len,
			   false);
	frame_map_release(&frames);
	free(of_function);
}

/* The source of a row's values; OBJECT MODEL_NONE: <Total>. */
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
	const struct view_row row = { .value = value_of,
				      .row = &values,
				      .total = object == MODEL_NONE };

	view_cells(s, items, &row, table);
	table_add_text(table,
		       object == MODEL_NONE ? "<Total>" : object_path(&s->model, object));
}

/* ---- compared ---- */

struct object_rows {
	struct session *session;
	struct counterparts parts;
};

static void add_object_column(struct table *table)
{
	table_column(table, "object", "Object", COLUMN_TEXT);
}

static void add_object_cell(void *ctx, uint32_t row, struct table *table)
{
	const struct object_rows *rows = ctx;

	table_add_text(table, row == COMPARED_TOTAL
				      ? "<Total>"
				      : object_path(&rows->session->model,
						    rows->parts.first.data[row]));
}

static const struct compare_view compared = {
	.key = "compare_objects",
	.title = "Objects",
	.flavors = VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE),
	.columns = add_object_column,
	.cells = add_object_cell,
};

static bool *machine_objects(const struct object_rows *rows)
{
	size_t count = counterparts_rows(&rows->parts);
	bool *machine = xcalloc(count + 1, sizeof(*machine));

	for (size_t r = 0; r < count; r++)
		machine[r] = object_is_machine(&rows->session->model,
					       rows->parts.first.data[r]);
	return machine;
}

static int compare_objects(struct session *s, struct strbuf *err)
{
	struct object_rows rows = { .session = s };
	struct counterparts functions;
	struct frame_map frames;
	struct sums sums;
	uint32_t *of_row;
	int status;

	session_shown_apart(s, &functions, &frames);
	counterparts_objects(&rows.parts, &s->model);
	of_row = xcalloc(functions.first.len + 1, sizeof(*of_row));
	for (size_t r = 0; r < functions.first.len; r++) {
		uint32_t function = functions.first.data[r];

		of_row[r] = rows.parts.row.data[s->model.functions.data[function].object];
	}
	sums_build_grouped(&sums, &s->model, &frames, of_row,
			   counterparts_rows(&rows.parts), true);
	sums.machine = machine_objects(&rows);
	status = compare_rows_show(s, &compared, &sums, &rows, err);
	sums_release(&sums);
	frame_map_release(&frames);
	counterparts_release(&functions);
	counterparts_release(&rows.parts);
	free(of_row);
	return status;
}

/* ---- the view ---- */

static int show_objects(struct session *s, struct strbuf *err)
{
	struct table table = { .key = "objects" };
	struct metric_list items;
	struct sort_key sort;
	struct sums sums;
	struct ranks ranks;

	sum_objects(s, &sums);
	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &items);
	sort = view_order(s, &items, VIEW_FIELD(FIELD_NAME));
	rank_objects(s, &sums, &sort, &ranks);
	table_set_title(&table, view_title(s, "Objects", &sort));
	view_columns(s, &items, &table);
	table_column(&table, "object", "Object", COLUMN_TEXT);
	add_row(s, &sums, &items, MODEL_NONE, &table);
	for (size_t i = 0; i < ranks.len && (!s->set.limit || i < s->set.limit); i++)
		add_row(s, &sums, &items, ranks.data[i].id, &table);
	vec_release(&items);
	vec_release(&ranks);
	sums_release(&sums);
	return command_show(s, &table, err);
}

static int run_objects(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return s->set.compare ? compare_objects(s, err) : show_objects(s, err);
}

const struct cmd cmd_objects = {
	.name = "objects",
	.args = "",
	.help = "programs, libraries and the kernel with their metrics",
	.run = run_objects,
};
