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
	const struct cmd *cmd;
	int argc;
	char **argv;
	bool done; /* before the experiments were read */
};

struct request {
	VEC(struct call) calls;
	VEC(char *) experiments;
	bool prompt; /* "-": commands from standard input */
	bool no_rc, no_pager, any_size, trust;
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

/*
 * Whether WORD is CMD's optional argument: a number, or one of the values that CMD names,
 * and no file.  Anything else would swallow an experiment, unless any word may be meant.
 */
static bool is_meant(const struct cmd *cmd, const char *word)
{
	return (isdigit((unsigned char)*word) || command_has_value(cmd, word) ||
		(cmd->names && *word != '-')) &&
	       !is_file(word);
}

/* The number of the LEFT words that belong to CMD. */
static int words_of(const struct cmd *cmd, int left, char **words)
{
	int least, most, count;

	command_arity(cmd, &least, &most);
	least += cmd->verbatim;
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

static int parse(int argc, char **argv, struct request *out, struct strbuf *err)
{
	int at = 1;

	while (at < argc) {
		char *word = argv[at++];
		struct call call = { 0 };

		if (*word != '-' || !word[1]) {
			if (*word != '-')
				*vec_push(&out->experiments) = word;
			else
				out->prompt = true;
			continue;
		}
		if (take_option(word, out))
			continue;
		if (command_find(word + 1 + (word[1] == '-'), &call.cmd, err))
			return CMD_USAGE;
		call.argv = argv + at;
		call.argc = words_of(call.cmd, argc - at, call.argv);
		at += call.argc;
		*vec_push(&out->calls) = call;
	}
	return 0;
}

static int open_all(struct session *s, const struct request *request, struct strbuf *err)
{
	int status = 0;

	for (size_t i = 0; i < request->experiments.len && !status; i++)
		status = experiments_open(s, request->experiments.data[i], (uint32_t)i,
					  err);
	if (!status)
		experiments_warn_of_repeated(s, 0);
	return status;
}

static int run_calls(struct session *s, const struct request *request, struct strbuf *err)
{
	int status = 0;

	vec_for_each(const struct call, call, &request->calls) {
		if (call->done)
			continue;
		status = command_run(s, call->cmd, call->argc, call->argv, err);
		if (status || s->quit)
			return status;
	}
	if (request->calls.len && !request->prompt)
		return 0;
	if (!isatty(STDIN_FILENO))
		return script_run(s, stdin, "standard input", err);
	status = compare_finish(s, err);
	if (!status)
		prompt_run(s);
	return status;
}

/* The places of files must be known before experiments are read. */
static int run_symfs(struct session *s, struct request *request, struct strbuf *err)
{
	int status = 0;

	for (size_t i = 0; i < request->calls.len && !status; i++) {
		struct call *call = &request->calls.data[i];

		if (call->cmd != &cmd_symfs)
			continue;
		status = command_run(s, call->cmd, call->argc, call->argv, err);
		call->done = true;
	}
	return status;
}

static int answer(struct session *s, struct request *request, struct strbuf *err)
{
	int status = run_symfs(s, request, err), error;

	s->set.paths.trusted = request->trust;
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
		status = compare_finish(s, err);
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
	status = parse(argc, argv, &request, &err);
	if (!status)
		status = answer(&session, &request, &err);
	progress_end(&session.progress);
	error = output_end_page(&session.out);
	if (!status)
		status = command_status(error, output_name(&session.out), &err);
	if (status)
		diag_error("%s", strbuf_str(&err));
	status = exit_status(&session, status);
	session_release(&session);
	vec_release(&request.calls);
	vec_release(&request.experiments);
	strbuf_release(&err);
	return status;
}
