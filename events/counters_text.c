/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "events/counters.h"
#include "events/rate.h"
#include "base/vec.h"

/* Of more registers, the first and the last are named. */
enum { LISTED_MAX = 8 };

/* "[/{0|1|2|3}]", "[/{0-15}]" */
static void registers_add(const struct counter *counter, struct strbuf *out)
{
	if (!counter->registers)
		return;
	if (counter->registers > LISTED_MAX) {
		strbuf_addf(out, "[/{0-%u}]", counter->registers - 1);
		return;
	}
	strbuf_addstr(out, "[/{");
	for (unsigned i = 0; i < counter->registers; i++)
		strbuf_addf(out, i ? "|%u" : "%u", i);
	strbuf_addstr(out, "}]");
}

static void words_add(const struct counter *counter, struct strbuf *out)
{
	bool cycles = counter->unit == EVENT_UNIT_CYCLES ||
		      counter->unit == EVENT_UNIT_REF_CYCLES;

	if (counter->precise)
		strbuf_addstr(out, "precise ");
	if (counter->load || counter->store)
		strbuf_addstr(out, !counter->store ? "load "
				   : counter->load ? "load-store "
						   : "store ");
	if (counter->not_program)
		strbuf_addstr(out, "not-program-related ");
	strbuf_addstr(out, cycles ? "CPU-cycles" : "events");
}

static void line_add(const struct counter *counter, struct strbuf *out)
{
	strbuf_addstr(out, counter->name);
	registers_add(counter, out);
	strbuf_addf(out, ",%" PRIu64 " (", counter->overflow);
	if (counter->raw)
		strbuf_addf(out, "`%s', alias for %s; ", counter->label, counter->raw);
	words_add(counter, out);
	strbuf_addstr(out, ")\n");
}

/* Without a PMU: the kernel's own counters, before those of the CPU. */
static void add_usable(const struct counter_list *list, const struct counter_probe *probe,
		       struct strbuf *out)
{
	strbuf_addf(out, "Without -h, collect uses %s.\n", probe->instead);
	if (list->aliases && list->data[list->aliases - 1].software)
		strbuf_addstr(out, "The kernel's counters:\n");
	for (size_t i = 0; i < list->aliases; i++)
		if (list->data[i].software)
			line_add(&list->data[i], out);
	strbuf_addf(out, "The counters below cannot be used here: %s.\n", probe->reason);
}

void counter_list_text(const struct counter_list *list, const struct counter_probe *probe,
		       struct strbuf *out)
{
	if (probe->reason)
		add_usable(list, probe, out);
	strbuf_addstr(out, "Aliased HW counters available for profiling:\n");
	for (size_t i = 0; i < list->aliases; i++)
		if (!probe->reason || !list->data[i].software)
			line_add(&list->data[i], out);
	strbuf_addstr(out, "Raw HW counters available for profiling:\n");
	for (size_t i = list->aliases; i < list->len; i++)
		line_add(&list->data[i], out);
}

static void rate_add(const struct counter *counter, const char *word, struct strbuf *out)
{
	struct strbuf err = { 0 };
	uint64_t period = 0;
	bool freq;

	if (!rate_parse(word, counter->name, counter->overflow, &period, &freq, &err))
		strbuf_addf(out, " %s=%" PRIu64, word, period);
	strbuf_release(&err);
}

static const char *counted_by(const struct counter *counter)
{
	if (counter->software)
		return "the kernel";
	return *counter->pmu ? counter->pmu : "the CPU, by the kernel's name";
}

void counter_text(const struct counter *counter, struct strbuf *out)
{
	line_add(counter, out);
	strbuf_addf(out, "    %s\n", counter->desc);
	strbuf_addf(out, "    unit:       %s\n", event_unit_name(counter->unit));
	strbuf_addf(out, "    counted by: %s\n", counted_by(counter));
	strbuf_addstr(out, "    rates:     ");
	rate_add(counter, "hi", out);
	rate_add(counter, "on", out);
	rate_add(counter, "lo", out);
	strbuf_addf(out,
		    " auto=%dHz\n"
		    "    attributes: ~user ~system ~hypervisor ~precise%s\n",
		    RATE_AUTO_HZ, *counter->pmu ? " ~umask ~edge ~inv ~cmask" : "");
}
