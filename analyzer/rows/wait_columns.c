/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/wait_columns.h"

#include "rows/state_columns.h"
#include "rows/view.h"

/* ---- numbers ---- */

static void ms_column(struct table *table, const char *key, const char *title)
{
	ns_column(table, key, title);
	table->columns.data[table->columns.len - 1].seconds = 1e-6;
}

static void add_mean(struct table *table, uint64_t sum_ns, uint64_t count)
{
	if (count)
		table_add_real(table, (double)sum_ns / (double)count);
	else
		table_add_absent(table);
}

static void first_columns(struct table *table)
{
	ns_column(table, "total_ns", "Total s");
	table_column(table, "percent", "% of life", COLUMN_REAL);
	table->columns.data[table->columns.len - 1].digits = 2;
	table_column(table, "count", "Waits", COLUMN_NUMBER);
	ms_column(table, "mean_ns", "Mean ms");
}

void wait_sum_columns(struct table *table)
{
	first_columns(table);
	ms_column(table, "longest_ns", "Longest ms");
}

void wait_number_columns(struct table *table)
{
	first_columns(table);
	ms_column(table, "p50_ns", "50 % ms");
	ms_column(table, "p95_ns", "95 % ms");
	ms_column(table, "p99_ns", "99 % ms");
	ms_column(table, "longest_ns", "Longest ms");
}

static void add_sum(struct table *table, uint64_t sum_ns, uint64_t count,
		    uint64_t life_ns)
{
	double life = (double)life_ns;

	table_add_real(table, (double)sum_ns);
	table_add_real(table, life > 0 ? 100 * (double)sum_ns / life : 0);
	table_add_number(table, count);
}

void wait_whole_cells(struct table *table, uint64_t sum_ns, uint64_t count,
		      uint64_t life_ns)
{
	add_sum(table, sum_ns, count, life_ns);
	add_mean(table, sum_ns, count);
	for (int i = 0; i < 4; i++)
		table_add_absent(table);
}

void wait_sum_cells(struct table *table, uint64_t sum_ns, uint64_t count,
		    uint64_t longest_ns, uint64_t life_ns)
{
	add_sum(table, sum_ns, count, life_ns);
	add_mean(table, sum_ns, count);
	if (longest_ns)
		table_add_real(table, (double)longest_ns);
	else
		table_add_absent(table);
}

void wait_number_cells(struct table *table, const struct durations *d, uint64_t life_ns)
{
	add_sum(table, d->sum_ns, d->count, life_ns);
	table_add_real(table, (double)d->sum_ns / (double)d->count);
	table_add_real(table, (double)durations_quantile(d, 50));
	table_add_real(table, (double)durations_quantile(d, 95));
	table_add_real(table, (double)durations_quantile(d, 99));
	table_add_real(table, (double)d->longest_ns);
}

/* ---- places ---- */

void wait_place_columns(struct table *table)
{
	table_name_column(table, COLUMN_TEXT);
	table_column(table, "object", "Object", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_TEXT);
}

void wait_no_place_cells(const char *name, struct table *table)
{
	table_add_text(table, name);
	table_add_absent(table);
	table_add_absent(table);
}

void wait_place_cells(struct session *s, uint32_t place, struct table *table)
{
	const struct model *model = &s->model;

	if (place == WAIT_ALL_PLACES) {
		wait_no_place_cells(WAIT_ALL_PLACES_NAME, table);
		return;
	}
	table_add_text(table, session_function(s, place));
	table_add_text(table, object_name(model, model->functions.data[place].object));
	view_function_id(s, place, table);
}

/* ---- wakers ---- */

/* In the column of who it was; threads of the recording have their names there. */
static const char *const kinds[EXP_WAKER_KINDS] = {
	[EXP_WAKER_OF_RECORDING] = "thread",
	[EXP_WAKER_OUTSIDE] = "outside",
	[EXP_WAKER_TIMER] = "timer",
	[EXP_WAKER_INTERRUPT] = "interrupt",
};

enum { WAKER_COLUMNS = 5 };

void waker_columns(struct table *table, bool shown)
{
	const size_t first = table->columns.len;

	table_column(table, "waker", "Ended by", COLUMN_TEXT);
	table_column(table, "waker_function", "In", COLUMN_TEXT);
	table->columns.data[first].machine_only = !shown;
	table->columns.data[first + 1].machine_only = !shown;
	table->columns.data[first + 1].names = true;
	table_machine_column(table, "waker_kind", COLUMN_TEXT);
	table_machine_column(table, "waker_object", COLUMN_TEXT);
	table_machine_column(table, "waker_id", COLUMN_TEXT);
}

void waker_cells(struct session *s, const struct wakers *wakers, uint32_t waker,
		 struct table *table)
{
	const struct waker_like *like;

	if (waker == WAKER_UNKNOWN) {
		for (int i = 0; i < WAKER_COLUMNS; i++)
			table_add_absent(table);
		return;
	}
	like = &wakers->rows.data[waker];
	if (like->kind == EXP_WAKER_OF_RECORDING) {
		table_add_text(table, strtab_get(&wakers->names, like->name));
		table_add_text(table, session_function(s, like->place));
		table_add_text(table, kinds[like->kind]);
		table_add_text(table,
			       object_name(&s->model,
					   s->model.functions.data[like->place].object));
		view_function_id(s, like->place, table);
		return;
	}
	table_add_text(table, kinds[like->kind]);
	table_add_absent(table);
	table_add_text(table, kinds[like->kind]);
	table_add_absent(table);
	table_add_absent(table);
}

/* ---- notes ---- */

/* The row with the most that was set aside. */
static const struct wait_row *find_idlest(const struct wait_sums *sums)
{
	const struct wait_row *most = NULL;

	vec_for_each(const struct wait_row, row, &sums->rows)
		if (row->idle_ns && (!most || row->idle_ns > most->idle_ns))
			most = row;
	return most;
}

/* Where the idle ones waited, most of all. */
static void note_idle(struct session *s, const struct wait_sums *sums,
		      const char *command, struct strbuf *note)
{
	const struct wait_row *most = find_idlest(sums);

	if (!most)
		return;
	strbuf_addf(
		note,
		"<Idle>: %llu thread%s waited in one place for at least %d %% of %s, ",
		(unsigned long long)sums->idle_threads, sums->idle_threads > 1 ? "s" : "",
		IDLE_PERCENT, sums->idle_threads > 1 ? "their lives" : "its life");
	strbuf_addf(note, "%sin state %s below ",
		    sums->idle_ns > most->idle_ns ? "mostly " : "",
		    state_name(most->state));
	foreign_put(note, foreign(session_function(s, most->place)));
	strbuf_addf(note, "; '%s all' shows %s", command,
		    sums->idle_threads > 1 ? "them" : "it");
}

static void note_filter(const struct session *s, struct strbuf *note)
{
	if (!filter_is_set(&s->model.filter))
		return;
	strbuf_addstr(note, note->len ? "; filter: " : "filter: ");
	foreign_put(note, foreign(s->model.filter.text));
}

void wait_notes(struct session *s, const struct wait_sums *sums, const char *command,
		struct table *table)
{
	note_idle(s, sums, command, &table->note);
	note_filter(s, &table->note);
}
