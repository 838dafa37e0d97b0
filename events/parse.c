/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/alias.h"
#include "events/context.h"
#include "events/event.h"
#include "events/mods.h"
#include "events/pfm.h"
#include "events/rate.h"
#include "events/resolve.h"
#include "events/spec.h"
#include "events/sysfs.h"
#include "events/tracepoint_match.h"
#include "base/xalloc.h"

struct events *events_open(const char *root, struct strbuf *err)
{
	struct events *events;

	if (pfm_open(err))
		return NULL;
	events = xcalloc(1, sizeof(*events));
	events->root = root;
	events->counters = xmalloc(sizeof(*events->counters));
	strtab_init(events->counters);
	sysfs_find_cores(events);
	return events;
}

void events_close(struct events *events)
{
	if (!events)
		return;
	vec_for_each(struct core_pmu, core, &events->cores)
		free(core->name);
	vec_release(&events->cores);
	strtab_release(events->counters);
	free(events->counters);
	free(events);
	pfm_close();
}

/* The levels that an alias itself excludes are no part of its name. */
static bool is_bare_alias(const struct events *events, const struct event *event)
{
	const struct alias *alias = alias_find(event->name);
	struct event_list list = { 0 };
	bool listed, same = false;

	if (alias && !resolve_alias(events, alias, &list, &listed))
		same = list.data[0].exclude_user == event->exclude_user &&
		       list.data[0].exclude_kernel == event->exclude_kernel &&
		       list.data[0].precise_ip == event->precise_ip;
	event_list_release(&list);
	return same;
}

static const char *levels_label(const struct event *event)
{
	if (event->exclude_kernel == event->exclude_user)
		return "";
	return event->exclude_kernel ? " (user)" : " (system)";
}

/* Sets name, label and raw name by the remaining modifiers and attributes. */
static void event_spell(const struct events *events, struct event *event)
{
	bool bare = is_bare_alias(events, event);
	struct strbuf mods = { 0 };
	char *name = event->name, *raw = event->raw, *label = event->label;

	mods_spell(event, &mods);
	event->label = xasprintf("%s%s", label ? label : name,
				 bare ? "" : levels_label(event));
	event->name = xasprintf("%s%s", name, bare ? "" : strbuf_str(&mods));
	event->raw = xasprintf("%s%s", raw, strbuf_str(&mods));
	for (char *c = event->name; *c; c++)
		if (*c == ':')
			*c = '.';
	strbuf_release(&mods);
	free(name);
	free(raw);
	free(label);
}

static int event_finish(const struct events *events, const struct spec *spec,
			struct event *event, struct strbuf *err)
{
	int error = 0;

	event->asked = xstrdup(spec->asked);
	event->reg = spec->reg;
	event->addresses = spec->addresses;
	vec_for_each(const struct spec_attr, attr, &spec->attrs)
		if (!error)
			error = mods_apply_attr(attr, event, err);
	if (!error && *spec->rate)
		error = rate_parse(spec->rate, spec->asked, event->period, &event->period,
				   &event->freq, err);
	if (!error)
		error = rate_check_clock(spec->asked, event, err);
	if (!error)
		event_spell(events, event);
	return error;
}

/*
 * If several events sample something that the kernel itself counts, each occurrence gives
 * all of them a sample with the same id (seen with Linux 6.18).
 */
static bool is_mixed_up(const struct event *a, const struct event *b)
{
	return !a->member && a->type == PERF_TYPE_SOFTWARE &&
	       b->type == PERF_TYPE_SOFTWARE && a->config == b->config &&
	       a->config != PERF_COUNT_SW_CPU_CLOCK &&
	       a->config != PERF_COUNT_SW_TASK_CLOCK;
}

static int twice_check(const struct event_list *list, const struct event *event,
		       struct strbuf *err)
{
	vec_for_each(const struct event, other, list) {
		if (!strcmp(other->name, event->name)) {
			strbuf_addf(err, "the counter %s appears twice", event->name);
			return -EINVAL;
		}
		if (is_mixed_up(other, event)) {
			strbuf_addf(err,
				    "the samples of %s and %s cannot be distinguished; "
				    "record them one after the other",
				    other->asked, event->asked);
			return -EINVAL;
		}
	}
	return 0;
}

/* Moves the parts of one counter to the end of LIST. */
static int parts_take(const struct events *events, const struct spec *spec,
		      struct event_list *parts, struct event_list *list,
		      struct strbuf *err)
{
	int error = 0;

	for (size_t i = 0; !error && i < parts->len; i++)
		error = event_finish(events, spec, &parts->data[i], err);
	if (!error)
		error = twice_check(list, &parts->data[0], err);
	for (size_t i = 0; !error && i < parts->len; i++) {
		*vec_push(list) = parts->data[i];
		parts->data[i] = (struct event){ 0 };
	}
	return error;
}

