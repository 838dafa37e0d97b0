/* SPDX-License-Identifier: Apache-2.0 */
#include "events/resolve.h"

#include <errno.h>
#include <string.h>

#include "events/mods.h"
#include "base/nearest.h"
#include "events/perf_name.h"
#include "events/pfm.h"
#include "events/sysfs.h"
#include "base/xalloc.h"

#define NORMAL_PERIOD        1000003
#define NORMAL_CYCLES_PERIOD 2999999

static int mods_apply_from(const struct mods *mods, struct event_list *list, size_t first,
			   struct strbuf *err)
{
	int error = 0;

	for (size_t i = first; !error && i < list->len; i++)
		error = mods_apply(mods, &list->data[i], err);
	return error;
}

static void list_cut(struct event_list *list, size_t len)
{
	while (list->len > len)
		event_release(&list->data[--list->len]);
}

/* A name of the tables or of the kernel, with modifiers, as in a row of aliases. */
static int candidate_encode(const struct events *events, const char *text, bool kernel,
			    struct event_list *list)
{
	struct event event = { .reg = EVENT_NO_REGISTER };
	struct strbuf ignored = { 0 };
	char *name = xstrdup(text);
	size_t first = list->len;
	struct mods mods;
	int error;

	mods_cut(name, &mods);
	error = kernel ? perf_name_encode(events, name, list) : pfm_encode(name, &event);
	if (!error && !kernel)
		*vec_push(list) = event;
	if (!error)
		error = mods_apply_from(&mods, list, first, &ignored);
	if (error)
		list_cut(list, first);
	strbuf_release(&ignored);
	free(name);
	return error;
}

static void alias_dress(const struct alias *alias, struct event *event)
{
	free(event->name);
	free(event->label);
	event->name = xstrdup(alias->name);
	event->label = xstrdup(alias->label);
	event->unit = alias->unit;
	event->measures_time = alias->flags & ALIAS_TIME;
	event->period = alias->overflow;
	event->freq = false;
}

int resolve_alias(const struct events *events, const struct alias *alias,
		  struct event_list *list, bool *listed)
{
	size_t first = list->len;
	int error = -ENOENT;

	/* libpfm4 encodes for one kind of core; the kernel's names work on each */
	*listed = true;
	for (size_t i = 0; !events->cores.len && error && i < ALIAS_TABLES; i++)
		if (alias->tables[i])
			error = candidate_encode(events, alias->tables[i], false, list);
	if (error && alias->kernel) {
		*listed = (alias->flags & ALIAS_EVERYWHERE) || !pfm_cpu();
		error = candidate_encode(events, alias->kernel, true, list);
	}
	for (size_t i = first; !error && i < list->len; i++)
		alias_dress(alias, &list->data[i]);
	return error;
}

void resolve_times(const struct events *events, struct event_list *times)
{
	const struct alias *alias;
	bool listed;

	for (size_t n = 0; (alias = alias_nth(n)); n++)
		if (alias->flags & ALIAS_TIME &&
		    resolve_alias(events, alias, times, &listed))
			continue; /* this CPU has none: do not compare with it */
}

void event_classify(const struct event_list *times, struct event *event)
{
	vec_for_each(const struct event, time, times) {
		if (event->type == PERF_TYPE_RAW && time->type == event->type &&
		    time->config == event->config && !event->config1) {
			event->unit = time->unit;
			event->measures_time = true;
			return;
		}
	}
	perf_name_classify(event);
}

static void keep_counter(const struct pfm_counter *counter, void *arg)
{
	strtab_intern(arg, counter->name);
}

static void offer_counters(struct strtab *counters, struct nearest *near)
{
	if (strtab_count(counters) == 1)
		pfm_each_counter(keep_counter, counters);
	for (uint32_t id = 1; id < strtab_count(counters); id++)
		nearest_offer(near, strtab_get(counters, id));
}

static void offer_name(const char *name, void *arg)
{
	nearest_offer(arg, name);
}

static int unknown_fail(const struct events *events, const char *name, struct strbuf *err)
{
	const struct alias *alias;
	const char *cpu = pfm_cpu();
	struct nearest near;

	nearest_init(&near, name);
	for (size_t n = 0; (alias = alias_nth(n)); n++)
		nearest_offer(&near, alias->name);
	perf_name_each(offer_name, &near);
	offer_counters(events->counters, &near);

	strbuf_addf(err, "unknown counter `%s' on this CPU (%s)", name,
		    cpu ? cpu : "which libpfm4 does not know");
	strbuf_addstr(err, near.count ? ": did you mean " : ": `collect -h' lists them");
	nearest_join(&near, err);
	if (near.count)
		strbuf_addch(err, '?');
	if (sysfs_hides_tracepoints(events, name))
		strbuf_addstr(err, "; to see tracepoints: sudo mount -t tracefs tracefs "
				   "/sys/kernel/tracing");
	nearest_release(&near);
	return -ENOENT;
}

static int raw_encode(const struct events *events, const char *name,
		      struct event_list *list, struct strbuf *err)
{
	struct event event = { .reg = EVENT_NO_REGISTER };
	int error;

	if (strchr(name, '/')) {
		error = sysfs_encode_pmu(events, name, &event, err);
		/* Arm's core PMU has a number of its own instead of PERF_TYPE_RAW */
		if (!error && event.type == events->core_type)
			event.type = PERF_TYPE_RAW;
	} else if (!perf_name_encode(events, name, list))
		return 0;
	else if ((error = pfm_encode(name, &event)) == -ENOENT)
		error = sysfs_encode_tracepoint(events, name, &event, err);
	if (error) {
		event_release(&event);
		return error == -ENOENT && !err->len ? unknown_fail(events, name, err)
						     : error;
	}
	*vec_push(list) = event;
	return 0;
}

uint64_t event_normal_period(const struct event *event)
{
	if (event->period)
		return event->period;
	return event->measures_time ? NORMAL_CYCLES_PERIOD : NORMAL_PERIOD;
}

static void raw_dress(const struct events *events, struct event *event)
{
	struct event_list times = { 0 };

	resolve_times(events, &times);
	event_classify(&times, event);
	event_list_release(&times);
	event->period = event_normal_period(event);
}

static int base_encode(const struct events *events, const char *name,
		       struct event_list *list, struct strbuf *err)
{
	const struct alias *alias = alias_find(name);
	bool listed;
	int error;

	if (!alias) {
		error = raw_encode(events, name, list, err);
		for (size_t i = 0; !error && i < list->len; i++)
			raw_dress(events, &list->data[i]);
		return error;
	}
	error = resolve_alias(events, alias, list, &listed);
	if (error)
		strbuf_addf(
			err,
			"this CPU (%s) has no counter for %s; `collect -h' lists those "
			"it has",
			pfm_cpu() ? pfm_cpu() : "which libpfm4 does not know",
			alias->name);
	return error;
}

int resolve_name(const struct events *events, const char *name, struct event_list *list,
		 struct strbuf *err)
{
	struct event_list found = { 0 };
	char *base = xstrdup(name);
	struct mods mods;
	int error;

	mods_cut(base, &mods);
	error = base_encode(events, base, &found, err);
	if (!error)
		error = mods_apply_from(&mods, &found, 0, err);
	for (size_t i = 0; !error && i < found.len; i++) {
		*vec_push(list) = found.data[i];
		found.data[i] = (struct event){ 0 };
	}
	event_list_release(&found);
	free(base);
	return error;
}
