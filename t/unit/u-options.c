/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of collect, and the messages for invalid ones. */
#include "options/parse.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
enum { WORDS = 8 };

/* The words behind "collect", and their effect as shown by show(). */
static const struct {
	const char *words[WORDS];
	const char *want;
} good[] = {
	{ { "-y", "USR1", "prog" }, "record y=10 paused prog" },
	{ { "-y", "SIGUSR2,r", "-l", "40", "prog" }, "record y=12 l=40 S=0 prog" },
	{ { "-S", "on", "prog" }, "record S=1000000000 prog" },
	{ { "-S", "0.5", "prog" }, "record S=500000000 prog" },
	{ { "-S", "off", "prog" }, "record prog" },
	{ { "--regions", "on", "--domains", "a,b", "prog" },
	  "record regions domains=a,b S=0 prog" },
	{ { "--regions", "on", "--from", "ev:t:10", "--to", "ev:t", "prog" },
	  "record regions from=10:ev:t to=1:ev:t paused S=0 prog" },
	{ { "prog" }, "record prog" },
	{ { "prog", "-o", "x", "--help" }, "record prog -o x --help" },
	{ { "--", "-prog" }, "record -prog" },
	{ { "-h", "cycles,7", "prog" }, "record h=cycles,7 prog" },
	{ { "-h", "a", "-h", "b,5", "prog" }, "record h=a h=b,5 prog" },
	{ { "-p", "hi", "prog" }, "record p=hi prog" },
	{ { "-hcycles", "-phi", "prog" }, "record h=cycles p=hi prog" },
	{ { "-o", "a.er", "prog" }, "record o=a.er prog" },
	{ { "-O", "dir/a.er/", "prog" }, "record O=dir/a.er/ prog" },
	{ { "-d", "/tmp", "-C", "a b", "prog" }, "record d=/tmp C=a b prog" },
	{ { "-C", "a", "-C", "b", "prog" }, "record C=a; b prog" },
	{ { "-t", "10", "prog" }, "record t=0-10000000000 prog" },
	{ { "-t", "1.5s", "prog" }, "record t=0-1500000000 prog" },
	{ { "-t", "2m", "prog" }, "record t=0-120000000000 prog" },
	{ { "-t", "5-10", "prog" }, "record t=5000000000-10000000000 prog" },
	{ { "-t", "90s-2m", "prog" }, "record t=90000000000-120000000000 prog" },
	{ { "-w", "on", "prog" }, "record waits prog" },
	{ { "-w", "on", "-w", "off", "prog" }, "record prog" },
	{ { "-F", "off", "prog" }, "record nofollow prog" },
	{ { "-F", "off", "-F", "on", "prog" }, "record prog" },
	{ { "-F", "off", "-F", "all", "prog" }, "record prog" },
	{ { "--stack", "fp", "prog" }, "record stack=fp prog" },
	{ { "--stack=off", "prog" }, "record stack=off prog" },
	{ { "--stack-size", "1000", "prog" }, "record size=1000 prog" },
	{ { "--stack-size=65528", "prog" }, "record size=65528 prog" },
	{ { "--stack-size=1001", "prog" }, "record size=1000 prog" },
	{ { "--no-splice", "--strict", "-nv", "prog" },
	  "record nosplice strict dry verbose prog" },
	{ { "--dry-run", "--verbose", "prog" }, "record dry verbose prog" },
	{ { "-P", "12" }, "record P=12" },
	{ { "-P", "12,postgres", "-P", "14,15x" }, "record P=12 P=postgres P=14 P=15x" },
	{ { "-a" }, "record all" },
	{ { "-a", "prog", "-a" }, "record all prog -a" },
	{ { "-L", "3", "prog" }, "record L=3000000 prog" },
	{ { "-L", "unlimited", "prog" }, "record prog" },
	{ { "-h" }, "list" },
	{ { "--check", "--json" }, "check json" },
	{ { "-v", "-h" }, "list verbose" },
	{ { "-h", "cyc*" }, "list h=cyc*" },
	{ { "--json" }, "list json" },
	{ { "--json", "-h" }, "list json" },
	{ { "--import", "perf.data", "-o", "a.er" }, "import o=a.er" },
	{ { "-V" }, "version" },
	{ { "--version", "prog" }, "version prog" },
	{ { "--help" }, "help" },
};

