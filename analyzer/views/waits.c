/* SPDX-License-Identifier: Apache-2.0 */
/* waits, locks: what threads waited for, by cause and place. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/wait_sums.h"
#include "rows/state_columns.h"
#include "rows/view.h"
#include "views/views.h"

struct waits {
	struct session *session;
	const struct wait_sums *sums;
	struct table table;
};

/* ---- columns ---- */

static void ms_column(struct table *table, const char *key, const char *title)
{
	ns_column(table, key, title);
	table->columns.data[table->columns.len - 1].seconds = 1e-6;
}

static void add_columns(struct table *table)
{
	ns_column(table, "total_ns", "Total s");
	table_column(table, "percent", "% of life", COLUMN_REAL);
	table->columns.data[table->columns.len - 1].digits = 2;
	table_column(table, "count", "Waits", COLUMN_NUMBER);
	ms_column(table, "mean_ns", "Mean ms");
	ms_column(table, "p50_ns", "50 % ms");
	ms_column(table, "p95_ns", "95 % ms");
	ms_column(table, "p99_ns", "99 % ms");
	ms_column(table, "longest_ns", "Longest ms");
	table_column(table, "state", "State", COLUMN_TEXT);
	table_name_column(table, COLUMN_TEXT);
	table_column(table, "object", "Object", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_TEXT);
}

static void add_sum(struct waits *w, uint64_t sum_ns, uint64_t count)
{
	double life = (double)w->sums->life_ns;

	table_add_real(&w->table, (double)sum_ns);
	table_add_real(&w->table, life > 0 ? 100 * (double)sum_ns / life : 0);
	table_add_number(&w->table, count);
}

/* A row that is no place. */
static void add_whole(struct waits *w, const char *name, uint64_t sum_ns, uint64_t count)
{
	add_sum(w, sum_ns, count);
	if (count)
		table_add_real(&w->table, (double)sum_ns / (double)count);
	else
		table_add_absent(&w->table);
	for (int i = 0; i < 4; i++)
		table_add_absent(&w->table);
	table_add_absent(&w->table);
	table_add_text(&w->table, name);
	table_add_absent(&w->table);
	table_add_absent(&w->table);
}

static void add_place(struct waits *w, uint32_t place)
{
	const struct model *model = &w->session->model;
	struct table *table = &w->table;

	if (place == WAIT_ALL_PLACES) {
		table_add_text(table, WAIT_ALL_PLACES_NAME);
		table_add_absent(table);
		table_add_absent(table);
		return;
	}
	table_add_text(table, session_function(w->session, place));
	table_add_text(table, object_name(model, model->functions.data[place].object));
	view_function_id(w->session, place, table);
}

static void add_row(struct waits *w, const struct wait_row *row)
{
	const struct durations *d = &row->durations;
	struct table *table = &w->table;

	add_sum(w, d->sum_ns, d->count);
	table_add_real(table, (double)d->sum_ns / (double)d->count);
	table_add_real(table, (double)durations_quantile(d, 50));
	table_add_real(table, (double)durations_quantile(d, 95));
	table_add_real(table, (double)durations_quantile(d, 99));
	table_add_real(table, (double)d->longest_ns);
	table_add_text(table, state_name(row->state));
	add_place(w, row->place);
}

/* ---- rows ---- */

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
static void note_idle(struct waits *w, const char *command)
{
	const struct wait_sums *sums = w->sums;
	const struct wait_row *most = find_idlest(sums);
	struct strbuf *note = &w->table.note;

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
	foreign_put(note, foreign(session_function(w->session, most->place)));
	strbuf_addf(note, "; '%s all' shows %s", command,
		    sums->idle_threads > 1 ? "them" : "it");
}

static void note_filter(struct waits *w)
{
	if (!filter_is_set(&w->session->model.filter))
		return;
	strbuf_addstr(&w->table.note, w->table.note.len ? "; filter: " : "filter: ");
	foreign_put(&w->table.note, foreign(w->session->model.filter.text));
}

static void fill(struct waits *w, const char *command)
{
	size_t limit = w->session->set.limit;

	add_columns(&w->table);
	add_whole(w, "<Total>", w->sums->sum_ns, w->sums->waits);
	if (w->sums->idle_waits)
		add_whole(w, "<Idle>", w->sums->idle_ns, w->sums->idle_waits);
	for (size_t i = 0; i < w->sums->rows.len && (!limit || i < limit); i++)
		if (w->sums->rows.data[i].durations.count)
			add_row(w, &w->sums->rows.data[i]);
	note_idle(w, command);
	note_filter(w);
}

/* ---- the commands ---- */

struct wait_view {
	const char *command, *title;
	unsigned states;
};

static int run(struct session *s, const struct wait_view *view, int argc, char **argv,
	       struct strbuf *err)
{
	struct waits w = { .session = s };
	struct frame_map frames;
	struct wait_sums sums;

	if (argc && strcmp(argv[0], "all") != 0) {
		strbuf_addf(err, "%s takes no argument, or 'all', not '%s'",
			    view->command, argv[0]);
		return CMD_USAGE;
	}
	if (!model_has_lives(&s->model, err))
		return CMD_FAILED;
	session_frames(s, &frames);
	wait_sums_read(&sums, &s->model, &frames, view->states, argc);
	frame_map_release(&frames);
	wait_sums_sort(&sums);
	w.sums = &sums;
	w.table.key = view->command;
	table_set_title(&w.table, xstrdup(view->title));
	fill(&w, view->command);
	wait_sums_release(&sums);
	return command_show(s, &w.table, err);
}

static int run_waits(struct session *s, int argc, char **argv, struct strbuf *err)
{
	static const struct wait_view view = { "waits", "Waits by cause and place",
					       WAIT_STATES };

	return run(s, &view, argc, argv, err);
}

static int run_locks(struct session *s, int argc, char **argv, struct strbuf *err)
{
	static const struct wait_view view = { "locks", "Waits for locks by place",
					       1U << EXP_STATE_LOCK };

	return run(s, &view, argc, argv, err);
}

const struct cmd cmd_waits = {
	.name = "waits",
	.args = "[WHICH]",
	.help = "what threads waited for, by cause and place",
	.values = "all",
	.example = "waits all",
	.run = run_waits,
	.comparable = "functions",
};

const struct cmd cmd_locks = {
	.name = "locks",
	.args = "[WHICH]",
	.help = "where threads waited for locks",
	.values = "all",
	.example = "locks all",
	.run = run_locks,
	.comparable = "functions",
};
