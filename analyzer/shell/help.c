/* SPDX-License-Identifier: Apache-2.0 */
/* help, version, quit. */
#include "shell/command.h"
#include "shell/help.h"
#include "config.h"

#include "views/views.h"

static const struct {
	const char *word, *title;
} groups[CMD_GROUPS] = {
	[GROUP_LOOK] = { "look", "Look: everything, in rows" },
	[GROUP_FIND] = { "find", "Find: one function, and what there is" },
	[GROUP_FILTER] = { "filter", "Filter: what counts" },
	[GROUP_COMPARE] = { "compare", "Compare: two groups of runs" },
	[GROUP_EXPORT] = { "export", "Export: forms and files" },
	[GROUP_SET] = { "set", "Set: the look, the files, the session" },
};

/* The most used, in the order in which a recording is read. */
static const struct cmd *const most_used[] = {
	&cmd_overview, &cmd_functions, &cmd_calltree,
	&cmd_csingle,  &cmd_source,    &cmd_filters,
};

#define MOST_USED (sizeof(most_used) / sizeof(most_used[0]))

static bool is_most_used(const struct cmd *cmd)
{
	for (size_t i = 0; i < MOST_USED; i++)
		if (most_used[i] == cmd)
			return true;
	return false;
}

void help_walk(help_begin_fn *begin, help_command_fn *command, void *ctx)
{
	begin(ctx, "Most used");
	for (size_t i = 0; i < MOST_USED; i++)
		command(ctx, most_used[i]);
	for (int group = 0; group < CMD_GROUPS; group++) {
		begin(ctx, groups[group].title);
		for (const struct cmd *const *cmd = commands; *cmd; cmd++)
			if ((int)(*cmd)->group == group && !is_most_used(*cmd))
				command(ctx, *cmd);
	}
}

static void begin_group(void *ctx, const char *title)
{
	table_break(ctx, title);
}

static void add_command(void *ctx, const struct cmd *cmd)
{
	struct table *table = ctx;
	struct strbuf usage = { 0 };

	strbuf_addf(&usage, "%s%s%s", cmd->name, *cmd->args ? " " : "", cmd->args);
	table_add_text(table, usage.data);
	table_add_text(table, cmd->help);
	table_add_text(table, cmd->values ? cmd->values : "");
	table_add_text(table, cmd->example ? cmd->example : cmd->name);
	table_add_text(table, groups[cmd->group].word);
	strbuf_release(&usage);
}

/* The columns; of one command people see all of them. */
static void add_columns(struct table *table, bool one)
{
	table_column(table, "command", "Command", COLUMN_TEXT);
	table_column(table, "help", "What it does", COLUMN_TEXT);
	table_column(table, "values", "Values", COLUMN_TEXT);
	table_column(table, "example", "Example", COLUMN_TEXT);
	table_machine_column(table, "group", COLUMN_TEXT);
	table->columns.data[2].machine_only = !one;
	table->columns.data[3].machine_only = !one;
}

/* One row a command, by groups; or a record of the one named. */
static int run_help(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "help", .layout = LAYOUT_COLUMNS };
	const struct cmd *only = NULL;

	if (argc && command_find(argv[0], &only, err))
		return CMD_USAGE;
	add_columns(&table, only);
	if (only) {
		table.layout = LAYOUT_RECORDS;
		add_command(&table, only);
	} else {
		help_walk(begin_group, add_command, &table);
		strbuf_addstr(&table.note, "help COMMAND: with an example; on the "
					   "command line with a dash: -COMMAND");
	}
	return command_show(s, &table, err);
}

const struct cmd cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.help = "all commands, or one with an example",
	.group = GROUP_SET,
	.example = "help filters",
	.run = run_help,
	.alone = true,
	.names = true,
};

static int run_version(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = NULL, .layout = LAYOUT_FIELDS };

	(void)argc;
	(void)argv;
	table_column(&table, "program", "Program", COLUMN_TEXT);
	table_column(&table, "version", "Version", COLUMN_TEXT);
	table_add_text(&table, "er_print");
	table_add_text(&table, PACKAGE_VERSION);
	return command_show(s, &table, err);
}

const struct cmd cmd_version = {
	.name = "version",
	.args = "",
	.help = "the version of er_print",
	.group = GROUP_SET,
	.run = run_version,
	.alone = true,
};

static int run_quit(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	(void)err;
	s->quit = true;
	return 0;
}

const struct cmd cmd_quit = {
	.name = "quit",
	.args = "",
	.help = "end the session",
	.group = GROUP_SET,
	.run = run_quit,
	.alone = true,
};