static int spec_resolve(const struct events *events, const struct spec *spec,
			struct event_list *list, struct strbuf *err)
{
	struct event_list parts = { 0 };
	int error = resolve_name(events, spec->name, &parts, err);

	if (!error)
		error = parts_take(events, spec, &parts, list, err);
	event_list_release(&parts);
	return error;
}

/* A pattern stands for all matching tracepoints, each a counter of its own. */
static int pattern_resolve(const struct events *events, struct spec *spec,
			   struct event_list *list, struct strbuf *err)
{
	struct tracepoint_names names = { 0 };
	int error = tracepoint_match(events, spec->name, &names, err);

	for (size_t i = 0; !error && i < names.v.len; i++) {
		free(spec->name);
		free(spec->asked);
		spec->name = xstrdup(names.v.data[i]);
		spec->asked = xstrdup(names.v.data[i]);
		error = spec_resolve(events, spec, list, err);
	}
	tracepoint_names_release(&names);
	return error;
}

static int counter_parse(const struct events *events, const char **text,
			 struct event_list *list, struct strbuf *err)
{
	struct spec spec;
	int error = spec_next(text, &spec, err);

	if (error)
		return error;
	error = tracepoint_is_pattern(spec.name)
			? pattern_resolve(events, &spec, list, err)
			: spec_resolve(events, &spec, list, err);
	spec_release(&spec);
	return error;
}

/* ---- groups ---- */

/* Takes the text behind a group's brace: nothing, a comma, or a rate after one. */
static int group_rate_take(const char **text, char **rate, struct strbuf *err)
{
	size_t len;

	*rate = xstrdup("");
	if (!**text)
		return 0;
	if (**text != ',') {
		strbuf_addf(err,
			    "unexpected `%s' after the } of a group; write {a,b},RATE",
			    *text);
		return -EINVAL;
	}
	free(*rate);
	len = strcspn(++*text, ",");
	*rate = xstrndup(*text, len);
	if (!rate_looks_like(*rate)) { /* the next counter */
		**rate = '\0';
		return 0;
	}
	*text += len + ((*text)[len] == ',');
	return 0;
}

/* The next counter between the braces; the first has the RATE of all. */
static int member_parse(const struct events *events, const char **text, const char *rate,
			struct event_list *list, struct strbuf *err)
{
	size_t before = list->len;
	struct spec spec;
	int error = spec_next(text, &spec, err);

	if (error)
		return error;
	if (*spec.rate) {
		strbuf_addf(err,
			    "a group has one rate, after its brace: {%s,\xe2\x80\xa6},%s",
			    spec.asked, spec.rate);
		error = -EINVAL;
	}
	free(spec.rate);
	spec.rate = xstrdup(rate);
	if (!error && tracepoint_is_pattern(spec.name)) {
		strbuf_addf(err, "the pattern %s cannot be in a group; name its counters",
			    spec.asked);
		error = -EINVAL;
	}
	if (!error)
		error = spec_resolve(events, &spec, list, err);
	if (!error && list->len > before + 1) {
		strbuf_addf(err,
			    "%s is a counter of each kind of core here, and cannot be in "
			    "a group; name that of one",
			    spec.asked);
		error = -EINVAL;
	}
	spec_release(&spec);
	return error;
}

/* A group of one is none. */
static void group_mark(struct event_list *list, size_t first)
{
	unsigned number = 1;

	vec_for_each(const struct event, event, list)
		number = event->group >= number ? event->group + 1 : number;
	for (size_t i = first; first + 1 < list->len && i < list->len; i++) {
		list->data[i].group = number;
		list->data[i].member = i > first;
	}
}

/* *TEXT is at the brace. */
static int group_parse(const struct events *events, const char **text,
		       struct event_list *list, struct strbuf *err)
{
	size_t len = strcspn(*text, "}"), first = list->len;
	char *inner, *rate = NULL;
	const char *at;
	int error;

	if (!(*text)[len]) {
		strbuf_addf(err, "the group `%s' has no } at its end", *text);
		return -EINVAL;
	}
	at = inner = xstrndup(*text + 1, len - 1);
	*text += len + 1;
	error = group_rate_take(text, &rate, err);
	if (!error && !*at) {
		strbuf_addstr(err, "the group {} has no counter");
		error = -EINVAL;
	}
	while (!error && *at)
		error = member_parse(events, &at, list->len > first ? "" : rate, list,
				     err);
	if (!error)
		group_mark(list, first);
	free(inner);
	free(rate);
	return error;
}

int event_list_parse(const struct events *events, const char *text,
		     struct event_list *list, struct strbuf *err)
{
	size_t before = list->len;
	int error = 0;

	do {
		error = *text == '{' ? group_parse(events, &text, list, err)
				     : counter_parse(events, &text, list, err);
	} while (!error && *text);
	while (error && list->len > before)
		event_release(&list->data[--list->len]);
	return error;
}
