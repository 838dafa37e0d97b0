/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/ladder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sample/group_trial.h"
#include "sample/precision.h"
#include "sample/refusal.h"
#include "base/xalloc.h"

enum {
	CLOCK_NS_MIN = 50000, /* a shorter period steals more time than it measures */
	CLOCK_NS_DEFAULT = 997000,
};

static int try_attr(const struct sys *sys, struct perf_event_attr *attr)
{
	int fd = sys->perf_event_open(attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	sys->close(fd);
	return 0;
}

/* A kernel with one weight gives the latency in it, one with several in the first. */
static uint64_t address_type(unsigned features)
{
	return PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC |
	       (features & ATTR_WEIGHTS ? PERF_SAMPLE_WEIGHT_STRUCT : PERF_SAMPLE_WEIGHT);
}

uint64_t ladder_sample_type(const struct ladder *ladder)
{
	vec_for_each(const struct rung, rung, &ladder->rungs)
		if (rung->event.addresses)
			return address_type(ladder->features);
	return 0;
}

static void trial_attr(const struct event *event, unsigned features,
		       struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){ 0 };
	event_attr(event, attr);
	attr->disabled = 1;
	attr->inherit = 1;
	attr->mmap = attr->mmap2 = 1;
	attr->build_id = !!(features & ATTR_BUILD_ID);
	attr->inherit_thread = !!(features & ATTR_INHERIT_THREAD);
	if (event->addresses)
		attr->sample_type = address_type(features);
	attr->read_format = features & ATTR_LOST ? PERF_FORMAT_LOST : 0;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

/*
 * An older kernel rejects an unknown feature with EINVAL, without naming it.  So each
 * feature is tried alone, on an event that every kernel has.
 */
static unsigned probe_features(const struct sys *sys)
{
	unsigned found = 0;
	struct perf_event_attr attr;
	struct event clock = { 0 };

	event_clock(CLOCK_NS_DEFAULT, &clock);
	clock.exclude_kernel = clock.exclude_hv = true;
	clock.addresses = true;
	for (unsigned f = ATTR_BUILD_ID; f <= ATTR_CGROUP; f <<= 1) {
		trial_attr(&clock, f, &attr);
		if (f == ATTR_INHERIT_READ)
			attr.sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_TID;
		if (f == ATTR_CGROUP) {
			attr.sample_type |= PERF_SAMPLE_CGROUP;
			attr.cgroup = 1;
		}
		if (!try_attr(sys, &attr))
			found |= f;
	}
	event_release(&clock);
	return found;
}

/* Events that happen only in the kernel: without it nothing would be left. */
static bool is_of_kernel(const struct event *event)
{
	static const uint64_t configs[] = { PERF_COUNT_SW_CONTEXT_SWITCHES,
					    PERF_COUNT_SW_CPU_MIGRATIONS };

	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
		if (event->type == PERF_TYPE_SOFTWARE && event->config == configs[i])
			return true;
	return event->type == PERF_TYPE_TRACEPOINT;
}

/*
 * Opens EVENT as it is, or without the kernel if that is not allowed and the user did not
 * ask for the kernel alone.  Changes EVENT to what opened.
 */
static int try_event(const struct sys *sys, struct event *event, unsigned features)
{
	struct perf_event_attr attr;
	int error;

	trial_attr(event, features, &attr);
	error = try_attr(sys, &attr);
	if ((error != -EACCES && error != -EPERM) || event->exclude_kernel ||
	    event->exclude_user || is_of_kernel(event))
		return error;
	trial_attr(event, features, &attr);
	attr.exclude_kernel = attr.exclude_hv = 1;
	if (try_attr(sys, &attr))
		return error;
	event->exclude_kernel = event->exclude_hv = true;
	event_respell(event);
	return 0;
}

/*
 * The same, with less precision if necessary.  If nothing opens, the event stays as
 * requested, for messages.
 */
static int try_precise(const struct sys *sys, struct event *event, unsigned features)
{
	const unsigned asked = event->precise_ip;
	int error = try_event(sys, event, features);

	while (error && event->precise_ip && precision_refused(error)) {
		event->precise_ip--;
		error = try_event(sys, event, features);
	}
	if (error) {
		event->precise_ip = asked;
	} else if (asked) {
		event->precision = EVENT_PRECISION_FIXED;
		event_respell(event);
	}
	return error;
}

/* Reports less precision than the user requested, or fails. */
static int note_precision(struct rung *rung, unsigned asked, bool strict,
			  struct strbuf *err)
{
	const struct event *e = &rung->event;
	struct strbuf note = { 0 };

	if (e->clock || e->precise_ip >= asked)
		return 0;
	strbuf_addf(&note, "%s is available here only with %s", e->asked, event_skid(e));
	if (strict) {
		strbuf_addf(err, "%s; without --strict collect takes that",
			    strbuf_str(&note));
		strbuf_release(&note);
		return -EOPNOTSUPP;
	}
	rung->precision_note = strbuf_detach(&note);
	return 0;
}

/* A period of the clock that samples about as often as one of COUNTER would. */
static uint64_t clock_period(const struct event *counter, double nominal_hz)
{
	double ns = CLOCK_NS_DEFAULT;

	if (counter->freq)
		ns = 1e9 / (double)counter->period;
	else if (nominal_hz > 0)
		ns = (double)counter->period / nominal_hz * 1e9;
	if (ns < CLOCK_NS_MIN)
		ns = CLOCK_NS_MIN;
	return ns > 1e12 ? 1000000000000u : (uint64_t)ns;
}

/* Replaces RUNG's counter by the clock, for the same privilege levels. */
static void step_down(struct rung *rung, double nominal_hz)
{
	struct event clock = { 0 };

	event_clock(clock_period(&rung->event, nominal_hz), &clock);
	clock.exclude_kernel = rung->event.exclude_kernel;
	clock.exclude_user = rung->event.exclude_user;
	clock.addresses = rung->event.addresses;
	free(clock.asked);
	clock.asked = xstrdup(rung->event.asked);
	event_release(&rung->event);
	rung->event = clock;
}

static int refuse(const struct sys *sys, const struct event *event, int error,
		  bool strict, struct strbuf *err)
{
	strbuf_addf(err, "%s cannot be counted: ", event->asked);
	refusal_explain(sys, event, error, err);
	if (event->measures_time && !event->clock && strict)
		strbuf_addstr(err, "; without --strict the clock replaces it");
	return error;
}

static void replace_text(char **text, const char *with)
{
	free(*text);
	*text = xstrdup(with);
}

/* A clock that does not see all of the time is not called total. */
static void name_clock(struct event *e)
{
	if (!e->clock || strcmp(e->name, "totalcpu") ||
	    e->exclude_kernel == e->exclude_user)
		return;
	replace_text(&e->name, e->exclude_kernel ? "user" : "system");
	replace_text(&e->label, e->exclude_kernel ? "User CPU Time" : "System CPU Time");
}

/* Opens one event: as it is, or replaced by the clock. */
static int climb_one(struct ladder *ladder, struct rung *rung, const struct sys *sys,
		     double nominal_hz, bool strict, struct strbuf *err)
{
	const unsigned named = rung->event.precision == EVENT_PRECISION_FIXED
				       ? rung->event.precise_ip
				       : 0;
	struct strbuf why = { 0 };
	int error;

	if (!rung->event.member)
		precision_default(sys, &rung->event);
	rung->precise_asked = rung->event.precise_ip;
	precision_limit(sys, &rung->event);
	error = try_precise(sys, &rung->event, ladder->features);

	if (error && rung->event.measures_time && !rung->event.clock && !strict &&
	    !rung->event.group) {
		refusal_explain(sys, &rung->event, error, &why);
		rung->reason = strbuf_detach(&why);
		step_down(rung, nominal_hz);
		error = try_event(sys, &rung->event, ladder->features);
	}
	if (error)
		return refuse(sys, &rung->event, error, strict, err);
	name_clock(&rung->event);
	return note_precision(rung, named, strict, err);
}

static void copy_event(struct event *to, const struct event *from)
{
	*to = *from;
	to->asked = xstrdup(from->asked);
	to->name = xstrdup(from->name);
	to->label = xstrdup(from->label);
	to->raw = xstrdup(from->raw);
}

static void release_rung(struct rung *rung)
{
	event_release(&rung->event);
	free(rung->reason);
	free(rung->precision_note);
}

/*
 * Two equal clocks would measure the same time twice: the first represents both, and has
 * the reason why the second is no counter.
 */
static void drop_second_clock(struct ladder *ladder)
{
	struct rung *last = &ladder->rungs.data[ladder->rungs.len - 1];
	char *both;

	vec_for_each(struct rung, r, &ladder->rungs) {
		if (r == last || !last->event.clock || last->event.group ||
		    strcmp(r->event.name, last->event.name))
			continue;
		both = xasprintf("%s,%s", r->event.asked, last->event.asked);
		free(r->event.asked);
		r->event.asked = both;
		if (!r->reason) {
			r->reason = last->reason;
			last->reason = NULL;
		}
		release_rung(last);
		ladder->rungs.len--;
		return;
	}
}

int ladder_climb(struct ladder *ladder, const struct sys *sys,
		 const struct event_list *events, double nominal_hz, bool strict,
		 struct strbuf *err)
{
	struct strbuf note = { 0 };

	*ladder = (struct ladder){ .features = probe_features(sys) };
	for (size_t i = 0; i < events->len; i++) {
		struct rung *rung = vec_push(&ladder->rungs);
		bool asked_kernel = !events->data[i].exclude_kernel;
		int error;

		*rung = (struct rung){ 0 };
		copy_event(&rung->event, &events->data[i]);
		error = climb_one(ladder, rung, sys, nominal_hz, strict, err);
		if (error)
			return error;
		rung->kernel = !rung->event.exclude_kernel;
		if (asked_kernel && !rung->kernel && !ladder->kernel_note) {
			refusal_explain_kernel(sys, &note);
			ladder->kernel_note = strbuf_detach(&note);
		}
		drop_second_clock(ladder);
	}
	return group_trial(sys, ladder, err);
}

/* Of two software events that count the same, both samples have the id of one: events/parse.c. */
static bool has_software(const struct ladder *ladder, uint64_t config, bool user)
{
	vec_for_each(const struct rung, rung, &ladder->rungs)
		if (rung->event.type == PERF_TYPE_SOFTWARE &&
		    rung->event.config == config &&
		    !(user ? rung->event.exclude_user : rung->event.exclude_kernel))
			return true;
	return false;
}

bool ladder_add_switches(struct ladder *ladder, const struct sys *sys,
			 struct strbuf *reason)
{
	struct rung *rung;
	int error;

	if (has_software(ladder, PERF_COUNT_SW_CONTEXT_SWITCHES, false))
		return true;
	rung = vec_push(&ladder->rungs);
	*rung = (struct rung){ .waits = true, .kernel = true };
	rung->event = (struct event){
		.asked = xstrdup("-w on"),
		.name = xstrdup("context-switches"),
		.label = xstrdup("Context Switches"),
		.raw = xstrdup("perf::PERF_COUNT_SW_CONTEXT_SWITCHES"),
		.unit = EVENT_UNIT_EVENTS,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.period = 1,
	};
	error = try_event(sys, &rung->event, ladder->features);
	if (!error)
		return true;
	refusal_explain(sys, &rung->event, error, reason);
	release_rung(rung);
	ladder->rungs.len--;
	return false;
}

/* Faults in system calls are excluded: they are for data. */
void ladder_add_faults(struct ladder *ladder, const struct sys *sys)
{
	struct rung *rung;

	if (has_software(ladder, PERF_COUNT_SW_PAGE_FAULTS_MAJ, true))
		return;
	rung = vec_push(&ladder->rungs);
	*rung = (struct rung){ .waits = true };
	rung->event = (struct event){
		.asked = xstrdup("-w on"),
		.name = xstrdup("major-faults"),
		.label = xstrdup("Major Page Faults"),
		.raw = xstrdup("perf::PERF_COUNT_SW_PAGE_FAULTS_MAJ"),
		.unit = EVENT_UNIT_EVENTS,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ,
		.period = 1,
		.exclude_kernel = true,
		.exclude_hv = true,
		.bare = true,
	};
	if (!try_event(sys, &rung->event, ladder->features))
		return;
	release_rung(rung);
	ladder->rungs.len--;
}

const char *ladder_name(const struct event *event)
{
	return strcmp(event->asked, LADDER_DEFAULT) ? event->asked : event->label;
}

void ladder_release(struct ladder *ladder)
{
	vec_for_each(struct rung, r, &ladder->rungs)
		release_rung(r);
	vec_release(&ladder->rungs);
	free(ladder->kernel_note);
	*ladder = (struct ladder){ 0 };
}

int ladder_probe_counters(const struct sys *sys, struct strbuf *why)
{
	struct event cycles = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.period = 1000003,
		.exclude_kernel = true,
		.exclude_hv = true,
	};
	struct perf_event_attr attr;
	int error;

	trial_attr(&cycles, 0, &attr);
	error = try_attr(sys, &attr);
	if (error && why)
		refusal_explain(sys, &cycles, error, why);
	return error;
}
