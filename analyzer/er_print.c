/* SPDX-License-Identifier: Apache-2.0 */
/* er_print: answers questions on recordings.  Here: the command line. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/command.h"
#include "shell/help.h"
#include "base/diag.h"
#include "base/program.h"
#include "session/experiments.h"
#include "shell/prompt.h"
#include "shell/rc.h"
#include "shell/script.h"
#include "session/session.h"
#include "base/streams.h"
#include "base/vec.h"
#include "views/views.h"
#include "base/xalloc.h"
#include "base/exit_status.h"

enum { EXIT_OK = 0, EXIT_INCREASED = 3 }; /* besides those of exit_status.h */

/* A command of the command line with its words, which are borrowed. */
struct call {
	char *word;            /* without dashes */
	const struct cmd *cmd; /* NULL: no such command, for the reason WHY */
	char *why;
	int argc;
	char **argv;
	bool done; /* before the experiments were read */
};

struct request {
	VEC(struct call) calls;
	VEC(char *) experiments;
	bool prompt; /* "-": commands from standard input */
	bool no_rc, no_pager, any_size, trust, open;
};

/* Options, which apply wherever they stand. */
static const struct {
	const char *name;
	size_t flag; /* of struct request */
	const char *help;
} options[] = {
	{ "--any-size", offsetof(struct request, any_size),
	  "read data that expands far beyond its file" },
	{ "--no-pager", offsetof(struct request, no_pager),
	  "write to the terminal directly" },
	{ "--no-rc", offsetof(struct request, no_rc), "do not read .er.rc" },
	{ "--open", offsetof(struct request, open),
	  "show the page that -report makes in a browser" },
	{ "--trust", offsetof(struct request, trust),
	  "as root, show sources that not every user may read" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

static void print_group(void *ctx, const char *title)
{
	(void)ctx;
	printf("\n%s\n", title);
}

static void print_command(void *ctx, const struct cmd *cmd)
{
	(void)ctx;
	printf("  -%s%s%-*s %s\n", cmd->name, *cmd->args ? " " : "",
	       (int)(22 - strlen(cmd->name) - (*cmd->args != 0)), cmd->args, cmd->help);
}

static void usage(void)
{
	printf("Usage: er_print [-COMMAND [ARGUMENT]...]... EXPERIMENT...\n       "
	       "er_print -script FILE EXPERIMENT...\n       er_print [-] "
	       "EXPERIMENT...\nShows where the events that collect recorded occurred.  "
	       "Commands run in\norder; any unique prefix of one is enough.  Without "
	       "any, er_print reads\nthem from the terminal, or from standard "
	       "input.\n"
	       "-help COMMAND has an example.\n");
	help_walk(print_group, print_command, NULL);
	printf("\nOptions:\n");
	for (size_t i = 0; i < OPTIONS; i++)
		printf("  %-22s %s\n", options[i].name, options[i].help);
	printf("  --help                 print this and exit\n"
	       "  -V, --version          print the version and exit\n\n"
	       "Examples:\n"
	       "  er_print -functions test.1.er\n"
	       "  er_print -limit 10 -functions -csingle main test.1.er\n"
	       "  er_print -json -functions -calltree test.1.er\n");
}

/* Words that end er_print at once, whatever else is on the command line. */
static bool answer_at_once(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			usage();
			return true;
		}
		if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-V")) {
			printf("er_print (ringprof) %s\n", PACKAGE_VERSION);
			return true;
		}
	}
	return false;
}

/* Experiments of one side may be separated by commas. */
static bool is_file(const char *word)
{
	char *first = xstrndup(word, strcspn(word, ","));
	bool is = !access(word, F_OK) || (*first && !access(first, F_OK));

	free(first);
	return is;
}

/* Whether WORD is one of CMD's values, also with the dash of an option: -calltree -inverted. */
static bool is_value(const struct cmd *cmd, const char *word)
{
	const bool dashed = *word == '-' && !command_is_whole(word + 1);

	return command_has_value(cmd, word + dashed);
}

/*
 * Whether WORD is CMD's optional argument: a number, or one of CMD's values, and no file.
 * Commands that take any word set cmd->names; for others it would swallow an experiment.
 */