static const struct {
	const char *words[WORDS];
	const char *want; /* the message */
} bad[] = {
	{ { NULL }, "no program to run; try: collect PROGRAM, or collect --help" },
	{ { "-v" }, "no program to run; try: collect PROGRAM, or collect --help" },
	{ { "-p", "ls" },
	  "no program to run, as -p took 'ls'; try: collect PROGRAM, or collect --help" },
	{ { "-v", "-p5" }, "no program to run; try: collect PROGRAM, or collect --help" },
	{ { "-p", "5", "-v" },
	  "no program to run; try: collect PROGRAM, or collect --help" },
	{ { "-o" }, "-o requires an argument; see collect --help" },
	{ { "--stack" }, "--stack requires an argument; see collect --help" },
	{ { "-z", "prog" }, "-z is not an option; see collect --help" },
	{ { "-vz", "prog" }, "-z is not an option; see collect --help" },
	{ { "-s", "on", "prog" },
	  "-s is not an option: -w on records waits, calls are not traced; see "
	  "collect --help" },
	{ { "-y", "KILL", "prog" },
	  "-y KILL: say USR1, USR2, HUP, ALRM, VTALRM, PROF, IO, WINCH or the number of "
	  "a "
	  "real-time signal" },
	{ { "-y", "USR1,x", "prog" },
	  "-y USR1,x: say -y SIGNAL, or -y SIGNAL,r to begin recording" },
	{ { "-S", "0", "prog" },
	  "-S 0: say on (each second), off, or a time of at least 0.01 s" },
	{ { "--from", "e", "prog" }, "--from and --to are for --regions on" },
	{ { "--regions", "on", "--from", "e:0", "prog" },
	  "--from e:0: say the name of a region, and which of them, from 1: --from "
	  "event:10" },
	{ { "--nope", "prog" },
	  "--nope is not an option, or not spelled out; see collect --help" },
	{ { "--st", "fp", "prog" },
	  "--st is not an option, or not spelled out; see collect --help" },
	{ { "--verbose=3", "prog" }, "--verbose=3 takes no value; see collect --help" },
	{ { "--strict=yes", "prog" }, "--strict=yes takes no value; see collect --help" },
	{ { "-o", "a", "prog" }, "an experiment's name ends in .er; say -o a.er" },
	{ { "-O", "a.er.gz", "prog" },
	  "an experiment's name ends in .er; say -O a.er.gz.er" },
	{ { "-o", "dir/", "prog" }, "an experiment's name ends in .er; say -o dir.er" },
	{ { "-o", "dir/.er", "prog" },
	  "an experiment's name ends in .er; say -o dir/.er.er" },
	{ { "-o", "", "prog" }, "an experiment's name ends in .er; say -o NAME.er" },
	{ { "-o", "///", "prog" }, "an experiment's name ends in .er; say -o NAME.er" },
	{ { "-t", "soon", "prog" }, "-t soon is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "", "prog" }, "-t  is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "0", "prog" }, "-t 0 is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "-5", "prog" }, "-t -5 is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "5-", "prog" }, "-t 5- is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "10-5", "prog" }, "-t 10-5 is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "5h", "prog" }, "-t 5h is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "1e300", "prog" }, "-t 1e300 is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-t", "0x10", "prog" }, "-t 0x10 is not a time: say 10, 10s, 2m, or 5-10" },
	{ { "-P", "12", "prog" },
	  "-P records running processes; omit the program, and -a" },
	{ { "-P", "12", "-a" },
	  "-P records running processes; omit the program, and -a" },
	{ { "-a", "--scope", "task" }, "-a records CPUs; omit --scope" },
	{ { "-a", "--scope", "cgroup", "prog" }, "-a records CPUs; omit --scope" },
	{ { "-P", "0" }, "-P 0: say a whole number from 1 to 2147483647" },
	{ { "-P", "2147483648" },
	  "-P 2147483648: say a whole number from 1 to 2147483647" },
	{ { "-P", "12,,13" },
	  "-P: say a number or a name, or several with commas between them" },
	{ { "-P", "" },
	  "-P: say a number or a name, or several with commas between them" },
	{ { "-P", "nginx,99999999999" },
	  "-P 99999999999: say a whole number from 1 to 2147483647" },
	{ { "-L", "0", "prog" }, "-L 0: say a whole number from 1 to 18446744073709" },
	{ { "-L", "99999999999999999999", "prog" },
	  "-L 99999999999999999999: say a whole number from 1 to 18446744073709" },
	{ { "-w", "maybe", "prog" }, "-w maybe: say on, wakers or off" },
	{ { "-F", "maybe", "prog" }, "-F maybe: say on or off" },
	{ { "--stack", "dwarf", "prog" }, "--stack dwarf: say cfi, fp, lbr or off" },
	{ { "--stack-size", "511", "prog" },
	  "--stack-size 511: say a number of bytes from 512 to 65528" },
	{ { "--stack-size", "65529", "prog" },
	  "--stack-size 65529: say a number of bytes from 512 to 65528" },
	{ { "--stack-size", "8k", "prog" },
	  "--stack-size 8k: say a number of bytes from 512 to 65528" },
	{ { "--stack-size", "-1", "prog" },
	  "--stack-size -1: say a number of bytes from 512 to 65528" },
	{ { "--stack-size", "99999999999999999999", "prog" },
	  "--stack-size 99999999999999999999: say a number of bytes from 512 to 65528" },
};

