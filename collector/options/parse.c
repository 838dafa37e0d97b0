/* SPDX-License-Identifier: Apache-2.0 */
#include "options/parse.h"

#include <errno.h>
#include <getopt.h>

#include "options/check.h"
#include "options/values.h"
#include "base/utf8.h"

/* Options that only store their argument, or set a flag. */
static int take_counter(struct options *opt, const char *arg, struct strbuf *err)
{
	(void)err;
	*vec_push(&opt->counters) = arg;
	return 0;
}

static int take_comment(struct options *opt, const char *arg, struct strbuf *err)
{
	(void)err;
	strbuf_addf(&opt->comment, "%s%s", opt->comment.len ? "; " : "", arg);
	return 0;
}

#define KEEP(verb, field, value)                                                         \
	static int verb(struct options *opt, const char *arg, struct strbuf *err)        \
	{                                                                                \
		(void)arg;                                                               \
		(void)err;                                                               \
		opt->field = value;                                                      \
		return 0;                                                                \
	}

KEEP(take_clock, clock, arg)
KEEP(take_directory, directory, arg)
KEEP(take_domains, domains, arg)
KEEP(take_hook, hook, arg)
KEEP(take_import, import, arg)
KEEP(set_system, system, true)
KEEP(set_no_splice, splice, false)
KEEP(set_no_jitter, vary, false)
KEEP(set_strict, strict, true)
KEEP(set_trust_paths, trust_paths, true)
KEEP(set_json, json, true)
KEEP(set_daemons, daemons, true)
KEEP(set_dry_run, dry_run, true)
KEEP(set_verbose, verbose, true)
KEEP(set_check, action, ACTION_CHECK)
KEEP(set_version, action, ACTION_VERSION)
KEEP(set_help, action, ACTION_HELP)

/* One option, for getopt, --help and completion, and its function. */
struct option_row {
	char letter; /* 0: it has none */
	const char *name, *argument, *help;
	int (*take)(struct options *opt, const char *arg, struct strbuf *err);
};

