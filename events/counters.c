/* SPDX-License-Identifier: Apache-2.0 */
#include "events/counters.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "events/alias.h"
#include "events/context.h"
#include "events/pfm.h"
#include "events/resolve.h"
#include "base/vec.h"
#include "base/xalloc.h"

struct builder {
	const struct events *events;
	const char *pattern;
	bool anywhere; /* any name with PATTERN in it is wanted */
	struct counter_list *list;
	struct event_list times;
	unsigned registers; /* of the core */
};

static void counter_release(struct counter *counter)
{
	free(counter->name);
	free(counter->label);
	free(counter->raw);
	free(counter->desc);
	free(counter->pmu);
}

void counter_list_release(struct counter_list *list)
{
	vec_for_each(struct counter, counter, list)
		counter_release(counter);
	vec_release(list);
	list->aliases = 0;
}

static bool is_wanted(const struct builder *b, const char *name)
{
	return !b->pattern || !fnmatch(b->pattern, name, FNM_CASEFOLD) ||
	       (b->anywhere && strcasestr(name, b->pattern));
}

/* libpfm4's text has double spaces and line ends in places. */
static char *one_line(const char *text)
{
	struct strbuf out = { 0 };

	for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
		size_t len = strcspn(text, " \t\r\n");

		if (out.len)
			strbuf_addch(&out, ' ');
		strbuf_add(&out, text, len);
		text += len;
	}
	return out.data ? strbuf_detach(&out) : xstrdup("");
}

/* "skl" and "X:Y:u" of "skl::X:Y:u"; the kernel's names have no first part. */
static void raw_split(const char *raw, struct counter *counter)
{
	const char *colons = strstr(raw, "::");

	counter->pmu = colons ? xstrndup(raw, (size_t)(colons - raw)) : xstrdup("");
	counter->raw = xstrdup(colons ? colons + 2 : raw);
}

static void raw_spell(const struct event *event, struct strbuf *out)
{
	strbuf_addstr(out, event->raw);
	if (event->exclude_user != event->exclude_kernel)
		strbuf_addstr(out, event->exclude_user ? ":k" : ":u");
}

static void alias_add(struct builder *b, const struct alias *alias)
{
	struct event_list found = { 0 };
	struct strbuf raw = { 0 };
	bool listed = false, software;

	if (resolve_alias(b->events, alias, &found, &listed) || !listed)
		goto out;
	vec_for_each(const struct event, event, &found) {
		if (event->part)
			strbuf_addstr(&raw, " + ");
		raw_spell(event, &raw);
	}
	software = event_is_counted_by_kernel(&found.data[0]);
	*vec_push(b->list) = (struct counter){
		.name = xstrdup(alias->name),
		.label = xstrdup(alias->label),
		.desc = xstrdup(alias->desc),
		.software = software,
		.registers = software ? 0 : b->registers,
		.overflow = alias->overflow,
		.unit = alias->unit,
	};
	raw_split(strbuf_str(&raw), &b->list->data[b->list->len - 1]);
out:
	strbuf_release(&raw);
	event_list_release(&found);
}

/* libpfm4 does not say which counters sample loads or stores: their names do. */
static void memory_words(struct counter *counter)
{
	counter->load = counter->precise && strcasestr(counter->name, "LOAD");
	counter->store = counter->precise && strcasestr(counter->name, "STORE");
}

static void raw_add(const struct pfm_counter *from, void *arg)
{
	struct builder *b = arg;
	struct event event = { 0 };
	struct counter *counter;
	char *full;

	if (!is_wanted(b, from->name))
		return;
	full = xasprintf("%s::%s", from->pmu, from->name);
	if (!pfm_encode(full, &event))
		event_classify(&b->times, &event);
	counter = vec_push(b->list);
	*counter = (struct counter){
		.name = xstrdup(from->name),
		.desc = one_line(from->desc),
		.pmu = xstrdup(from->pmu),
		.registers = from->registers,
		.overflow = event_normal_period(&event),
		.unit = event.unit,
		.precise = from->precise,
		.not_program = from->uncore,
	};
	memory_words(counter);
	event_release(&event);
	free(full);
}

static void registers_see(const struct pfm_counter *counter, void *arg)
{
	unsigned *registers = arg;

	if (!*registers && !counter->uncore)
		*registers = counter->registers;
}

static void build(struct builder *b)
{
	const struct alias *alias;

	pfm_each_counter(registers_see, &b->registers);
	for (size_t n = 0; (alias = alias_nth(n)); n++)
		if (is_wanted(b, alias->name))
			alias_add(b, alias);
	b->list->aliases = b->list->len;
	resolve_times(b->events, &b->times);
	pfm_each_counter(raw_add, b);
	event_list_release(&b->times);
}

void counter_list_init(const struct events *events, const char *pattern,
		       struct counter_list *list)
{
	struct builder b = { .events = events, .pattern = pattern, .list = list };

	build(&b);
}

void counter_list_search(const struct events *events, const char *part,
			 struct counter_list *list)
{
	struct builder b = { events, part, .anywhere = true, .list = list };

	build(&b);
}

static char *attr_text(const struct event *event)
{
	struct strbuf out = { 0 };

	strbuf_addf(&out, "perf_event_attr: type %u, config 0x%llx", event->type,
		    (unsigned long long)event->config);
	if (event->config1)
		strbuf_addf(&out, ", config1 0x%llx", (unsigned long long)event->config1);
	if (event->config2)
		strbuf_addf(&out, ", config2 0x%llx", (unsigned long long)event->config2);
	strbuf_addf(&out, "; %s", event_skid(event));
	return strbuf_detach(&out);
}

static void explain_add(const struct event *event, struct counter_list *list)
{
	struct counter *counter = vec_push(list);

	*counter = (struct counter){
		.name = xstrdup(event->asked),
		.desc = attr_text(event),
		.overflow = event->period,
		.unit = event->unit,
		.software = event->clock || event_is_counted_by_kernel(event),
		.precise = event->precise_ip > 1,
		.not_program = event->not_program,
	};
	raw_split(event->raw, counter);
	if (strcmp(counter->raw, counter->name) != 0) {
		counter->label = xstrdup(event->label);
		return;
	}
	free(counter->raw);
	counter->raw = NULL;
}

int counter_list_explain(const struct events *events, const char *text,
			 struct counter_list *list, struct strbuf *err)
{
	struct event_list found = { 0 };
	int error = event_list_parse(events, text, &found, err);

	vec_for_each(const struct event, event, &found)
		explain_add(event, list);
	event_list_release(&found);
	return error;
}
