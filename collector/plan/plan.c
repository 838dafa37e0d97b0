/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/event.h"
#include "adapt/sockets.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "recording/waiting.h"

/* About one sample a millisecond, as for the counters. */
#define CLOCK_DEFAULT   "hi"
#define COUNTER_DEFAULT "cycles"

static int add_clock(struct event_list *list, const char *rate, struct strbuf *err)
{
	uint64_t period;
	int error;

	if (!strcmp(rate, "off"))
		return 0;
	error = clock_rate_parse(rate, &period, err);
	if (!error)
		event_clock(period, vec_push(list));
	return error;
}

static int add_counters(struct event_list *list, const struct options *opt,
			const struct sys *sys, struct strbuf *err)
{
	struct events *events = events_open(sys->root, err);
	int error = 0;

	if (!events)
		return -ENOSYS;
	for (size_t i = 0; i < opt->counters.len && !error; i++)
		error = event_list_parse(events, opt->counters.data[i], list, err);
	if (!opt->counters.len)
		error = event_list_parse(events, COUNTER_DEFAULT, list, err);
	events_close(events);
	return error;
}

/*
 * Takes the events that count for the whole machine out of LIST.  If no other is left,
 * the clock is added: something must record the time, and what ran.
 */
static int part_sockets(struct plan *plan, const struct sys *sys, struct event_list *list,
			struct strbuf *err)
{
	size_t kept = 0;

	vec_for_each(const struct event, event, list)
		if (event->group && sockets_wants(sys, event)) {
			strbuf_addf(err,
				    "%s counts for the whole machine and cannot be in a "
				    "group; name it outside the braces",
				    event->asked);
			return -EINVAL;
		}
	for (size_t i = 0; i < list->len; i++) {
		if (sockets_wants(sys, &list->data[i]))
			*vec_push(&plan->sockets) = list->data[i];
		else
			list->data[kept++] = list->data[i];
	}
	list->len = kept;
	return kept || !plan->sockets.len ? 0 : add_clock(list, CLOCK_DEFAULT, err);
}

/*
 * If the user named no event: cycles.  If no counter opens, the ladder leads to the
 * clock, at -p's rate of one sample a millisecond.
 */
static int parse_events(struct plan *plan, const struct options *opt,
			const struct sys *sys, struct event_list *list,
			struct strbuf *err)
{
	int error = 0;

	plan->by_default = !opt->counters.len && !opt->clock;
	if (opt->clock)
		error = add_clock(list, opt->clock, err);
	if (!error && plan->by_default && ladder_probe_counters(sys, NULL))
		return add_clock(list, CLOCK_DEFAULT, err);
	if (!error && (opt->counters.len || plan->by_default))
		error = add_counters(list, opt, sys, err);
	if (!error)
		error = part_sockets(plan, sys, list, err);
	if (!error && !list->len) {
		strbuf_addstr(err,
			      "-p off leaves nothing to record; name a counter with -h");
		error = -EINVAL;
	}
	return error;
}

static void add_switches(struct plan *plan, const struct sys *sys)
{
	struct strbuf why = { 0 };

	if (ladder_add_switches(&plan->ladder, sys, &why))
		ladder_add_faults(&plan->ladder, sys);
	else
		plan->waits_note = xasprintf("short waits have no stack and no cause: %s",
					     strbuf_str(&why));
	strbuf_release(&why);
}

static void add_wakers(struct plan *plan, const struct sys *sys)
{
	struct strbuf why = { 0 };

	plan->wakes = waking_find(&plan->waking, sys, &why);
	if (!plan->wakes)
		plan->wakers_note = xasprintf("who ended waits is not known: %s",
					      strbuf_str(&why));
	strbuf_release(&why);
}

/* The user named no event: describes the request, and why it is no counter. */
static void explain_default(struct plan *plan, const struct sys *sys)
{
	struct rung *rung = &plan->ladder.rungs.data[0];
	struct strbuf why = { 0 };

	free(rung->event.asked);
	rung->event.asked = xstrdup(LADDER_DEFAULT);
	if (rung->event.clock && ladder_probe_counters(sys, &why) && !rung->reason)
		rung->reason = xstrdup(strbuf_str(&why));
	strbuf_release(&why);
}

