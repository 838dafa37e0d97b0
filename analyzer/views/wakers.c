/* SPDX-License-Identifier: Apache-2.0 */
/* wakers: who ended waits, and where. */
#include <inttypes.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/wake_sums.h"
#include "rows/state_columns.h"
#include "rows/wait_columns.h"
#include "views/views.h"

/* ---- columns ---- */

static void add_columns(struct table *table)
{
	wait_sum_columns(table);
	table_column(table, "state", "State", COLUMN_TEXT);
	wait_place_columns(table);
	waker_columns(table, true);
}

/* ---- rows ---- */

static void add_whole(struct session *s, struct table *table, const char *name,
		      uint64_t sum_ns, uint64_t count, uint64_t life_ns)
{
	wait_sum_cells(table, sum_ns, count, 0, life_ns);
	table_add_absent(table);
	wait_no_place_cells(name, table);
	waker_cells(s, NULL, WAKER_UNKNOWN, table);
}

static void add_row(struct session *s, const struct wake_sums *sums,
		    const struct wake_row *row, struct table *table)
{
	wait_sum_cells(table, row->sum_ns, row->waits, row->longest_ns,
		       sums->waits.life_ns);
	table_add_text(table, state_name(row->state));
	wait_place_cells(s, row->place, table);
	waker_cells(s, &sums->wakers, row->waker, table);
}

static void note_unasked(const struct wake_sums *sums, struct strbuf *note)
{
	if (sums->unasked_waits)
		strbuf_addf(note,
			    "%s<Waker not known>: %" PRIu64 " of these waits are of "
			    "experiments without wakers",
			    note->len ? "; " : "", sums->unasked_waits);
}

static void fill(struct session *s, const struct wake_sums *sums, struct table *table)
{
	const struct wait_sums *waits = &sums->waits;
	size_t limit = s->set.limit;

	add_columns(table);
	add_whole(s, table, "<Total>", waits->sum_ns, waits->waits, waits->life_ns);
	if (waits->idle_waits)
		add_whole(s, table, "<Idle>", waits->idle_ns, waits->idle_waits,
			  waits->life_ns);
	if (sums->unknown_waits)
		add_whole(s, table, "<Waker not known>", sums->unknown_ns,
			  sums->unknown_waits, waits->life_ns);
	if (sums->beyond_waits)
		add_whole(s, table, "<Other wakers>", sums->beyond_ns, sums->beyond_waits,
			  waits->life_ns);
	for (size_t i = 0; i < sums->rows.len && (!limit || i < limit); i++)
		add_row(s, sums, &sums->rows.data[i], table);
	wait_notes(s, waits, "wakers", table);
	note_unasked(sums, &table->note);
}

/* ---- the command ---- */

static bool has_wakers(const struct model *model, struct strbuf *err)
{
	vec_for_each(const struct source, source, &model->sources)
		if (source_has_wakers(source))
			return true;
	strbuf_addstr(err,
		      "no wait has a known waker; they are recorded with: collect -w "
		      "wakers (as root: it reads the kernel's tracepoints)");
	return false;
}

static int run_wakers(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "wakers" };
	struct frame_map frames;
	struct wake_sums sums;

	if (argc && strcmp(argv[0], "all") != 0) {
		strbuf_addf(err, "wakers takes no argument, or 'all', not '%s'", argv[0]);
		return CMD_USAGE;
	}
	if (!model_has_lives(&s->model, err) || !has_wakers(&s->model, err))
		return CMD_FAILED;
	session_frames(s, &frames);
	wake_sums_read(&sums, &s->model, &frames, argc);
	frame_map_release(&frames);
	wake_sums_sort(&sums);
	table_set_title(&table, xstrdup("Waits by who ended them"));
	fill(s, &sums, &table);
	wake_sums_release(&sums);
	return command_show(s, &table, err);
}

const struct cmd cmd_wakers = {
	.name = "wakers",
	.args = "[WHICH]",
	.help = "who ended the waits of threads, and where",
	.values = "all",
	.example = "wakers all",
	.run = run_wakers,
	.comparable = "functions",
};
