/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/state_columns.h"

static const struct {
	const char *key, *title;
	char letter;
} states[EXP_STATES] = {
	[EXP_STATE_WAIT] = { "wait_ns", "Wait CPU", 'w' },
	[EXP_STATE_LOCK] = { "lock_ns", "User Lock", 'L' },
	[EXP_STATE_DATAFAULT] = { "datafault_ns", "Data Fault", 'f' },
	[EXP_STATE_TEXTFAULT] = { "textfault_ns", "Text Fault", 't' },
	[EXP_STATE_PAGEFAULT] = { "pagefault_ns", "Other Fault", 'm' },
	[EXP_STATE_STOPPED] = { "stopped_ns", "Stopped", 'T' },
	[EXP_STATE_SLEEP] = { "sleep_ns", "Sleep", 's' },
	[EXP_STATE_DISK] = { "disk_ns", "Disk", 'd' },
	[EXP_STATE_NETWORK] = { "network_ns", "Network", 'n' },
	[EXP_STATE_PIPE] = { "pipe_ns", "Pipe", 'p' },
	[EXP_STATE_POLL] = { "poll_ns", "Poll", 'o' },
	[EXP_STATE_CHILD] = { "child_ns", "Child", 'c' },
	[EXP_STATE_TIMER] = { "timer_ns", "Timer", 'i' },
	[EXP_STATE_OTHER] = { "otherwait_ns", "Other", '?' },
	[EXP_STATE_UNKNOWN] = { "unknown_ns", "Unknown", 'x' },
};

const char *state_title(enum exp_state state)
{
	return states[state].title;
}

char state_letter(enum exp_state state)
{
	return states[state].letter;
}

const char *state_name(enum exp_state state)
{
	return exp_states[state].name;
}

void ns_column(struct table *table, const char *key, const char *title)
{
	struct column *column;

	table_column(table, key, title, COLUMN_REAL);
	column = &table->columns.data[table->columns.len - 1];
	column->seconds = 1e-9;
	column->digits = 3;
}

void state_columns(struct table *table, const struct thread_time *all)
{
	ns_column(table, "life_ns", "Life");
	ns_column(table, "cpu_ns", "CPU");
	for (int s = 0; s < EXP_STATES; s++) {
		ns_column(table, states[s].key, states[s].title);
		table->columns.data[table->columns.len - 1].machine_only =
			!all->state_ns[s];
	}
}

void state_cells(struct table *table, const struct thread_time *time)
{
	table_add_real(table, (double)time->life_ns);
	table_add_real(table, (double)time->cpu_ns);
	for (int s = 0; s < EXP_STATES; s++)
		table_add_real(table, (double)time->state_ns[s]);
}

void state_note_filter(struct table *table, const struct model *model)
{
	if (!filter_is_set(&model->filter))
		return;
	strbuf_addf(&table->note, "%swhole lives of the threads that have samples with ",
		    table->note.len ? "; " : "");
	foreign_put(&table->note, foreign(model->filter.text));
}
