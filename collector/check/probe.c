/* SPDX-License-Identifier: Apache-2.0 */
#include "check/probe.h"

#include <errno.h>
#include <string.h>

#include "events/event.h"
#include "sample/refusal.h"

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
		strbuf_addstr(&why, "it opens, but delivers no sample");
	else
		refusal_explain(sys, &event, error, &why);
	text = strbuf_str(&why);
	cut = strstr(text, "; ");
	strbuf_add(check_say(line, CHECK_NO, cut ? cut + 2 : NULL), text,
		   cut ? (size_t)(cut - text) : why.len);
	strbuf_release(&why);
}
