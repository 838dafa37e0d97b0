/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The questions of `collect --check`, which check.c asks in order, and the form of their
 * answers.
 */
#ifndef CHECK_PROBE_H
#define CHECK_PROBE_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/strbuf.h"
#include "sample/sys.h"

enum check_answer { CHECK_NO, CHECK_PARTLY, CHECK_YES };

struct check_line {
	const char *group, *name; /* "counting", "kernel samples" */
	enum check_answer answer;
	struct strbuf found;  /* one sentence without a full stop */
	struct strbuf remedy; /* preferably a command; or empty */
};

/* Results that later questions need. */
struct check_facts {
	const struct sys *sys;
	int counters, clock; /* 0, or the negative errno with which they were refused */
	bool kernel;         /* the kernel can be sampled by one of the two */
};

/* Fills in the line's answer, found and remedy. */
typedef void check_probe(struct check_facts *facts, struct check_line *line);

/* events.c */
check_probe check_counters, check_precise, check_addresses, check_clock, check_kernel,
	check_tracepoints, check_socket;
/* scope.c */
check_probe check_child, check_others, check_system, check_cgroup;
/* stacks.c */
check_probe check_cfi, check_fp, check_lbr;
/* limits.c */
check_probe check_paranoid, check_rings, check_files, check_rate, check_cpu_share,
	check_watchdog, check_priority;
/* place.c */
check_probe check_capabilities, check_seccomp, check_container, check_kernel_names,
	check_ptrace, check_confinement;

/*
 * An event for trials: the clock or, if `hardware`, cycles.  It samples often, only place
 * and time, and not the kernel, so every user may open it.
 */
void check_attr(bool hardware, struct perf_event_attr *attr);

/*
 * Answers no, with the reason why the kernel refused ATTR's event with ERROR (of
 * trial_run or trial_open), and the remedy apart.
 */
void check_refused(const struct sys *sys, const struct perf_event_attr *attr, int error,
		   struct check_line *line);

/* Sets the answer and the remedy (NULL: none); returns the buffer for the finding. */
struct strbuf *check_say(struct check_line *line, enum check_answer answer,
			 const char *remedy);

#endif
