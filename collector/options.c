/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES_MAX = 65528 }; /* a record's size has 16 bits */

/* Options without a letter. */
enum { OPT_HELP = 256, OPT_STRICT, OPT_JSON, OPT_STACK, OPT_STACK_SIZE, OPT_NO_SPLICE,
       OPT_SCOPE };

/* One option: what getopt, --help and completion know of it. */
struct option_row {
	int code; /* the letter, or one of the above */
	const char *name, *argument, *help;
};

static const struct option_row rows[] = {
	{ 'h', NULL, "CTR[,RATE][,CTR…]",
	  "sample by hardware counters; without a program: list them" },
	{ 'p', NULL, "on|hi|lo|off|MS", "sample by CPU time: every 10.007, 0.997, 100 or MS ms" },
	{ 'o', NULL, "NAME.er", "write the experiment NAME.er, which must not exist" },
	{ 'O', NULL, "NAME.er", "the same, and overwrite an experiment of that name" },
	{ 'd', NULL, "DIR", "the directory in which the experiment is made" },
	{ 'C', NULL, "TEXT", "keep a comment in the experiment" },
	{ 't', NULL, "TIME | A-B", "record for TIME, or from A to B, seconds (s) or minutes (m)" },
	{ 'F', NULL, "on|off", "follow the processes that the program starts (on)" },
	{ 'P', "pid", "PID", "record a process that runs already, and what it starts" },
	{ 'a', "system", NULL, "record every process of the machine" },
	{ 'L', NULL, "MB", "stop recording when the experiment has so many megabytes" },
	{ OPT_STACK, "stack", "cfi|fp|lbr|off", "how to get call stacks (cfi)" },
	{ OPT_STACK_SIZE, "stack-size", "BYTES", "how much of the stack to copy for cfi" },
	{ OPT_NO_SPLICE, "no-splice", NULL, "do not complete cut stacks from the thread's last" },
	{ OPT_SCOPE, "scope", "cgroup|cpu|task", "what the events are tied to (the best to be had)" },
	{ OPT_STRICT, "strict", NULL, "fail where a counter cannot be had, instead of the clock" },
	{ OPT_JSON, "json", NULL, "list the counters as JSON" },
	{ 'n', "dry-run", NULL, "say what would be done, and do nothing" },
	{ 'v', "verbose", NULL, "say more" },
	{ 'V', "version", NULL, "print the version" },
	{ OPT_HELP, "help", NULL, "print this" },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

void options_help(struct strbuf *out)
{
	strbuf_addstr(out, "Usage: collect [OPTION]… PROGRAM [ARGUMENT]…\n"
			   "       collect [OPTION]… -P PID\n"
			   "       collect [OPTION]… -a [PROGRAM [ARGUMENT]…]\n"
			   "       collect -h [NAME | PATTERN]\n"
			   "Run PROGRAM and record where it spends its time, for er_print.\n\n");
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *r = &rows[i];
		size_t start = out->len, used = 0;

		strbuf_addstr(out, "  ");
		if (r->code < 256)
			strbuf_addf(out, "-%c%s", r->code, r->name ? ", " : "");
		if (r->name)
			strbuf_addf(out, "--%s", r->name);
		if (r->argument)
			strbuf_addf(out, " %s", r->argument);
		for (size_t c = start; c < out->len; c++)
			used += ((unsigned char)out->data[c] & 0xc0) != 0x80;
		strbuf_pad(out, ' ', used < 28 ? 28 - used : 1);
		strbuf_addf(out, "%s\n", r->help);
	}
	strbuf_addstr(out, "\nWithout -h or -p: cycles where there is a counter, else the clock.\n"
			   "The experiment is read with er_print; see collect(1).\n");
}

/* "10", "10s", "2m" in nanoseconds. */
static int parse_time(const char *text, const char **end, uint64_t *ns)
{
	char *stop;
	double value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	value = strtod(text, &stop);
	if (stop != text + strspn(text, "0123456789.")) /* strtod knows 0x10 and 1e3 too */
		return -EINVAL;
	if (*stop == 'm')
		value *= 60;
	if (*stop == 'm' || *stop == 's')
		stop++;
	*end = stop;
	if (!(value < 1e9))
		return -EINVAL;
	*ns = (uint64_t)(value * 1e9);
	return 0;
}

