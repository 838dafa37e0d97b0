/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/preamble.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recording/attach.h"
#include "plan/labels.h"
#include "config.h"
#include "base/xalloc.h"
#include "output/note.h"

static char *utc_now(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return xstrdup(text);
}

/* LEADER: of its group, if it is a member of one. */
static void log_rung(struct exp_log *log, const struct rung *rung,
		     const struct rung *leader)
{
	const struct event *e = &rung->event;

	*vec_push(&log->events) = (struct exp_event){
		.leader = xstrdup(e->member ? leader->event.name : ""),
		.asked = xstrdup(e->asked),
		.got = xstrdup(e->raw),
		.reason = xstrdup(rung->reason           ? rung->reason
				  : rung->precision_note ? rung->precision_note
							 : ""),
		.metric = xstrdup(e->name),
		.label = xstrdup(e->label),
		.unit = xstrdup(event_unit_name(e->unit)),
		.skid = xstrdup(event_skid(e)),
		.precise = e->precise_ip,
		.precise_asked = rung->precise_asked,
		.period = e->freq || e->member ? 0 : e->period,
		.scale = 1,
	};
}

/* A note if the user named no event, a warning if the user named a counter. */
static void tell_reason(struct exp_log *log, const struct plan *plan,
			const struct rung *rung)
{
	struct strbuf text = { 0 };

	if (plan->by_default)
		strbuf_addf(&text, "sampling CPU time: %s", rung->reason);
	else
		strbuf_addf(&text, "sampling CPU time instead of %s: %s",
			    rung->event.asked, rung->reason);
	log_note(log, plan->by_default ? "note" : "warning", strbuf_str(&text));
	strbuf_release(&text);
}

/* In the order of plan_states. */
static void log_states(struct exp_log *log, const struct plan *plan)
{
	const struct plan_states states = plan_states(plan);

	for (unsigned state = 0; state < EXP_STATES; state++)
		if (states.events[state] == log->events.len)
			exp_state_describe(vec_push(&log->events), (enum exp_state)state,
					   "-w on");
}

static void log_waits(struct exp_log *log, const struct plan *plan)
{
	log_states(log, plan);
	log->wakers = plan->wakes;
	if (plan->waits_note)
		log_note(log, "note", plan->waits_note);
	if (plan->wakers_note)
		log_note(log, "warning", plan->wakers_note);
}

/* Reports the unexpected; -n has a report of its own. */
void preamble_plan(struct exp_log *log, const struct plan *plan,
		   const struct sockets *sockets, bool waits)
{
	const struct rung *leader = NULL;
	unsigned state = 0;

	vec_for_each(const struct rung, rung, &plan->ladder.rungs) {
		if (rung->waits) {
			exp_state_describe(vec_push(&log->events),
					   (enum exp_state)state++, "-w on");
			continue;
		}
		leader = rung->event.member ? leader : rung;
		log_rung(log, rung, leader);
		if (rung->reason)
			tell_reason(log, plan, rung);
		if (rung->precision_note)
			log_note(log, "warning", rung->precision_note);
	}
	sockets_describe(sockets, log);
	if (waits)
		log_waits(log, plan);
	if (plan->ladder.kernel_note)
		log_note(log, "note", plan->ladder.kernel_note);
}

void preamble_start(struct exp_log *log, const struct options *opt)
{
	log->version = xstrdup(PACKAGE_VERSION);
	log->cwd = getcwd(NULL, 0);
	if (!log->cgroup)
		log->cgroup = xstrdup("");
	log->comment = xstrdup(strbuf_str(&opt->comment));
	labels_fill(log, opt);
	log->stack = xstrdup(stack_mode_names[opt->mode]);
	log->started = utc_now();
	for (char **arg = opt->target; *arg; arg++)
		*vec_push(&log->command) = xstrdup(*arg);
}