static const struct option_row rows[] = {
	{ 'h', NULL, "CTR[,RATE][,CTR…]",
	  "sample on these counters (no PROGRAM: list them)", take_counter },
	{ 'p', NULL, "on|hi|lo|off|MS", "by CPU time, every 10.007, 0.997, 100 or MS ms",
	  take_clock },
	{ 'w', NULL, "on|wakers|off", "record waits of threads, and who ends them (off)",
	  take_waits },
	{ 0, "regions", "on|off", "record the regions that the program names (off)",
	  take_regions },
	{ 0, "domains", "NAME[,…]", "for --regions: only these domains of ITT",
	  take_domains },
	{ 'o', NULL, "NAME.er", "write the experiment NAME.er, which must not exist",
	  take_name },
	{ 'O', NULL, "NAME.er", "the same, but overwrite an existing experiment",
	  take_name_over },
	{ 'd', NULL, "DIR", "the directory for the experiment", take_directory },
	{ 'C', NULL, "TEXT", "store a comment in the experiment", take_comment },
	{ 0, "label", "KEY=VALUE", "store a label in the experiment; repeatable",
	  take_label },
	{ 't', NULL, "TIME | A-B", "record for TIME (10, 10s, 2m), or from A to B",
	  take_duration },
	{ 'y', NULL, "SIGNAL[,r]", "pause and go on by this signal; r: begin recording",
	  take_pause_signal },
	{ 0, "from", "REGION[:N]", "begin with the begin of the Nth such region",
	  take_from },
	{ 0, "to", "REGION[:N]", "end with the end of the Nth such region", take_to },
	{ 'l', NULL, "SIGNAL", "record a sample point at this signal",
	  take_point_signal },
	{ 'S', NULL, "on|off|SECONDS", "record a sample point so often (off)",
	  take_points },
	{ 0, "every", "TIME", "one recording of TIME after the other; with --keep",
	  take_every },
	{ 0, "keep", "N", "for --every: remove the oldest beyond N", take_keep },
	{ 0, "keep-mb", "MB", "for --every: and beyond this size of all together",
	  take_keep_mb },
	{ 0, "hook", "COMMAND", "for --every: run it for each; $1 is the recording",
	  take_hook },
	{ 'F', NULL, "on|off", "follow the processes that the program starts (on)",
	  take_follow },
	{ 0, "daemons", NULL, "go on until all that the program started ends",
	  set_daemons },
	{ 'P', "pid", "PID|NAME[,…]", "record running processes, and what they start",
	  take_pid },
	{ 0, "cgroup", "PATH|NAME|ID|self", "record a control group: a unit, a container",
	  take_cgroup },
	{ 'a', "system", NULL, "record every process of the machine", set_system },
	{ 'L', NULL, "MB", "stop when the experiment has this many megabytes",
	  take_limit },
	{ 'A', NULL, "on|src|used|usedsrc|off",
	  "archive the files that ran, and sources (off)", take_archive },
	{ 0, "report", "PAGE.html", "make a page to look at of the recording",
	  take_report },
	{ 0, "import", "FILE", "convert a perf.data file to an experiment", take_import },
	{ 0, "trust-paths", NULL, "for --import: the files here are those that ran",
	  set_trust_paths },
	{ 0, "stack", "cfi|fp|lbr|off", "how to collect call stacks (cfi)", take_stack },
	{ 0, "stack-size", "BYTES", "bytes of stack to copy for cfi", take_stack_size },
	{ 0, "readers", "N", "threads that look up stacks (as needed)", take_readers },
	{ 0, "no-splice", NULL, "do not complete cut stacks from earlier ones",
	  set_no_splice },
	{ 0, "no-jitter", NULL, "do not vary the sampling interval", set_no_jitter },
	{ 0, "scope", "cgroup|cpu|task",
	  "what the events are tied to (the best available)", take_scope },
	{ 0, "strict", NULL, "fail rather than replace a counter by the clock",
	  set_strict },
	{ 0, "check", NULL, "show what can be recorded here, and remedies", set_check },
	{ 0, "json", NULL, "with a bare -h, or --check: answer in JSON", set_json },
	{ 'n', "dry-run", NULL, "show what would be done, and do nothing", set_dry_run },
	{ 'v', "verbose", NULL, "print more", set_verbose },
	{ 'V', "version", NULL, "print the version", set_version },
	{ 0, "help", NULL, "print this", set_help },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

enum { HELP_COLUMN = 30 }; /* with texts of 50: 80 columns in all */

void options_help(struct strbuf *out)
{
	strbuf_addstr(
		out,
		"Usage: collect [OPTION]… PROGRAM [ARGUMENT]…\n"
		"       collect [OPTION]… -P PID|NAME[,…]\n"
		"       collect [OPTION]… --cgroup PATH|NAME|ID|self\n"
		"       collect [OPTION]… -a [PROGRAM [ARGUMENT]…]\n"
		"       collect --import FILE\n"
		"       collect -h [NAME | PATTERN]\n"
		"       collect --check [--json]\n"
		"Run PROGRAM and record where it spends its time, for er_print.\n\n");
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *r = &rows[i];
		size_t start = out->len, used;

		strbuf_addstr(out, "  ");
		if (r->letter)
			strbuf_addf(out, "-%c%s", r->letter, r->name ? ", " : "");
		if (r->name)
			strbuf_addf(out, "--%s", r->name);
		if (r->argument)
			strbuf_addf(out, " %s", r->argument);
		used = utf8_length(out->data + start);
		strbuf_pad(out, ' ', used < HELP_COLUMN ? HELP_COLUMN - used : 1);
		strbuf_addf(out, "%s\n", r->help);
	}
	strbuf_addstr(out,
		      "\nWithout -h or -p: cycles if there is a counter, else the "
		      "clock.\nRead the experiment with er_print; see collect(1).\n");
}