static int parse_duration(struct options *opt, const char *text, struct strbuf *err)
{
	const char *at;

	opt->from_ns = 0;
	if (parse_time(text, &at, &opt->to_ns))
		goto bad;
	if (*at == '-') {
		opt->from_ns = opt->to_ns;
		if (parse_time(at + 1, &at, &opt->to_ns))
			goto bad;
	}
	if (*at || opt->to_ns <= opt->from_ns)
		goto bad;
	return 0;
bad:
	strbuf_addf(err, "-t %s is not a time: say 10, 10s, 2m, or 5-10", text);
	return -EINVAL;
}

/* A whole number from 1 to MAX. */
static int parse_number(const char *option, const char *text, uint64_t max, uint64_t *value,
			struct strbuf *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *value && *value <= max)
		return 0;
	strbuf_addf(err, "%s %s: say a whole number from 1 to %" PRIu64, option, text, max);
	return -EINVAL;
}

static int parse_pid(struct options *opt, const char *text, struct strbuf *err)
{
	uint64_t value;
	int error = parse_number("-P", text, INT32_MAX, &value, err);

	opt->pid = (int64_t)value;
	return error;
}

static int parse_limit(struct options *opt, const char *text, struct strbuf *err)
{
	uint64_t value;
	int error = 0;

	opt->bytes_max = UINT64_MAX;
	if (!strcmp(text, "unlimited"))
		return 0;
	error = parse_number("-L", text, UINT64_MAX / 1000000, &value, err);
	if (!error)
		opt->bytes_max = value * 1000000;
	return error;
}

static int parse_switch(const char *option, const char *text, bool *value,
			struct strbuf *err)
{
	*value = !strcmp(text, "on");
	if (*value || !strcmp(text, "off"))
		return 0;
	strbuf_addf(err, "%s %s: say on or off", option, text);
	return -EINVAL;
}

/* The index of TEXT in NAMES, or -EINVAL after telling what there is. */
static int parse_choice(const char *option, const char *text, const char *const *names,
			unsigned count, struct strbuf *err)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	strbuf_addf(err, "%s %s: say", option, text);
	for (unsigned i = 0; i < count; i++)
		strbuf_addf(err, "%s %s", !i ? "" : i + 1 < count ? "," : " or", names[i]);
	return -EINVAL;
}

static int parse_stack(struct options *opt, const char *text, struct strbuf *err)
{
	int mode = parse_choice("--stack", text, stack_mode_names, STACK_MODES, err);

	if (mode >= 0)
		opt->mode = (enum stack_mode)mode;
	return mode < 0 ? mode : 0;
}

static int parse_scope(struct options *opt, const char *text, struct strbuf *err)
{
	int scope = parse_choice("--scope", text, evlist_scope_names, SCOPES, err);

	if (scope >= 0)
		opt->scope = (enum evlist_scope)scope;
	return scope < 0 ? scope : 0;
}

static int parse_stack_size(struct options *opt, const char *text, struct strbuf *err)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < 512 ||
	    value > STACK_BYTES_MAX) {
		strbuf_addf(err, "--stack-size %s: say a number of bytes from 512 to %d",
			    text, STACK_BYTES_MAX);
		return -EINVAL;
	}
	opt->stack_bytes = (uint32_t)value & ~7u;
	return 0;
}

static int set_experiment(struct options *opt, const char *name, bool overwrite,
			  struct strbuf *err)
{
	size_t len = strlen(name);

	while (len && name[len - 1] == '/')
		len--;
	if (len < 4 || strncmp(name + len - 3, ".er", 3) || name[len - 4] == '/') {
		strbuf_addf(err, "an experiment's name ends in .er; say -%c %.*s.er",
			    overwrite ? 'O' : 'o', len ? (int)len : 4, len ? name : "NAME");
		return -EINVAL;
	}
	opt->experiment = name;
	opt->overwrite = overwrite;
	return 0;
}

