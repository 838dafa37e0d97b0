/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/state.h"

#include <string.h>

#include "experiment/log.h"
#include "base/xalloc.h"

const struct exp_state_desc exp_states[EXP_STATES] = {
	[EXP_STATE_WAIT] = { "wait", "Wait CPU Time" },
	[EXP_STATE_LOCK] = { "lock", "User Lock Time" },
	[EXP_STATE_DATAFAULT] = { "datafault", "Data Page Fault Time" },
	[EXP_STATE_TEXTFAULT] = { "textfault", "Text Page Fault Time" },
	[EXP_STATE_PAGEFAULT] = { "pagefault", "Other Page Fault Time" },
	[EXP_STATE_STOPPED] = { "stopped", "Stopped Time" },
	[EXP_STATE_SLEEP] = { "sleep", "Sleep Time" },
	[EXP_STATE_DISK] = { "disk", "Disk Wait Time" },
	[EXP_STATE_NETWORK] = { "network", "Network Wait Time" },
	[EXP_STATE_PIPE] = { "pipe", "Pipe and IPC Wait Time" },
	[EXP_STATE_POLL] = { "poll", "Poll Wait Time" },
	[EXP_STATE_CHILD] = { "child", "Child Wait Time" },
	[EXP_STATE_TIMER] = { "timer", "Timer Wait Time" },
	[EXP_STATE_OTHER] = { "otherwait", "Unexplained Wait Time" },
	[EXP_STATE_UNKNOWN] = { "unknown", "Unknown State Time" },
};

enum exp_state exp_state_find(const char *name)
{
	unsigned state = 0;

	while (state < EXP_STATES && strcmp(exp_states[state].name, name) != 0)
		state++;
	return (enum exp_state)state;
}

void exp_state_describe(struct exp_event *event, enum exp_state state, const char *asked)
{
	*event = (struct exp_event){
		.leader = xstrdup(""),
		.asked = xstrdup(asked),
		.got = xstrdup("switches of threads"),
		.reason = xstrdup(""),
		.metric = xstrdup(exp_states[state].name),
		.label = xstrdup(exp_states[state].label),
		.unit = xstrdup("ns"),
		.state = xstrdup(exp_states[state].name),
		.skid = xstrdup(""),
		.scale = 1,
	};
}
