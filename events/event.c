/* SPDX-License-Identifier: Apache-2.0 */
#include "events/event.h"

#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

static const char *const unit_names[] = {
	[EVENT_UNIT_EVENTS] = "events",
	[EVENT_UNIT_CYCLES] = "cycles",
	[EVENT_UNIT_REF_CYCLES] = "ref-cycles",
	[EVENT_UNIT_NS] = "ns",
};

const char *event_unit_name(enum event_unit unit)
{
	return unit_names[unit];
}

const char *event_skid_name(unsigned precise_ip)
{
	static const char *const names[] = {
		"arbitrary skid",
		"constant skid",
		"no skid requested",
		"no skid",
	};

	return names[precise_ip & EVENT_PRECISE_MAX];
}

bool event_is_counted_by_kernel(const struct event *event)
{
	return event->type == PERF_TYPE_TRACEPOINT ||
	       (event->type == PERF_TYPE_SOFTWARE && event->unit != EVENT_UNIT_NS);
}

const char *event_skid(const struct event *event)
{
	return event_is_counted_by_kernel(event) ? "at the event itself"
						 : event_skid_name(event->precise_ip);
}

void event_release(struct event *event)
{
	free(event->asked);
	free(event->name);
	free(event->label);
	free(event->raw);
	memset(event, 0, sizeof(*event));
}

void event_list_release(struct event_list *list)
{
	vec_for_each(struct event, event, list)
		event_release(event);
	vec_release(list);
}

void event_clock(uint64_t period_ns, struct event *event)
{
	*event = (struct event){
		.asked = xstrdup("cpu-clock"),
		.name = xstrdup("totalcpu"),
		.label = xstrdup("Total CPU Time"),
		.raw = xstrdup("PERF_COUNT_SW_CPU_CLOCK"),
		.unit = EVENT_UNIT_NS,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.period = period_ns,
		.measures_time = true,
		.clock = true,
		.reg = EVENT_NO_REGISTER,
	};
}

void event_attr(const struct event *event, struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->type = event->type;
	attr->config = event->config;
	attr->config1 = event->config1;
	attr->config2 = event->config2;
	attr->exclude_user = event->exclude_user;
	attr->exclude_kernel = event->exclude_kernel;
	attr->exclude_hv = event->exclude_hv;
	attr->precise_ip = event->precise_ip & 3;
	attr->freq = event->freq;
	attr->sample_period = event->period; /* or sample_freq: they share the place */
	if (event->member)                   /* without sampling it cannot be precise */
		attr->sample_period = attr->freq = attr->precise_ip = 0;
}
