/* SPDX-License-Identifier: Apache-2.0 */
/* collect --check: how stacks can be collected. */
#include <errno.h>

#include "check/probe.h"
#include "check/trial.h"
#include "unwind/regs.h"

enum { COPY = 8192 };

void check_cfi(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	struct trial trial;
	int error;

	check_attr(false, &attr);
	attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr.sample_regs_user = unwind_arch_host()->perf_mask;
	attr.sample_stack_user = COPY;
	error = trial_run(facts->sys, &attr, &trial);
	if (error)
		check_refused(facts->sys, &attr, error, line);
	else if (trial.regs && trial.stack_len)
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "samples carry registers and up to %zu bytes of stack (asked "
			    "for: %d)",
			    trial.stack_len, COPY);
	else
		strbuf_addstr(check_say(line, CHECK_NO, "collect --stack fp"),
			      "samples come without registers or stack");
}

void check_fp(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	struct trial trial;
	int error;

	check_attr(false, &attr);
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	error = trial_run(facts->sys, &attr, &trial);
	if (error)
		check_refused(facts->sys, &attr, error, line);
	else
		strbuf_addf(check_say(line, trial.chain_len ? CHECK_YES : CHECK_NO, NULL),
			    "the kernel follows frame pointers, up to %ld frames; most "
			    "libraries have none",
			    sys_read_number(facts->sys,
					    "/proc/sys/kernel/perf_event_max_stack",
					    127));
}

void check_lbr(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	int error;

	if (facts->counters) {
		strbuf_addstr(check_say(line, CHECK_NO, NULL), "no counter opens here");
		return;
	}
	check_attr(true, &attr);
	attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
	error = trial_open(facts->sys, &attr, 0, -1, 0);
	if (error)
		strbuf_addstr(
			check_say(line, CHECK_NO, NULL),
			"this CPU does not record calls (Intel's do, since Haswell)");
	else
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "the CPU records the last calls, up to 32");
}