/* getopt's code of a row: its letter, or a number that no letter has. */
static int code_of(const struct option_row *row)
{
	return row->letter ? row->letter : 256 + (int)(row - rows);
}

static const struct option_row *row_of(int code)
{
	for (size_t i = 0; i < ROWS; i++)
		if (code_of(&rows[i]) == code)
			return &rows[i];
	return NULL;
}

/* Fills getopt's two tables from the rows. */
static void fill_getopt(char *letters, struct option *words)
{
	*letters++ = '+'; /* stop at the program, whose options are its own */
	*letters++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].letter) {
			*letters++ = rows[i].letter;
			if (rows[i].argument)
				*letters++ = ':';
		}
		if (rows[i].name)
			*words++ = (struct option){
				.name = rows[i].name,
				.has_arg = rows[i].argument ? required_argument
							    : no_argument,
				.val = code_of(&rows[i]),
			};
	}
	*letters = '\0';
	*words = (struct option){ 0 };
}

/* Options of other tools with this name, and their equivalents here. */
static const struct {
	char letter;
	const char *instead;
} others[] = {
	{ 'x', "-P records running processes" },
	{ 'j', "code of a JIT has names where it writes /tmp/perf-PID.map" },
	{ 'J', "code of a JIT has names where it writes /tmp/perf-PID.map" },
	{ 'g', "er_print takes several experiments at once" },
	{ 's', "-w on records waits, calls are not traced" },
	{ 'H', "allocations are not traced; first touches are -h page-faults" },
	{ 'i', "input and output are not traced; -w on records waits" },
};

static void unknown_letter(int letter, struct strbuf *err)
{
	strbuf_addf(err, "-%c is not an option", letter);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].letter == letter)
			strbuf_addf(err, ": %s", others[i].instead);
	strbuf_addstr(err, "; see collect --help");
}

/* Reports what getopt did not understand.  A bare -h at the end is a query. */
static int misunderstood(struct options *opt, int result, char **argv, struct strbuf *err)
{
	const char *word = argv[optind - 1];

	if (result == ':' && optopt == 'h') {
		opt->action = ACTION_LIST;
		return 0;
	}
	if (result == ':')
		strbuf_addf(err, "%s requires an argument; see collect --help", word);
	else if (row_of(optopt))
		strbuf_addf(err, "%s takes no value; see collect --help", word);
	else if (optopt && optopt < 256)
		unknown_letter(optopt, err);
	else
		strbuf_addf(err,
			    "%s is not an option, or not spelled out; see collect --help",
			    word);
	return -EINVAL;
}

int options_parse(struct options *opt, int argc, char **argv, struct strbuf *err)
{
	char letters[2 * ROWS + 3];
	struct option words[ROWS + 1];
	const char *last = NULL;
	int result, error = 0;

	*opt = (struct options){
		.to_ns = UINT64_MAX,
		.bytes_max = UINT64_MAX,
		.keep = UINT64_MAX,
		.keep_bytes = UINT64_MAX,
		.follow = true,
		.splice = true,
		.vary = true,
		.mode = STACK_CFI,
		.scope = SCOPES,
	};
	fill_getopt(letters, words);
	opterr = 0;
	while (!error && (result = getopt_long(argc, argv, letters, words, NULL)) >= 0) {
		const struct option_row *row = row_of(result);

		last = optarg && optarg == argv[argc - 1] ? argv[optind - 2] : NULL;
		error = row ? row->take(opt, optarg, err)
			    : misunderstood(opt, result, argv, err);
	}
	opt->target = argv + optind;
	return error ? error : options_check(opt, last, err);
}

void options_release(struct options *opt)
{
	vec_release(&opt->counters);
	vec_for_each(char *, word, &opt->processes)
		free(*word);
	vec_release(&opt->processes);
	strbuf_release(&opt->comment);
	free(opt->from);
	free(opt->to);
	vec_release(&opt->labels);
}