int plan_make(struct plan *plan, const struct options *opt, const struct sys *sys,
	      double nominal_hz, struct strbuf *err)
{
	struct event_list list = { 0 };
	int error = 0;

	*plan = (struct plan){ 0 };
	if (parse_events(plan, opt, sys, &list, err))
		error = PLAN_NOT_UNDERSTOOD;
	else if (ladder_climb(&plan->ladder, sys, &list, nominal_hz, opt->strict, err))
		error = PLAN_NOT_HERE;
	if (!error && plan->by_default)
		explain_default(plan, sys);
	if (!error && opt->waits)
		add_switches(plan, sys);
	if (!error && opt->wakers)
		add_wakers(plan, sys);
	event_list_release(&list);
	return error;
}

void plan_release(struct plan *plan)
{
	ladder_release(&plan->ladder);
	event_list_release(&plan->sockets);
	waking_release(&plan->waking);
	free(plan->wakers_note);
	free(plan->waits_note);
}

/* The last one, which may be for waits; WAITING_NO_EVENT: none. */
static uint32_t find_rung(const struct ladder *ladder, uint64_t config)
{
	for (uint32_t i = (uint32_t)ladder->rungs.len; i--;) {
		const struct event *e = &ladder->rungs.data[i].event;

		if (e->type == PERF_TYPE_SOFTWARE && e->config == config &&
		    (!e->exclude_kernel || e->bare))
			return i;
	}
	return WAITING_NO_EVENT;
}

/* The events for waits are none of the recording's: the first states have their numbers. */
struct plan_states plan_states(const struct plan *plan)
{
	const struct ladder *ladder = &plan->ladder;
	const uint32_t rungs = (uint32_t)ladder->rungs.len;
	uint32_t first = rungs, next = rungs + (uint32_t)plan->sockets.len;
	struct plan_states states;

	while (first && ladder->rungs.data[first - 1].waits)
		first--;
	for (uint32_t state = 0; state < EXP_STATES; state++)
		states.events[state] = first + state < rungs ? first + state : next++;
	states.switches = find_rung(ladder, PERF_COUNT_SW_CONTEXT_SWITCHES);
	states.faults = find_rung(ladder, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	states.keeps = states.switches < first;
	if (states.faults < first) /* without addresses */
		states.faults = WAITING_NO_EVENT;
	return states;
}

static void rung_text(const struct rung *rung, struct strbuf *out)
{
	const struct event *e = &rung->event;

	strbuf_addf(out, "%s: %s (%s), ", e->asked, e->label, e->raw);
	if (e->member)
		strbuf_addstr(out, "read at the samples of its group's first");
	else if (e->freq)
		strbuf_addf(out, "%" PRIu64 " samples a second", e->period);
	else if (e->unit == EVENT_UNIT_NS)
		strbuf_addf(out, "a sample every %.3f ms of CPU time",
			    (double)e->period / 1e6);
	else
		strbuf_addf(out, "a sample every %" PRIu64, e->period);
	strbuf_addstr(out, rung->kernel ? ", user and kernel\n" : "\n");
	if (e->precise_ip || rung->precise_asked)
		strbuf_addf(out, "  %s; asked for: %s\n", event_skid(e),
			    event_skid_name(rung->precise_asked));
	if (rung->reason)
		strbuf_addf(out, "  in place of a counter: %s\n", rung->reason);
}

void plan_text(const struct plan *plan, const struct options *opt, struct strbuf *out)
{
	vec_for_each(const struct rung, rung, &plan->ladder.rungs)
		if (!rung->waits)
			rung_text(rung, out);
	vec_for_each(const struct event, e, &plan->sockets)
		strbuf_addf(out, "%s: %s (%s), read for the whole machine\n", e->asked,
			    e->label, e->raw);
	if (plan->ladder.kernel_note)
		strbuf_addf(out, "%s\n", plan->ladder.kernel_note);
	if (opt->waits)
		strbuf_addf(out, "waits: exact times%s%s\n",
			    plan->waits_note ? "; " : ", and their stacks",
			    plan->waits_note ? plan->waits_note : "");
	if (opt->wakers)
		strbuf_addf(out, "wakers: %s\n",
			    plan->wakes ? plan->waking.event.raw : plan->wakers_note);
	strbuf_addf(out, "stacks: %s", stack_mode_names[opt->mode]);
	if (opt->mode == STACK_CFI && opt->stack_bytes)
		strbuf_addf(out, ", %u bytes of each copied", opt->stack_bytes);
	strbuf_addf(out, "; descendants: %s\n",
		    opt->follow ? "followed" : "not followed");
}