static bool is_meant(const struct cmd *cmd, const char *word)
{
	size_t len = strlen(word), end = cmd->ending ? strlen(cmd->ending) : len + 1;

	if (len > end && !strcmp(word + len - end, cmd->ending))
		return true;
	return (isdigit((unsigned char)*word) || is_value(cmd, word) ||
		(cmd->names && *word != '-')) &&
	       !is_file(word);
}

/* Whether WORD is the expression of filters, which may begin with a minus; not -functions. */
static bool is_expression(const char *word)
{
	const struct cmd *cmd;
	struct strbuf ignored = { 0 };
	bool is = *word != '-' || command_find(word + 1, &cmd, &ignored) ||
		  strcmp(cmd->name, word + 1) != 0;

	strbuf_release(&ignored);
	return is;
}

/* The number of the LEFT words that belong to CMD. */
static int words_of(const struct cmd *cmd, int left, char **words)
{
	int least, most, count;

	command_arity(cmd, &least, &most);
	least += cmd->verbatim && !least && left && is_expression(*words);
	count = least < left ? least : left;
	while (count < most && count < left && is_meant(cmd, words[count]))
		count++;
	return count;
}

static bool take_option(const char *word, struct request *out)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (!strcmp(options[i].name, word)) {
			*(bool *)((char *)out + options[i].flag) = true;
			return true;
		}
	return false;
}

/* After an unknown command: the number of words that name no file, so no experiment. */
static int words_of_none(int left, char **words)
{
	int count = 0;

	while (count < left && *words[count] != '-' && access(words[count], F_OK) < 0)
		count++;
	return count;
}

/* Whether a command before this one defines the index object WORD. */
static bool is_defined(const struct request *request, const char *word)
{
	vec_for_each(const struct call, call, &request->calls)
		if (call->cmd == &cmd_indxobj_define && call->argc &&
		    !strcasecmp(call->argv[0], word))
			return true;
	return false;
}

static struct call find_call(const struct request *request, char *word, int left,
			     char **words)
{
	struct call call = { .word = word, .argv = words };
	struct strbuf why = { 0 };

	if (!command_is_whole(word) && is_defined(request, word))
		left = 0; /* it takes no argument */
	if (command_find(word, &call.cmd, &why)) {
		call.cmd = NULL;
		call.why = strbuf_detach(&why);
		call.argc = words_of_none(left, words);
	} else {
		call.argc = words_of(call.cmd, left, words);
	}
	strbuf_release(&why);
	return call;
}

static void parse(int argc, char **argv, struct request *out)
{
	int at = 1;

	while (at < argc) {
		char *word = argv[at++];
		struct call call;

		if (*word != '-' || !word[1]) {
			if (*word != '-')
				*vec_push(&out->experiments) = word;
			else
				out->prompt = true;
			continue;
		}
		if (take_option(word, out))
			continue;
		call = find_call(out, word + 1 + (word[1] == '-'), argc - at, argv + at);
		at += call.argc;
		*vec_push(&out->calls) = call;
	}
}

/* A command without its dash is taken for an experiment. */
static void advise_dash(const char *word, struct strbuf *why)
{
	if (command_is_whole(word))
		strbuf_addf(why, "; as a command it has a dash: -%s", word);
}

/* Opens the experiments that can be opened; fails only if none can. */
static int open_all(struct session *s, const struct request *request, struct strbuf *err)
{
	struct strbuf why = { 0 };

	for (size_t i = 0; i < request->experiments.len; i++) {
		size_t open = s->model.sources.len;
		uint32_t group = open ? s->model.sources.data[open - 1].group + 1 : 0;
		int status = experiments_open(s, request->experiments.data[i], group,
					      &why);

		if (status)
			advise_dash(request->experiments.data[i], &why);
		if (status && !s->model.sources.len &&
		    i + 1 == request->experiments.len) {
			strbuf_addstr(err, why.data);
			strbuf_release(&why);
			return status;
		}
		if (status)
			command_mistaken(s, NULL, status, why.data);
		s->incomplete |= status != 0;
		strbuf_clear(&why);
	}
	experiments_warn(s, 0);
	strbuf_release(&why);
	return 0;
}

