/* SPDX-License-Identifier: Apache-2.0 */
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

#include "render/json_writer.h"
#include "base/vec.h"

/* ---- values ---- */

static void put_text(struct json_writer *w, const struct table *table,
		     const struct cell *cell)
{
	json_foreign(w, table_string(table, cell->text.at));
}

static void put_tree(struct json_writer *w, const struct table *table,
		     const struct cell *cell)
{
	json_foreign(w, table_string(table, cell->tree.at));
}

static void put_number(struct json_writer *w, const struct table *table,
		       const struct cell *cell)
{
	(void)table;
	json_unsigned(w, cell->number);
}

static void put_real(struct json_writer *w, const struct table *table,
		     const struct cell *cell)
{
	(void)table;
	json_number(w, cell->real);
}

static void (*const put_plain[])(struct json_writer *w, const struct table *table,
				 const struct cell *cell) = {
	[COLUMN_TEXT] = put_text,  [COLUMN_TREE] = put_tree, [COLUMN_NUMBER] = put_number,
	[COLUMN_HEX] = put_number, [COLUMN_REAL] = put_real,
};

/* Displayed as a ~; noted once for each value. */
static void put_measured(struct json_writer *w, const struct column *column,
			 const struct estimate *e)
{
	json_begin_object(w);
	json_key(w, "value");
	json_number(w, e->amount);
	if (column->type == COLUMN_ESTIMATE) {
		json_key(w, "percent");
		json_number(w, e->percent);
	}
	json_key(w, "samples");
	json_unsigned(w, e->samples);
	json_key(w, "low");
	json_bound(w, e->low, e->amount);
	json_key(w, "high");
	json_bound(w, e->high, e->amount);
	if (column->counted > 0) {
		json_key(w, "scaled");
		json_bool(w, true);
	}
	json_end(w);
}

static void put_value(struct json_writer *w, const struct table *table,
		      const struct column *column, const struct cell *cell)
{
	if (cell->absent)
		json_null(w);
	else if (column_is_measured(column))
		put_measured(w, column, &cell->estimate);
	else
		put_plain[column->type](w, table, cell);
}

/* ---- their places ---- */

#define AN_OBJECT SIZE_MAX

/* A member of a row: a column's value, or an object of further members. */
struct member {
	char *key;          /* in JSON's form */
	size_t column;      /* or AN_OBJECT */
	size_t first, next; /* its first member, the next beside it; 0: none */
};

/* The members of all rows; the first is the row. */
struct plan {
	VEC(struct member) members;
};

/* The member KEY of PARENT, made if there is none. */
static size_t member(struct plan *plan, size_t parent, struct foreign key, size_t column)
{
	struct strbuf quoted = { 0 };
	size_t last = 0, at;

	foreign_put_json(&quoted, key);
	for (at = plan->members.data[parent].first; at;
	     last = at, at = plan->members.data[at].next)
		if (!strcmp(plan->members.data[at].key, quoted.data))
			break;
	if (at) {
		strbuf_release(&quoted);
		plan->members.data[at].column = column;
		return at;
	}
	at = plan->members.len;
	*vec_push(&plan->members) = (struct member){ .key = strbuf_detach(&quoted),
						     .column = column };
	if (last)
		plan->members.data[last].next = at;
	else
		plan->members.data[parent].first = at;
	return at;
}

/*
 * The place of a column's value in a row: estimates are grouped, by flavor; ratios are
 * separate, since a reader may sum a group.
 */
static size_t place_of(struct plan *plan, const struct column *column)
{
	size_t at = 0;

	if (!column_is_measured(column))
		return at;
	if (column->group)
		at = member(plan, at, foreign(column->group), AN_OBJECT);
	if (column->type == COLUMN_RATIO)
		at = member(plan, at, foreign("ratios"), AN_OBJECT);
	return member(plan, at, foreign(flavor_names[column->flavor].word), AN_OBJECT);
}

static void make_plan(struct plan *plan, const struct table *table)
{
	*plan = (struct plan){ 0 };
	*vec_push(&plan->members) = (struct member){ .column = AN_OBJECT };
	for (size_t c = 0; c < table->columns.len; c++) {
		const struct column *column = &table->columns.data[c];

		member(plan, place_of(plan, column), column->key, c);
	}
}

static void plan_release(struct plan *plan)
{
	vec_for_each(struct member, m, &plan->members)
		free(m->key);
	vec_release(&plan->members);
}

/* ---- rows ---- */

/* An object, which may contain others; few levels. */
static void put_object(struct json_writer *w, const struct plan *plan, size_t object,
		       const struct table *table, const struct cell *row)
{
	size_t at = plan->members.data[object].first;

	json_begin_object(w);
	for (; at; at = plan->members.data[at].next) {
		const struct member *m = &plan->members.data[at];

		json_key_ready(w, m->key);
		if (m->column == AN_OBJECT)
			put_object(w, plan, at, table, row);
		else
			put_value(w, table, &table->columns.data[m->column],
				  &row[m->column]);
	}
	json_end(w);
}

void render_json(struct table *table, bool goes_on, struct stream *out)
{
	struct json_writer w = { .out = out, .style = &json_padded };
	struct plan plan;

	make_plan(&plan, table);
	for (size_t r = 0; r < table_rows(table) && stream_pass(out); r++) {
		if (goes_on || r)
			strbuf_addstr(&out->text, ",\n");
		put_object(&w, &plan, 0, table, table_row(table, r));
	}
	plan_release(&plan);
}
