/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as an operand of collect -h, with the names of one CPU and no /sys: it is
 * refused with a sentence, or gives events with everything that the header promises.
 */
#include <stdlib.h>
#include <string.h>

#include "events/event.h"
#include "base/vec.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static struct events *names(void)
{
	struct strbuf err = { 0 };
	struct events *events;

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	events = events_open("/nonexistent", &err);
	if (!events)
		abort();
	return events;
}

static void check(const struct event *event)
{
	struct perf_event_attr attr = { 0 };

	if (!event->period || !*event->asked || !*event->name || !*event->raw ||
	    !event->label)
		abort();
	event_attr(event, &attr);
	if (attr.size != sizeof(attr) || attr.type != event->type)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct events *events;
	char *text = xstrndup((const char *)bytes, len);
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	if (!events)
		events = names();
	if (event_list_parse(events, text, &list, &err)) {
		if (!err.len || list.len)
			abort();
	} else if (!list.len) {
		abort();
	}
	vec_for_each(const struct event, event, &list)
		check(event);
	event_list_release(&list);
	strbuf_release(&err);
	free(text);
	return 0;
}
