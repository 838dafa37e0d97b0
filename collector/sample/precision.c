/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/precision.h"

#include <errno.h>

#define DEFAULT_MAX 2

static const char *const caps[] = {
	"/sys/bus/event_source/devices/cpu/caps/max_precise",
	"/sys/bus/event_source/devices/cpu_core/caps/max_precise",
};

static bool is_of_core(const struct event *event)
{
	return event->type == PERF_TYPE_HARDWARE || event->type == PERF_TYPE_HW_CACHE ||
	       event->type == PERF_TYPE_RAW;
}

void precision_default(const struct sys *sys, struct event *event)
{
	long most = 0;

	if (event->precision != EVENT_PRECISION_DEFAULT || !is_of_core(event))
		return;
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]) && most <= 0; i++)
		most = sys_read_number(sys, caps[i], 0);
	if (most > 0)
		event->precise_ip = most < DEFAULT_MAX ? (unsigned)most : DEFAULT_MAX;
}

/* "cpu" and "cpu_core" are x86's; Arm's have names of their own. */
bool precision_counts(const struct sys *sys)
{
	return sys_read_number(sys, "/sys/bus/event_source/devices/cpu/type", -1) >= 0 ||
	       sys_read_number(sys, "/sys/bus/event_source/devices/cpu_core/type", -1) >=
		       0;
}

void precision_limit(const struct sys *sys, struct event *event)
{
	if (!event->precise_ip || !is_of_core(event) || precision_counts(sys))
		return;
	event->precise_ip = 0;
	event->precision = EVENT_PRECISION_FIXED;
	event_respell(event);
}

/* No such degree, not for this event, or not with these levels (AMD's IBS). */
bool precision_refused(int error)
{
	return error == -EOPNOTSUPP || error == -EINVAL || error == -ENOENT;
}
