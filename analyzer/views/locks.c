/* SPDX-License-Identifier: Apache-2.0 */
/* locks: where threads waited for locks, by the lock's address and place. */
#include <string.h>

#include "base/xalloc.h"
#include "model/lock_sums.h"
#include "rows/wait_columns.h"
#include "views/views.h"

struct locks {
	struct session *session;
	const struct lock_sums *sums;
	struct table *table;
};

/* ---- columns ---- */

/* Whether waits of several processes are shown. */
static bool has_processes(const struct lock_sums *sums)
{
	const struct lock_row *first = sums->rows.data;

	vec_for_each(const struct lock_row, row, &sums->rows)
		if (row->process != first->process || row->source != first->source)
			return true;
	return false;
}

static void number_column(struct table *table, const char *key, const char *title,
			  enum column_type type, bool shown)
{
	if (shown)
		table_column(table, key, title, type);
	else
		table_machine_column(table, key, type);
}

static void add_columns(struct locks *l)
{
	const bool known = l->sums->known_ns > l->sums->idle_known_ns;

	wait_number_columns(l->table);
	table_column(l->table, "threads", "Threads", COLUMN_NUMBER);
	number_column(l->table, "address", "Lock", COLUMN_HEX, known);
	number_column(l->table, "process", "Process", COLUMN_NUMBER,
		      has_processes(l->sums));
	wait_place_columns(l->table);
	waker_columns(l->table, l->sums->wakers.rows.len > 0);
	table_machine_column(l->table, "waker_ns", COLUMN_NUMBER);
	table_machine_column(l->table, "known_ns", COLUMN_NUMBER);
	table_machine_column(l->table, "experiment", COLUMN_NUMBER);
}

/* ---- rows ---- */

static void add_whole(struct locks *l, const char *name, uint64_t sum_ns, uint64_t count,
		      uint64_t threads, uint64_t known_ns)
{
	wait_whole_cells(l->table, sum_ns, count, l->sums->waits.life_ns);
	table_add_number(l->table, threads);
	table_add_absent(l->table);
	table_add_absent(l->table);
	wait_no_place_cells(name, l->table);
	waker_cells(l->session, NULL, WAKER_UNKNOWN, l->table);
	table_add_absent(l->table);
	table_add_number(l->table, known_ns);
	table_add_absent(l->table);
}

static void add_process(struct locks *l, const struct lock_row *row)
{
	const struct experiment *exp = l->session->model.sources.data[row->source].exp;

	if (row->process == LOCK_NO_PROCESS)
		table_add_absent(l->table);
	else
		table_add_number(l->table,
				 (uint64_t)exp->processes.data[row->process].pid);
}

static void add_row(struct locks *l, const struct lock_row *row)
{
	wait_number_cells(l->table, &row->durations, l->sums->waits.life_ns);
	table_add_number(l->table, row->threads);
	if (row->address)
		table_add_number(l->table, row->address);
	else
		table_add_absent(l->table);
	add_process(l, row);
	wait_place_cells(l->session, row->place, l->table);
	waker_cells(l->session, &l->sums->wakers, row->waker, l->table);
	if (row->waker == WAKER_UNKNOWN)
		table_add_absent(l->table);
	else
		table_add_number(l->table, row->waker_ns);
	table_add_number(l->table, row->known_ns);
	table_add_number(l->table, row->source + 1);
}

/* ---- notes ---- */

static void begin_note(struct strbuf *note)
{
	if (note->len)
		strbuf_addstr(note, "; ");
}

static void note_known(const struct lock_sums *sums, struct strbuf *note)
{
	if (!sums->waits.sum_ns)
		return;
	begin_note(note);
	strbuf_addf(note, "the lock's address is known for %.2f %% of the time",
		    100 * (double)sums->known_ns / (double)sums->waits.sum_ns);
	if (sums->any_beyond)
		strbuf_addf(note,
			    "; only the first %d locks and places have rows of their own",
			    LOCK_ROWS_MAX);
}

/* ---- the command ---- */

static void fill(struct locks *l)
{
	const struct lock_sums *sums = l->sums;
	const struct wait_sums *waits = &sums->waits;
	size_t limit = l->session->set.limit;

	add_columns(l);
	add_whole(l, "<Total>", waits->sum_ns, waits->waits, sums->threads,
		  sums->known_ns);
	if (waits->idle_waits)
		add_whole(l, "<Idle>", waits->idle_ns, waits->idle_waits,
			  waits->idle_threads, sums->idle_known_ns);
	for (size_t i = 0; i < sums->rows.len && (!limit || i < limit); i++)
		add_row(l, &sums->rows.data[i]);
	wait_notes(l->session, waits, "locks", l->table);
	note_known(sums, &l->table->note);
}

static int run_locks(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "locks" };
	struct frame_map frames;
	struct lock_sums sums;

	if (argc && strcmp(argv[0], "all") != 0) {
		strbuf_addf(err, "locks takes no argument, or 'all', not '%s'", argv[0]);
		return CMD_USAGE;
	}
	if (!model_has_lives(&s->model, err))
		return CMD_FAILED;
	session_frames(s, &frames);
	lock_sums_read(&sums, &s->model, &frames, argc);
	frame_map_release(&frames);
	lock_sums_sort(&sums);
	table_set_title(&table, xstrdup("Waits for locks by lock and place"));
	fill(&(struct locks){ s, &sums, &table });
	lock_sums_release(&sums);
	return command_show(s, &table, err);
}

const struct cmd cmd_locks = {
	.name = "locks",
	.args = "[WHICH]",
	.help = "which locks threads waited for, and where",
	.values = "all",
	.example = "locks all",
	.run = run_locks,
	.comparable = "functions",
};