static void word(struct strbuf *out, bool yes, const char *text)
{
	if (yes)
		strbuf_addf(out, " %s", text);
}

/* Shows differences from the defaults, and the program. */
static void show(const struct options *opt, struct strbuf *out)
{
	static const char *const actions[] = { "record", "import", "list",
					       "check",  "help",   "version" };

	strbuf_addstr(out, actions[opt->action]);
	vec_for_each(const char *const, h, &opt->counters)
		strbuf_addf(out, " h=%s", *h);
	if (opt->clock)
		strbuf_addf(out, " p=%s", opt->clock);
	if (opt->experiment)
		strbuf_addf(out, " %c=%s", opt->overwrite ? 'O' : 'o', opt->experiment);
	vec_for_each(char *const, p, &opt->processes)
		strbuf_addf(out, " P=%s", *p);
	if (opt->bytes_max != UINT64_MAX)
		strbuf_addf(out, " L=%llu", (unsigned long long)opt->bytes_max);
	word(out, opt->system, "all");
	if (opt->directory)
		strbuf_addf(out, " d=%s", opt->directory);
	if (opt->comment.len)
		strbuf_addf(out, " C=%s", strbuf_str(&opt->comment));
	if (opt->to_ns != UINT64_MAX)
		strbuf_addf(out, " t=%llu-%llu", (unsigned long long)opt->from_ns,
			    (unsigned long long)opt->to_ns);
	if (opt->mode != STACK_CFI)
		strbuf_addf(out, " stack=%s", stack_mode_names[opt->mode]);
	if (opt->stack_bytes)
		strbuf_addf(out, " size=%u", opt->stack_bytes);
	word(out, opt->waits, "waits");
	word(out, opt->regions, "regions");
	if (opt->domains)
		strbuf_addf(out, " domains=%s", opt->domains);
	if (opt->from)
		strbuf_addf(out, " from=%s", opt->from);
	if (opt->to)
		strbuf_addf(out, " to=%s", opt->to);
	if (opt->pause_signal)
		strbuf_addf(out, " y=%d", opt->pause_signal);
	word(out, opt->paused, "paused");
	if (opt->point_signal)
		strbuf_addf(out, " l=%d", opt->point_signal);
	if (opt->points)
		strbuf_addf(out, " S=%llu", (unsigned long long)opt->points_ns);
	word(out, !opt->follow, "nofollow");
	word(out, !opt->splice, "nosplice");
	word(out, opt->strict, "strict");
	word(out, opt->json, "json");
	word(out, opt->dry_run, "dry");
	word(out, opt->verbose, "verbose");
	for (char **arg = opt->target; *arg; arg++)
		strbuf_addf(out, " %s", *arg);
}

/* getopt remembers its position until it is set to 0. */
static int parse(const char *const *words, struct options *opt, struct strbuf *err)
{
	static char store[WORDS + 1][128];
	static char *argv[WORDS + 2];
	int argc = 0;

	strcpy(store[0], "collect");
	argv[argc++] = store[0];
	for (; argc <= WORDS && words[argc - 1]; argc++)
		argv[argc] = strcpy(store[argc], words[argc - 1]);
	argv[argc] = NULL;
	optind = 0;
	return options_parse(opt, argc, argv, err);
}

static void test_tables(void)
{
	struct strbuf err = { 0 }, got = { 0 };
	struct options opt;

	for (size_t i = 0; i < COUNT(good); i++) {
		is_i64(parse(good[i].words, &opt, &err), 0, "%s: %s", good[i].want,
		       strbuf_str(&err));
		show(&opt, &got);
		is_str(strbuf_str(&got), good[i].want, "%s", good[i].want);
		options_release(&opt);
		strbuf_clear(&err);
		strbuf_clear(&got);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		is_i64(parse(bad[i].words, &opt, &err), -EINVAL, "is refused");
		is_str(strbuf_str(&err), bad[i].want, "%s", bad[i].want);
		options_release(&opt);
		strbuf_clear(&err);
	}
	strbuf_release(&err);
	strbuf_release(&got);
}

static void test_help(void)
{
	static const char *const some[] = { "  -h CTR[,RATE]", "  -n, --dry-run",
					    "  --stack cfi|fp|lbr|off", "collect(1)" };
	struct strbuf help = { 0 };

	options_help(&help);
	for (size_t i = 0; i < COUNT(some); i++)
		ok(strstr(strbuf_str(&help), some[i]), "help has \"%s\"", some[i]);
	strbuf_release(&help);
}

int main(void)
{
	test_tables();
	test_help();
	return done_testing();
}
