/* SPDX-License-Identifier: Apache-2.0 */
/* session_show: a table with the notes that its numbers need. */
#include "session/session.h"

static bool has_estimates(const struct table *table)
{
	vec_for_each(const struct column, column, &table->columns)
		if (column_is_measured(column))
			return true;
	return false;
}

/* Moves what a command found out about its arguments to the answer. */
static void note_arguments(struct session *s, struct table *table)
{
	if (!s->next_note.len)
		return;
	strbuf_addstr(&table->note, table->note.len ? "; " : "");
	foreign_put(&table->note, foreign(s->next_note.data));
	strbuf_clear(&s->next_note);
}

/* Notes that numbers are not from all samples. */
static void note_filter(const struct session *s, struct table *table)
{
	if (!filter_is_set(&s->model.filter) || !has_estimates(table))
		return;
	strbuf_addstr(&table->note, table->note.len ? "; filter: " : "filter: ");
	foreign_put(&table->note, foreign(s->model.filter.text));
}

/* Notes that numbers are of other samples than the user wanted. */
static void note_refused(const struct session *s, struct table *table)
{
	const char *before = table->note.len ? "; refused and not applied: "
					     : "refused and not applied: ";

	for (int i = SELECTS; i >= 0; i--) {
		if (!s->set.refused[i])
			continue;
		strbuf_addstr(&table->note, before);
		foreign_put(&table->note, foreign(s->set.refused[i]));
		before = ", ";
	}
}

/* Displayed, or a side of what is. */
static bool is_displayed(const struct column *column)
{
	return column_is_measured(column) && (column->show || column->group);
}

/* One displayed column represents all of its metric, or ratio, that were counted as long. */
static bool is_first_of_key(const struct table *table, size_t index)
{
	const struct column *column = &table->columns.data[index];

	for (size_t i = 0; i < index; i++)
		if (is_displayed(&table->columns.data[i]) &&
		    foreign_same(table->columns.data[i].key, column->key) &&
		    table->columns.data[i].counted == column->counted)
			return false;
	return true;
}

/* Whether the other side of a comparison was counted as long. */
static bool is_alike(const struct table *table, const struct column *column)
{
	for (size_t i = 0; i < table->columns.len; i++)
		if (is_displayed(&table->columns.data[i]) &&
		    foreign_same(table->columns.data[i].key, column->key) &&
		    table->columns.data[i].counted != column->counted)
			return false;
	return true;
}

/* Notes numbers that were not counted all the time. */
static void note_scaled(struct table *table)
{
	const char *before = table->note.len ? "; ~: " : "~: ";

	for (size_t i = 0; i < table->columns.len; i++) {
		const struct column *column = &table->columns.data[i];

		if (!is_displayed(column) || column->counted <= 0 ||
		    !is_first_of_key(table, i))
			continue;
		strbuf_addstr(&table->note, before);
		foreign_put(&table->note, column->key);
		if (!is_alike(table, column))
			strbuf_addf(&table->note, " (%s)", column->group);
		strbuf_addf(&table->note, " was counted %.1f %% of the time and scaled",
			    100 * column->counted);
		before = ", ";
	}
}

int session_show(struct session *s, struct table *table)
{
	int error;

	note_arguments(s, table);
	note_filter(s, table);
	note_scaled(table);
	note_refused(s, table);
	progress_end(&s->progress);
	s->out.style.whole_names = s->names.style == NAME_LONG;
	error = output_table(&s->out, &s->model, table);
	table_release(table);
	/* a pager owns the terminal until it ends */
	s->progress.watched &= !s->out.pager.file;
	return error;
}
