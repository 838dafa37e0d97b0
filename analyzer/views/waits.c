/* SPDX-License-Identifier: Apache-2.0 */
/* waits: what threads waited for, by cause and place. */
#include <string.h>

#include "base/xalloc.h"
#include "model/wait_sums.h"
#include "rows/state_columns.h"
#include "rows/wait_columns.h"
#include "views/views.h"

static void add_columns(struct table *table)
{
	wait_number_columns(table);
	table_column(table, "state", "State", COLUMN_TEXT);
	wait_place_columns(table);
}

/* A row that is no place. */
static void add_whole(struct table *table, const struct wait_sums *sums, const char *name,
		      uint64_t sum_ns, uint64_t count)
{
	wait_whole_cells(table, sum_ns, count, sums->life_ns);
	table_add_absent(table);
	wait_no_place_cells(name, table);
}

static void add_row(struct session *s, const struct wait_sums *sums,
		    const struct wait_row *row, struct table *table)
{
	wait_number_cells(table, &row->durations, sums->life_ns);
	table_add_text(table, state_name(row->state));
	wait_place_cells(s, row->place, table);
}

static void fill(struct session *s, const struct wait_sums *sums, struct table *table)
{
	size_t limit = s->set.limit;

	add_columns(table);
	add_whole(table, sums, "<Total>", sums->sum_ns, sums->waits);
	if (sums->idle_waits)
		add_whole(table, sums, "<Idle>", sums->idle_ns, sums->idle_waits);
	for (size_t i = 0; i < sums->rows.len && (!limit || i < limit); i++)
		if (sums->rows.data[i].durations.count)
			add_row(s, sums, &sums->rows.data[i], table);
	wait_notes(s, sums, "waits", table);
}

static int run_waits(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "waits" };
	struct frame_map frames;
	struct wait_sums sums;

	if (argc && strcmp(argv[0], "all") != 0) {
		strbuf_addf(err, "waits takes no argument, or 'all', not '%s'", argv[0]);
		return CMD_USAGE;
	}
	if (!model_has_lives(&s->model, err))
		return CMD_FAILED;
	session_frames(s, &frames);
	wait_sums_read(&sums, &s->model, &frames, WAIT_STATES, argc);
	frame_map_release(&frames);
	wait_sums_sort(&sums);
	table_set_title(&table, xstrdup("Waits by cause and place"));
	fill(s, &sums, &table);
	wait_sums_release(&sums);
	return command_show(s, &table, err);
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