/* Runs CALL.  A mistake is reported; 0, or CMD_LOST with a sentence in ERR. */
static int run_call(struct session *s, struct call *call, struct strbuf *err)
{
	int status = CMD_USAGE;

	if (call->done)
		return 0;
	call->done = true;
	if (!call->argc && command_is_index(s, call->word)) {
		call->cmd = &cmd_indxobj;
		call->argc = 1;
		call->argv = &call->word;
	}
	if (call->cmd)
		status = command_run(s, call->cmd, call->argc, call->argv, err);
	if (!status || status == CMD_LOST)
		return status;
	command_mistaken(s, call->cmd, status, call->cmd ? strbuf_str(err) : call->why);
	strbuf_clear(err);
	return 0;
}

/* Shows a comparison that no view has shown.  Returns as run_call. */
static int finish_comparison(struct session *s, struct strbuf *err)
{
	int status = compare_finish(s, err);

	if (!status || status == CMD_LOST)
		return status;
	command_mistaken(s, &cmd_compare, status, strbuf_str(err));
	strbuf_clear(err);
	return 0;
}

static int run_calls(struct session *s, const struct request *request, struct strbuf *err)
{
	int status;

	vec_for_each(struct call, call, &request->calls) {
		status = run_call(s, call, err);
		if (status || s->quit)
			return status;
	}
	if (request->calls.len && !request->prompt)
		return 0;
	if (!isatty(STDIN_FILENO))
		return script_run(s, stdin, "standard input", err);
	status = finish_comparison(s, err);
	if (!status)
		prompt_run(s);
	return status;
}

/* The places of files must be known before experiments are read. */
static int run_symfs(struct session *s, struct request *request, struct strbuf *err)
{
	int status = 0;

	for (size_t i = 0; i < request->calls.len && !status; i++)
		if (request->calls.data[i].cmd == &cmd_symfs)
			status = run_call(s, &request->calls.data[i], err);
	return status;
}

static int answer(struct session *s, struct request *request, struct strbuf *err)
{
	int status = run_symfs(s, request, err), error;

	s->set.paths.trusted = request->trust;
	s->set.open_page = request->open;
	s->model.any_size = request->any_size;
	if (!status)
		status = open_all(s, request, err);

	if (status)
		return status;
	if (!request->calls.len && !request->experiments.len) {
		strbuf_addstr(err, "no experiment is named; see er_print --help");
		return CMD_USAGE;
	}
	if (!request->no_rc)
		rc_run(s);
	s->out.paging &= !request->no_pager;
	status = run_calls(s, request, err);
	if (!status)
		status = finish_comparison(s, err);
	if (status)
		return status;
	error = output_finish(&s->out, &s->model);
	return command_status(error, output_name(&s->out), err);
}

static int finish_stdout(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_OK;
	diag_error("standard output: %s", strerror(errno));
	return EXIT_FAILED;
}

static int exit_status(const struct session *s, int status)
{
	if (status)
		return status == CMD_USAGE ? EXIT_USAGE : EXIT_FAILED;
	if (s->exit_status)
		return s->exit_status;
	if (!s->set.fail_given || s->worst_increase <= s->set.fail_above)
		return EXIT_OK;
	diag_error("what compare found takes up to %.1f %% more of the base's total than "
		   "before",
		   s->worst_increase);
	return EXIT_INCREASED;
}

int main(int argc, char **argv)
{
	struct request request = { 0 };
	struct strbuf err = { 0 };
	struct session session;
	int status, error;

	streams_hold();
	program_set_name("er_print");
	if (answer_at_once(argc, argv))
		return finish_stdout();
	session_init(&session);
	parse(argc, argv, &request);
	status = answer(&session, &request, &err);
	progress_end(&session.progress);
	error = command_end_page(&session);
	if (!status)
		status = command_status(error, output_name(&session.out), &err);
	if (status)
		diag_error("%s", strbuf_str(&err));
	status = exit_status(&session, status);
	session_release(&session);
	vec_for_each(struct call, call, &request.calls)
		free(call->why);
	vec_release(&request.calls);
	vec_release(&request.experiments);
	strbuf_release(&err);
	return status;
}
