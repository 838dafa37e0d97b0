/* SPDX-License-Identifier: Apache-2.0 */
#include "shell/command.h"
#include "shell/script.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "views/views.h"
#include "base/xalloc.h"

/* Scripts that run one another, and themselves. */
#define SCRIPT_DEPTH_MAX 16

struct words {
	char **data;
	size_t len, cap;
};

static void words_release(struct words *words)
{
	vec_for_each(char *, word, words)
		free(*word);
	vec_release(words);
}

/* One word at *AT, which is moved behind it.  False if a quote is not closed. */
static bool take_word(const char **at, struct strbuf *word)
{
	const char *p = *at;
	char quote = 0;

	strbuf_clear(word);
	strbuf_addstr(word, "");
	for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else
			strbuf_addch(word, *p);
	}
	*at = p;
	return !quote;
}

static int split(const char *line, struct words *words, struct strbuf *err)
{
	struct strbuf word = { 0 };
	int status = 0;

	for (;;) {
		line += strspn(line, " \t\r\n\v\f");
		if (!*line || *line == '#')
			break;
		if (!take_word(&line, &word)) {
			strbuf_addstr(err, "a quote is not closed");
			status = CMD_USAGE;
			break;
		}
		*vec_push(words) = xstrdup(strbuf_str(&word));
	}
	strbuf_release(&word);
	return status;
}

/* Old scripts also write the command line's dash before a command. */
static const char *without_dash(const char *word)
{
	return *word == '-' && word[1] ? word + 1 : word;
}

/* The rest of a line as one word, without the blanks around it. */
static void take_rest(const char *line, struct words *words)
{
	size_t len;

	line += strspn(line, " \t");
	len = strcspn(line, "\r\n");
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	if (len)
		*vec_push(words) = xstrndup(line, len);
}

/* The words of CMD before the one that is the rest of the line. */
static void take_but_last(const struct cmd *cmd, const char **line, struct words *words)
{
	int least, most;

	command_arity(cmd, &least, &most);
	for (int i = 1; i < most; i++) {
		struct strbuf word = { 0 };

		*line += strspn(*line, " \t");
		if (!**line || !take_word(line, &word)) {
			strbuf_release(&word);
			return;
		}
		*vec_push(words) = strbuf_detach(&word);
	}
}

/* The command at the start of LINE, if it takes the rest of the line; else NULL. */
static const struct cmd *verbatim_command(const char *line, struct words *words)
{
	struct strbuf word = { 0 }, ignored = { 0 };
	const struct cmd *cmd = NULL;

	line += strspn(line, " \t\r\n\v\f");
	if (take_word(&line, &word) &&
	    (command_find(without_dash(strbuf_str(&word)), &cmd, &ignored) ||
	     !cmd->verbatim))
		cmd = NULL;
	if (cmd) {
		*vec_push(words) = strbuf_detach(&word);
		take_but_last(cmd, &line, words);
		take_rest(line, words);
	}
	strbuf_release(&word);
	strbuf_release(&ignored);
	return cmd;
}

/* Whether LINE begins with an index object, which stands for indxobj before it. */
static bool begins_with_index(const struct session *s, const char *line)
{
	struct strbuf word = { 0 };
	bool is;

	line += strspn(line, " \t\r\n\v\f");
	is = take_word(&line, &word) &&
	     command_is_index(s, without_dash(strbuf_str(&word)));
	strbuf_release(&word);
	return is;
}

/*
 * The command of a line, and its WORDS, the first being the command; NULL: the line is
 * blank.
 */
static int parse_line(const struct session *s, const char *line, struct words *words,
		      const struct cmd **cmd, struct strbuf *err)
{
	bool index = begins_with_index(s, line);
	int status;

	*cmd = index ? NULL : verbatim_command(line, words);
	if (*cmd)
		return 0;
	if (index)
		*vec_push(words) = xstrdup(cmd_indxobj.name);
	status = split(line, words, err);
	if (status || !words->len)
		return status;
	if (index && *words->data[1] == '-')
		memmove(words->data[1], words->data[1] + 1, strlen(words->data[1]));
	return command_find(without_dash(words->data[0]), cmd, err);
}

int script_line(struct session *s, const char *line, const struct cmd **cmd,
		struct strbuf *err)
{
	struct words words = { 0 };
	int status = parse_line(s, line, &words, cmd, err);

	if (status)
		*cmd = NULL;
	else if (*cmd)
		status = command_run(s, *cmd, (int)words.len - 1, words.data + 1, err);
	words_release(&words);
	return status;
}

int script_setting(struct session *s, const char *line, struct strbuf *err)
{
	struct words words = { 0 };
	const struct cmd *cmd;
	int status = parse_line(s, line, &words, &cmd, err);

	if (!status && cmd && !cmd->setting) {
		strbuf_addf(err, "%s is not a setting: it does not belong here",
			    cmd->name);
		status = CMD_USAGE;
	} else if (!status && cmd && (cmd->alone || s->model.sources.len)) {
		status = command_run(s, cmd, (int)words.len - 1, words.data + 1, err);
	}
	words_release(&words);
	return status;
}

int script_check(const char *line, size_t len, struct strbuf *err)
{
	if (!memchr(line, '\0', len))
		return 0;
	strbuf_addstr(err, "there is a NUL byte in the line, which no command may have");
	return CMD_USAGE;
}

/* A line of a file: PLACE is its name and number.  0, or CMD_LOST with a sentence in ERR. */
static int run_line(struct session *s, const char *line, size_t len, const char *place,
		    struct strbuf *err)
{
	struct strbuf why = { 0 }, text = { 0 };
	const struct cmd *cmd = NULL;
	int status = script_check(line, len, &why);

	if (!status)
		status = script_line(s, line, &cmd, &why);
	strbuf_addf(&text, "%s: %s", place, strbuf_str(&why));
	if (status == CMD_LOST)
		strbuf_addstr(err, text.data);
	else if (status)
		command_mistaken(s, cmd, status, text.data);
	strbuf_release(&why);
	strbuf_release(&text);
	return status == CMD_LOST ? CMD_LOST : 0;
}

int script_run(struct session *s, FILE *file, const char *name, struct strbuf *err)
{
	struct strbuf place = { 0 };
	char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t len;
	int status = 0;

	while (!status && !s->quit && (len = getline(&line, &room, file)) >= 0) {
		strbuf_clear(&place);
		strbuf_addf(&place, "%s:%zu", name, ++number);
		status = run_line(s, line, (size_t)len, place.data, err);
	}
	if (!status && ferror(file))
		status = command_status(errno ? -errno : -EIO, name, err);
	free(line);
	strbuf_release(&place);
	return status;
}

static int run_script(struct session *s, int argc, char **argv, struct strbuf *err)
{
	FILE *file;
	int status;

	(void)argc;
	if (s->script_depth >= SCRIPT_DEPTH_MAX) {
		strbuf_addf(err, "%s: scripts are nested more than %d deep", argv[0],
			    SCRIPT_DEPTH_MAX);
		return CMD_LOST; /* each level may run the next more than once */
	}
	file = fopen(argv[0], "re");
	if (!file)
		return command_status(-errno, argv[0], err);
	s->script_depth++;
	status = script_run(s, file, argv[0], err);
	s->script_depth--;
	fclose(file);
	return status;
}

const struct cmd cmd_script = {
	.name = "script",
	.args = "FILE",
	.help = "run the commands in FILE, one per line",
	.group = GROUP_SET,
	.example = "script commands",
	.run = run_script,
	.alone = true,
};
