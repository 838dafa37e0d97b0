/* SPDX-License-Identifier: Apache-2.0 */
#include "options/check.h"

#include <errno.h>

static int check_import(struct options *opt, struct strbuf *err)
{
	opt->action = ACTION_IMPORT;
	if (opt->report) {
		strbuf_addstr(err, "--report is for recordings; make a page of an "
				   "experiment with: er_print -report FILE.html");
		return -EINVAL;
	}
	if (!opt->target[0] && !opt->processes.len && !opt->system && !opt->cgroup &&
	    !opt->counters.len && !opt->waits)
		return 0;
	strbuf_addstr(err, "--import records nothing: omit the program, -h, -w, -P, "
			   "--cgroup and -a");
	return -EINVAL;
}

static int check_cgroup(const struct options *opt, struct strbuf *err)
{
	if (opt->target[0] || opt->processes.len || opt->system)
		strbuf_addstr(err, "--cgroup records all of a group, whatever comes into "
				   "it; omit the program, -P and -a");
	else if (!opt->follow || opt->scope == SCOPE_CPU)
		strbuf_addf(err, "--cgroup records all of a group; omit %s",
			    opt->follow ? "--scope cpu" : "-F off");
	return err->len ? -EINVAL : 0;
}

/* What --every excludes, and why. */
static const char *against_every(const struct options *opt)
{
	if (opt->target[0] || !(opt->system || opt->processes.len || opt->cgroup))
		return "--every records what runs already: say -a, -P or --cgroup, and "
		       "omit "
		       "the program";
	if (opt->keep == UINT64_MAX && opt->keep_bytes == UINT64_MAX)
		return "--every fills the disk: say how many recordings to keep, with "
		       "--keep N "
		       "or --keep-mb MB";
	if (opt->pause_signal || opt->points)
		return "--every records all the time, without sample points; omit -y, -l "
		       "and -S";
	if (opt->waits)
		return "--every cannot record waits: one that lasts from one recording "
		       "to the "
		       "next would have no stack; omit -w";
	if (opt->overwrite)
		return "--every gives each recording a name of its own; say -o NAME.er";
	if (opt->bytes_max != UINT64_MAX)
		return "-L ends a recording; with --every, --keep-mb limits the size of "
		       "all";
	if (opt->report)
		return "--report makes a page of one recording; with --every, say --hook "
		       "'er_print -report \"$1.html\" \"$1\"'";
	return NULL;
}

static int check_every(const struct options *opt, struct strbuf *err)
{
	const char *why = NULL;

	if (opt->every_ns)
		why = against_every(opt);
	else if (opt->keep != UINT64_MAX || opt->keep_bytes != UINT64_MAX || opt->hook)
		why = "--keep, --keep-mb and --hook are for --every TIME";
	if (!why)
		return 0;
	strbuf_addstr(err, why);
	return -EINVAL;
}

static int check_when(struct options *opt, struct strbuf *err)
{
	if ((opt->from || opt->to) && !opt->regions)
		strbuf_addstr(err, "--from and --to are for --regions on");
	else if (opt->from && (opt->from_ns || opt->pause_signal))
		strbuf_addf(err, "--from says when to begin, and so does %s; omit one",
			    opt->from_ns ? "-t" : "-y");
	else if (opt->pause_signal && opt->pause_signal == opt->point_signal)
		strbuf_addstr(err, "-y and -l take different signals");
	opt->paused |= opt->from != NULL;
	opt->points |= opt->regions;
	return err->len ? -EINVAL : 0;
}

int options_check(struct options *opt, const char *last, struct strbuf *err)
{
	if (opt->action != ACTION_RECORD)
		return 0;
	if (check_every(opt, err))
		return -EINVAL;
	if (opt->import)
		return check_import(opt, err);
	if (opt->trust_paths) {
		strbuf_addstr(err, "--trust-paths is for --import");
		return -EINVAL;
	}
	if (opt->processes.len && (opt->target[0] || opt->system)) {
		strbuf_addstr(err,
			      "-P records running processes; omit the program, and -a");
		return -EINVAL;
	}
	if (opt->system && opt->scope != SCOPES && opt->scope != SCOPE_CPU) {
		strbuf_addstr(err, "-a records CPUs; omit --scope");
		return -EINVAL;
	}
	if (opt->daemons && (!opt->target[0] || opt->system || !opt->follow)) {
		strbuf_addstr(err, "--daemons follows what a program starts; say the "
				   "program, and omit -a and -F off");
		return -EINVAL;
	}
	if (opt->regions && !opt->target[0]) {
		strbuf_addstr(err,
			      "--regions is for a program that collect starts, which "
			      "it tells where to write");
		return -EINVAL;
	}
	if (opt->domains && !opt->regions) {
		strbuf_addstr(err, "--domains is for --regions on");
		return -EINVAL;
	}
	if (check_when(opt, err))
		return -EINVAL;
	if (opt->cgroup)
		return check_cgroup(opt, err);
	if (opt->target[0] || opt->processes.len || opt->system)
		return 0;
	if (opt->counters.len || opt->json) {
		opt->action = ACTION_LIST;
		return 0;
	}
	strbuf_addstr(err, "no program to run");
	if (last)
		strbuf_addf(err, ", as %s took '%s'", last, opt->target[-1]);
	strbuf_addstr(err, "; try: collect PROGRAM, or collect --help");
	return -EINVAL;
}
