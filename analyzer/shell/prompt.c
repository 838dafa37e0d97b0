/* SPDX-License-Identifier: Apache-2.0 */
#include "shell/prompt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <editline/readline.h>

#include "base/cache_dir.h"
#include "shell/command.h"
#include "shell/complete.h"
#include "shell/greeting.h"
#include "shell/script.h"
#include "views/views.h"
#include "base/xalloc.h"

#define HISTORY_MAX 1000

/* Makes missing directories above PATH, only for this user. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/*
 * The path of the history; NULL if there is no home or it is another user's.  The caller
 * frees it.
 */
static char *history_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *path = NULL;

	if (state && *state == '/')
		path = xasprintf("%s/ringprof/history", state);
	else if (home && *home == '/')
		path = xasprintf("%s/.local/state/ringprof/history", home);
	if (path && !cache_is_own_place(path)) {
		free(path);
		return NULL;
	}
	if (path)
		make_folders(path);
	return path;
}

/* Readline's callbacks take no argument for us. */
static struct {
	struct session *session; /* of the prompt */
	struct completions found;
} completing;

static char *next_completion(const char *text, int state)
{
	(void)text;
	if ((size_t)state >= completing.found.list.len)
		return NULL;
	return strdup(completing.found.list.data[state]);
}

/* Nothing found: readline completes files. */
static char **complete(const char *text, int start, int end)
{
	char *line = xstrndup(rl_line_buffer, (size_t)end);
	char **all = NULL;

	completions_find(&completing.found, completing.session, line, (size_t)start);
	if (completing.found.list.len)
		all = rl_completion_matches(text, next_completion);
	completions_release(&completing.found);
	free(line);
	return all;
}

static void run_line(struct session *s, const char *line)
{
	struct strbuf err = { 0 };
	const struct cmd *cmd = NULL;
	int status, error;

	progress_init(&s->progress);
	status = script_line(s, line, &cmd, &err);
	if (!status)
		status = compare_finish(s, &err);
	progress_end(&s->progress);
	error = command_end_page(s);
	if (!status)
		status = command_shown(s, error, &err);
	if (status)
		command_mistaken(s, cmd, status, strbuf_str(&err));
	/* they were seen; a document that begins later is not about them */
	if (s->out.mode != PRINT_JSON)
		mistakes_clear(&s->out.mistakes);
	strbuf_release(&err);
}

static void wake(int signal)
{
	(void)signal; /* having a handler ends the read, not er_print */
}

/*
 * The next line; NULL with *CANCELLED after Ctrl-C, else at the end.  The caller frees
 * it.
 */
static char *next_line(bool *cancelled)
{
	struct sigaction action = { .sa_handler = wake }, before;
	char *line;

	sigaction(SIGINT, &action, &before);
	errno = 0;
	line = readline("(er_print) ");
	*cancelled = !line && errno == EINTR;
	sigaction(SIGINT, &before, NULL);
	return line;
}

/* Reads lines and runs them until the last. */
static void converse(struct session *s, const char *history)
{
	bool cancelled = false;
	char *line;

	while (!s->quit && ((line = next_line(&cancelled)) || cancelled)) {
		if (cancelled) {
			putchar('\n');
			continue;
		}
		if (*line)
			add_history(line);
		/* at once, as Ctrl-C may end an answer */
		if (*line && history)
			write_history(history);
		run_line(s, line);
		free(line);
	}
}

static void greet(const struct session *s)
{
	struct strbuf text = { 0 };

	greeting_put(s, &text);
	fputs(text.data, stdout);
	strbuf_release(&text);
}

void prompt_run(struct session *s)
{
	static char words_end[] = " \t"; /* kept by readline, which may not change it */
	char *history = history_path();
	int before = s->exit_status;

	rl_readline_name = "er_print";
	completing.session = s;
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = words_end;
	rl_completer_word_break_characters = words_end;
	using_history();
	stifle_history(HISTORY_MAX);
	if (history)
		read_history(history);
	greet(s);
	converse(s, history);
	free(history);
	s->exit_status = before; /* the user saw what failed here */
}
