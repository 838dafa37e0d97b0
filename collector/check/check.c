/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"

#include <stdio.h>

#include "check/probe.h"
#include "base/diag.h"
#include "base/exit_status.h"

/* In the order of asking; a group's rows are adjacent. */
static const struct {
	const char *group, *name;
	check_probe *ask;
} questions[] = {
	{ "Counting", "counters", check_counters },
	{ "Counting", "clock", check_clock },
	{ "Counting", "kernel samples", check_kernel },
	{ "Counting", "precise samples", check_precise },
	{ "Counting", "data addresses", check_addresses },
	{ "Counting", "socket counters", check_socket },
	{ "Counting", "tracepoints", check_tracepoints },
	{ "Whom", "own programs", check_child },
	{ "Whom", "other users", check_others },
	{ "Whom", "whole machine", check_system },
	{ "Whom", "control groups", check_cgroup },
	{ "Stacks", "cfi", check_cfi },
	{ "Stacks", "fp", check_fp },
	{ "Stacks", "lbr", check_lbr },
	{ "Stacks", "kernel names", check_kernel_names },
	{ "Limits", "paranoid", check_paranoid },
	{ "Limits", "capabilities", check_capabilities },
	{ "Limits", "rings", check_rings },
	{ "Limits", "open files", check_files },
	{ "Limits", "sample rate", check_rate },
	{ "Limits", "sampling time", check_cpu_share },
	{ "Limits", "watchdog", check_watchdog },
	{ "Limits", "priority", check_priority },
	{ "Limits", "seccomp", check_seccomp },
	{ "Limits", "container", check_container },
	{ "Limits", "ptrace scope", check_ptrace },
	{ "Limits", "confinement", check_confinement },
};

void check_run(struct check *check, const struct sys *sys)
{
	struct check_facts facts = { .sys = sys };

	*check = (struct check){ 0 };
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		struct check_line *line = vec_push(&check->lines);

		*line = (struct check_line){
			.group = questions[i].group,
			.name = questions[i].name,
		};
		questions[i].ask(&facts, line);
	}
	check->usable = !facts.counters || !facts.clock;
}

void check_release(struct check *check)
{
	vec_for_each(struct check_line, line, &check->lines) {
		strbuf_release(&line->found);
		strbuf_release(&line->remedy);
	}
	vec_release(&check->lines);
}

int check_main(const struct sys *sys, bool json)
{
	struct check check;
	struct strbuf out = { 0 };
	int status;

	check_run(&check, sys);
	if (json)
		check_json(&check, &out);
	else
		check_text(&check, &out);
	status = check.usable ? 0 : EXIT_FAILED;
	if (fputs(strbuf_str(&out), stdout) == EOF || fflush(stdout) == EOF) {
		diag_error("cannot write to standard output");
		status = EXIT_FAILED;
	}
	strbuf_release(&out);
	check_release(&check);
	return status;
}
