/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of collect: collect(1). */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "output/archive.h"
#include "sample/evlist.h"
#include "sample/stack_mode.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum { READERS_ASKED_MAX = 64 };

enum options_action {
	ACTION_RECORD,
	ACTION_IMPORT,
	ACTION_LIST,  /* -h without a target: the counters */
	ACTION_CHECK, /* show what this machine lets us record */
	ACTION_HELP,
	ACTION_VERSION,
};

/* Strings are argv's, borrowed, unless said otherwise. */
struct options {
	enum options_action action;
	VEC(const char *) counters; /* each -h's operand */
	const char *clock;          /* -p; NULL: not given */
	const char *experiment;     /* -o or -O; NULL: test.N.er */
	bool overwrite;             /* -O */
	const char *report;         /* --report: the page; NULL: not given */
	const char *import;         /* a perf.data file; NULL: not given */
	bool trust_paths;           /* objects without a build-id are this machine's */
	const char *directory;      /* -d; NULL: here */
	struct strbuf comment;      /* each -C's */
	VEC(const char *) labels;   /* each --label's KEY=VALUE, checked */
	uint64_t from_ns, to_ns;    /* -t; to_ns UINT64_MAX: to the end */
	VEC(char *) processes;      /* -P: numbers and names; owned */
	const char *cgroup;         /* --cgroup; NULL: not given */
	uint64_t bytes_max;         /* -L; UINT64_MAX: no limit */
	uint64_t every_ns;          /* --every: a series of recordings; 0: one */
	uint64_t keep, keep_bytes;  /* of those that are complete; UINT64_MAX: all */
	const char *hook;           /* a command for each; NULL: none */
	bool system;                /* every process of the machine */
	bool daemons;               /* the recording goes on after the program */
	bool waits;                 /* what threads wait for, */
	bool wakers;                /* and who ends that */
	bool regions;               /* what the program says it works on */
	const char *domains;        /* of ITT, with commas; NULL: all */
	char *from, *to;            /* NUMBER:NAME of a region; NULL: not given; owned */
	int pause_signal;           /* -y; 0: none */
	bool paused;                /* … and the recording begins with a pause */
	int point_signal;           /* -l; 0: none */
	bool points;                /* -S: sample points; also set by -l and --regions */
	uint64_t points_ns;         /* the time between two; 0: none by time */
	bool follow, dry_run, verbose, strict, json, splice;
	bool vary;               /* sampling intervals */
	enum evlist_scope scope; /* SCOPES: not given */
	enum stack_mode mode;
	enum archive_mode archive;
	uint32_t stack_bytes; /* 0: not given */
	uint64_t readers;     /* threads that look up stacks; 0: as needed */
	char **target; /* the program and its arguments, NULL behind them; may be none
			  with pid or system */
};

#endif
