/* SPDX-License-Identifier: Apache-2.0 */
/* printmode, json, outfile, appendfile: the form and destination of answers. */
#include <ctype.h>
#include <string.h>

#include "views/views.h"

static const struct {
	const char *word;
	enum print_mode mode;
} modes[] = { { "text", PRINT_TEXT },
	      { "html", PRINT_HTML },
	      { "json", PRINT_JSON },
	      { "csv", PRINT_CSV } };

#define MODES (sizeof(modes) / sizeof(modes[0]))

/* A mode by its word, or CSV by its separator; false if TEXT is neither. */
static bool parse_mode(const char *text, enum print_mode *mode, char *separator)
{
	for (size_t i = 0; i < MODES; i++)
		if (!strcmp(modes[i].word, text)) {
			*mode = modes[i].mode;
			*separator = ',';
			return true;
		}
	if (strlen(text) != 1 || isalnum((unsigned char)*text) || strchr("\"\r\n", *text))
		return false;
	*mode = PRINT_CSV;
	*separator = *text;
	return true;
}

/* Answers that wait in the old form are written before a new one begins. */
static int set_mode(struct session *s, enum print_mode mode, struct strbuf *err)
{
	int error = 0;

	if (mode != s->out.mode && (s->out.report || s->out.page))
		error = output_finish(&s->out, &s->model);
	s->out.mode = mode;
	return command_shown(s, error, err);
}

static int run_printmode(struct session *s, int argc, char **argv, struct strbuf *err)
{
	enum print_mode mode;

	(void)argc;
	if (parse_mode(argv[0], &mode, &s->out.separator))
		return set_mode(s, mode, err);
	strbuf_addf(err,
		    "printmode takes text, html, json, or a character to separate CSV "
		    "fields, not '%s'",
		    argv[0]);
	return CMD_USAGE;
}

const struct cmd cmd_printmode = {
	.name = "printmode",
	.args = "MODE",
	.help = "text, html, json, or a separator of CSV fields",
	.values = "text html json ,",
	.group = GROUP_EXPORT,
	.example = "printmode ,",
	.run = run_printmode,
	.alone = true,
	.setting = true,
};

static int run_json(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return set_mode(s, PRINT_JSON, err);
}

const struct cmd cmd_json = {
	.name = "json",
	.args = "",
	.help = "all answers as one JSON document",
	.group = GROUP_EXPORT,
	.run = run_json,
	.alone = true,
};

/* "-" is stdout, as elsewhere. */
static int redirect(struct session *s, const char *path, bool append, struct strbuf *err)
{
	const char *place = strcmp(path, "-") ? path : NULL;
	FILE *file;
	int error = output_open(place, append, &file);

	if (error) {
		strbuf_addf(err, "%s: %s; answers still go to %s", path, strerror(-error),
			    output_name(&s->out));
		return CMD_FAILED;
	}
	if (s->out.started || s->out.report || s->out.page)
		error = output_finish(&s->out, &s->model);
	if (error && place)
		fclose(file);
	if (error)
		return command_shown(s, error, err);
	error = output_redirect(&s->out, place, append, file);
	return command_shown(s, error, err);
}

static int run_outfile(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return redirect(s, argv[0], false, err);
}

const struct cmd cmd_outfile = {
	.name = "outfile",
	.args = "FILE",
	.help = "write following answers to FILE; -: standard output",
	.group = GROUP_EXPORT,
	.example = "outfile report.txt",
	.run = run_outfile,
	.alone = true,
};

static int run_appendfile(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return redirect(s, argv[0], true, err);
}

const struct cmd cmd_appendfile = {
	.name = "appendfile",
	.args = "FILE",
	.help = "append following answers to FILE",
	.group = GROUP_EXPORT,
	.example = "appendfile report.txt",
	.run = run_appendfile,
	.alone = true,
};
