/* SPDX-License-Identifier: Apache-2.0 */
/* help, version, quit. */
#include "shell/command.h"
#include "config.h"

#include "views/views.h"

/* One row a command; those of a prefix, when one is given. */
static int run_help(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "help", .layout = LAYOUT_COLUMNS };
	const struct cmd *only = NULL;
	struct strbuf usage = { 0 };

	if (argc && command_find(argv[0], &only, err))
		return CMD_USAGE;
	table_column(&table, "command", "Command", COLUMN_TEXT);
	table_column(&table, "help", "What it does", COLUMN_TEXT);
	table_machine_column(&table, "values", COLUMN_TEXT);
	for (const struct cmd *const *cmd = commands; *cmd; cmd++) {
		if (only && *cmd != only)
			continue;
		strbuf_clear(&usage);
		strbuf_addf(&usage, "%s%s%s", (*cmd)->name, *(*cmd)->args ? " " : "",
			    (*cmd)->args);
		table_add_text(&table, usage.data);
		table_add_text(&table, (*cmd)->help);
		table_add_text(&table, (*cmd)->values ? (*cmd)->values : "");
	}
	strbuf_release(&usage);
	return command_show(s, &table, err);
}

const struct cmd cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.help = "describe all commands, or one",
	.run = run_help,
	.alone = true,
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
	.run = run_quit,
	.alone = true,
};
