/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check/probe.h"
#include "base/diag.h"
#include "events/event.h"
#include "sample/refusal.h"
#include "base/exit_status.h"

/* In the order in which they are asked; a group's rows stand together. */
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

struct strbuf *check_say(struct check_line *line, enum check_answer answer,
			 const char *remedy)
{
	line->answer = answer;
	if (remedy)
		strbuf_addstr(&line->remedy, remedy);
	return &line->found;
}

void check_attr(bool hardware, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.type = hardware ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
		.config = hardware ? (uint64_t)PERF_COUNT_HW_CPU_CYCLES
				   : (uint64_t)PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = hardware ? 200003 : 100000, /* cycles, or ns */
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

void check_refused(const struct sys *sys, const struct perf_event_attr *attr, int error,
		   struct check_line *line)
{
	const struct event event = {
		.type = attr->type,
		.config = attr->config,
		.period = attr->sample_period,
	};
	struct strbuf why = { 0 };
	const char *text, *cut;

	if (error == -ENODATA)
		strbuf_addstr(&why, "it opens, and no sample comes");
	else
		refusal_explain(sys, &event, error, &why);
	text = strbuf_str(&why);
	cut = strstr(text, "; ");
	strbuf_add(check_say(line, CHECK_NO, cut ? cut + 2 : NULL), text,
		   cut ? (size_t)(cut - text) : why.len);
	strbuf_release(&why);
}

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