static int take(struct options *opt, int code, const char *arg, struct strbuf *err)
{
	switch (code) {
	case 'h':
		*vec_push(&opt->counters) = arg;
		return 0;
	case 'p':
		opt->clock = arg;
		return 0;
	case 'o':
	case 'O':
		return set_experiment(opt, arg, code == 'O', err);
	case 'd':
		opt->directory = arg;
		return 0;
	case 'C':
		opt->comment = arg;
		return 0;
	case 't':
		return parse_duration(opt, arg, err);
	case 'F':
		return parse_switch("-F", arg, &opt->follow, err);
	case 'P':
		return parse_pid(opt, arg, err);
	case 'a':
		opt->system = true;
		return 0;
	case 'L':
		return parse_limit(opt, arg, err);
	case OPT_SCOPE:
		return parse_scope(opt, arg, err);
	case OPT_STACK:
		return parse_stack(opt, arg, err);
	case OPT_STACK_SIZE:
		return parse_stack_size(opt, arg, err);
	case OPT_NO_SPLICE:
		opt->splice = false;
		return 0;
	case OPT_STRICT:
		opt->strict = true;
		return 0;
	case OPT_JSON:
		opt->json = true;
		return 0;
	case 'n':
		opt->dry_run = true;
		return 0;
	case 'v':
		opt->verbose = true;
		return 0;
	case 'V':
		opt->action = ACTION_VERSION;
		return 0;
	default:
		opt->action = ACTION_HELP;
		return 0;
	}
}

/* getopt's two ways of saying what the rows say. */
static void fill_getopt(char *letters, struct option *words)
{
	*letters++ = '+'; /* the program's own options are its own */
	*letters++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].code < 256) {
			*letters++ = (char)rows[i].code;
			if (rows[i].argument)
				*letters++ = ':';
		}
		if (rows[i].name)
			*words++ = (struct option){
				.name = rows[i].name,
				.has_arg = rows[i].argument ? required_argument
							    : no_argument,
				.val = rows[i].code,
			};
	}
	*letters = '\0';
	*words = (struct option){ 0 };
}

static bool is_option(int code)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].code == code)
			return true;
	return false;
}

/* What getopt did not understand, in words.  A bare -h at the end is a question. */
static int misunderstood(struct options *opt, int result, char **argv, struct strbuf *err)
{
	const char *word = argv[optind - 1];

	if (result == ':' && optopt == 'h') {
		opt->action = ACTION_LIST;
		return 0;
	}
	if (result == ':')
		strbuf_addf(err, "%s wants an argument; see collect --help", word);
	else if (is_option(optopt))
		strbuf_addf(err, "%s: it takes no value; see collect --help", word);
	else if (optopt && optopt < 256)
		strbuf_addf(err, "-%c is not an option; see collect --help", optopt);
	else
		strbuf_addf(err, "%s is not an option, or not fully spelt; see collect --help",
			    word);
	return -EINVAL;
}

static int check(struct options *opt, struct strbuf *err)
{
	if (opt->action != ACTION_RECORD)
		return 0;
	if (opt->pid && (opt->target[0] || opt->system)) {
		strbuf_addstr(err, "-P records a process that runs; leave out the program, "
				   "and -a");
		return -EINVAL;
	}
	if (opt->target[0] || opt->pid || opt->system)
		return 0;
	if (opt->counters.len || opt->json) {
		opt->action = ACTION_LIST;
		return 0;
	}
	strbuf_addstr(err, "no program to run; try: collect PROGRAM, or collect --help");
	return -EINVAL;
}

int options_parse(struct options *opt, int argc, char **argv, struct strbuf *err)
{
	char letters[2 * ROWS + 3];
	struct option words[ROWS + 1];
	int result, error = 0;

	*opt = (struct options){
		.to_ns = UINT64_MAX,
		.bytes_max = UINT64_MAX,
		.follow = true,
		.splice = true,
		.mode = STACK_CFI,
		.scope = SCOPES,
	};
	fill_getopt(letters, words);
	opterr = 0;
	while (!error && (result = getopt_long(argc, argv, letters, words, NULL)) >= 0)
		error = result == ':' || result == '?'
				? misunderstood(opt, result, argv, err)
				: take(opt, result, optarg, err);
	opt->target = argv + optind;
	return error ? error : check(opt, err);
}

void options_release(struct options *opt)
{
	vec_release(&opt->counters);
}
