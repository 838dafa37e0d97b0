/* SPDX-License-Identifier: Apache-2.0 */
/* The list of `collect -h`, for a Haswell. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "events/counters.h"
#include "forced.h"
#include "tap.h"
#include "base/vec.h"
#include "base/xalloc.h"

static const struct counter_probe usable = { NULL, NULL };
static const struct counter_probe no_pmu = { "this machine has none", "the CPU clock" };

static const char unusable[] = "Without -h, collect uses the CPU clock.\n"
			       "The kernel's counters:\n"
			       "page-faults,101 (`Page Faults', ";
static const char below[] =
	"The counters below cannot be used here: this machine has none.\n"
	"Aliased HW counters available for profiling:\n"
	"cycles[";
static const char below_untabled[] =
	"The counters below cannot be used here: this machine has none.\n"
	"Aliased HW counters available for profiling:\n"
	"cycles,";

#define REGS "[/{0|1|2|3|4|5|6|7}]"

/* Lines of the whole list, in this order. */
static const char *const lines[] = {
	"Aliased HW counters available for profiling:\n",
	"cycles" REGS
	",2999999 (`CPU Cycles', alias for UNHALTED_CORE_CYCLES; CPU-cycles)\n",
	"insts" REGS ",2999999 (`Instructions Executed', alias for INSTRUCTION_RETIRED; "
	"events)\n",
	"ring0" REGS
	",2999999 (`Ring 0 Cycles', alias for CPL_CYCLES:RING0; CPU-cycles)\n",
	"sys_time" REGS
	",2999999 (`System CPU', alias for UNHALTED_CORE_CYCLES:k; CPU-cycles)\n",
	"page-faults,101 (`Page Faults', alias for PERF_COUNT_SW_PAGE_FAULTS; events)\n",
	"Raw HW counters available for profiling:\n",
	"UNHALTED_CORE_CYCLES" REGS ",2999999 (CPU-cycles)\n",
	"CPL_CYCLES:RING0" REGS ",2999999 (CPU-cycles)\n",
	"INST_RETIRED:ANY_P" REGS ",1000003 (events)\n",
	"MEM_LOAD_UOPS_RETIRED:L1_MISS" REGS ",1000003 (precise load events)\n",
	"MEM_UOPS_RETIRED:ALL_STORES" REGS ",1000003 (precise store events)\n",
};

static void text_test(const struct events *events)
{
	struct counter_list list = { 0 };
	struct strbuf out = { 0 };
	const char *at;

	counter_list_init(events, NULL, &list);
	counter_list_text(&list, &usable, &out);
	at = strbuf_str(&out);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const char *found = strstr(at, lines[i]);

		if (ok(found && (found == out.data || found[-1] == '\n'),
		       "in its place: %s", lines[i]))
			at = found;
	}
	ok(!strncmp(strbuf_str(&out), lines[0], strlen(lines[0])),
	   "where counters work, nothing is said of it");
	ok(!strstr(strbuf_str(&out), "fp-ops"),
	   "an alias without a counter is not listed");

	strbuf_clear(&out);
	counter_list_text(&list, &no_pmu, &out);
	ok(!strncmp(strbuf_str(&out), unusable, strlen(unusable)),
	   "where they do not, those that do come first");
	ok(strstr(strbuf_str(&out), below) != NULL, "… and then why the others do not");
	at = strstr(strbuf_str(&out), "page-faults,");
	ok(at && !strstr(at + 1, "\npage-faults,"), "… each once");
	strbuf_release(&out);
	counter_list_release(&list);
}

/* What a CPU without a table lists: names of the kernel, few of them its own counters. */
struct untabled {
	size_t aliases, software;
	char text[1 << 14];
	char one[1 << 10];
};

static void untabled_ask(const struct events *events, void *into)
{
	struct untabled *answer = into;
	struct counter_list list = { 0 };
	struct strbuf out = { 0 };

	counter_list_init(events, NULL, &list);
	answer->aliases = list.aliases;
	for (size_t i = 0; i < list.aliases; i++)
		answer->software += list.data[i].software;
	counter_list_text(&list, &no_pmu, &out);
	snprintf(answer->text, sizeof(answer->text), "%s", strbuf_str(&out));
	strbuf_clear(&out);
	if (list.len)
		counter_text(&list.data[0], &out);
	snprintf(answer->one, sizeof(answer->one), "%s", strbuf_str(&out));
	counter_list_release(&list);
	strbuf_release(&out);
}

static void untabled_test(const struct untabled *answer)
{
	ok(answer->aliases > 3, "%zu aliases by the kernel's names", answer->aliases);
	is_u64(answer->software, 3, "three of them are the kernel's own counters");
	ok(!strncmp(answer->text, unusable, strlen(unusable)), "they come first");
	ok(strstr(answer->text, below_untabled) != NULL,
	   "without a PMU the others cannot be used");
	ok(strstr(answer->one, "    counted by: the CPU, by the kernel's name\n") != NULL,
	   "cycles are the CPU's");
}

/* Each row can be requested, and has the listed values. */
static void rows_test(const struct events *events)
{
	struct counter_list list = { 0 };
	size_t wrong = 0, alone = 0;

	counter_list_init(events, NULL, &list);
	is_u64(list.aliases, 22, "every alias but fp-ops");
	ok(list.len > 400, "%zu counters", list.len);
	for (size_t i = 0; i < list.len; i++) {
		struct event_list found = { 0 };
		struct strbuf err = { 0 };
		int error = event_list_parse(events, list.data[i].name, &found, &err);

		alone += !error;
		if (error ? i < list.aliases
			  : found.data[0].period != list.data[i].overflow)
			wrong++;
		strbuf_release(&err);
		event_list_release(&found);
	}
	is_u64(wrong, 0, "all have the overflow that is listed");
	ok(alone * 10 >= list.len * 9, "%zu of %zu rows are an event by themselves",
	   alone, list.len);
	counter_list_release(&list);
}

static const struct {
	const char *pattern;
	size_t aliases, all;
} patterns[] = {
	{ "cycles", 1, 1 },
	{ "CYCLES", 1, 1 },
	{ "ring*", 2, 2 },
	{ "CPL_CYCLES:*", 0, 3 },
	{ "inst_retired:any_p", 0, 1 },
	{ "no-such", 0, 0 },
	{ "[", 0, 0 },
};

static void patterns_test(const struct events *events)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		struct counter_list list = { 0 };

		counter_list_init(events, patterns[i].pattern, &list);
		is_u64(list.aliases, patterns[i].aliases, "%s: aliases",
		       patterns[i].pattern);
		is_u64(list.len, patterns[i].all, "%s: all", patterns[i].pattern);
		counter_list_release(&list);
	}
}

static void search_test(const struct events *events)
{
	struct counter_list list = { 0 };
	size_t without = 0;

	counter_list_search(events, "MisS", &list);
	for (size_t i = 0; i < list.len; i++)
		without += !strcasestr(list.data[i].name, "miss");
	ok(list.aliases > 2 && list.len > list.aliases,
	   "a part of a name finds %zu, %zu aliases", list.len, list.aliases);
	is_u64(without, 0, "… each with that part");
	counter_list_release(&list);
}

static void one_test(const struct events *events)
{
	char name[] = "many", none[] = "";
	struct counter many = {
		.name = name, .desc = none, .pmu = none, .registers = 16
	};
	struct counter_list list = { 0 };
	struct strbuf out = { 0 };

	counter_text(&many, &out);
	ok(!strncmp(strbuf_str(&out), "many[/{0-15}],0 (", 17),
	   "many registers as a range");
	strbuf_clear(&out);
	counter_list_init(events, "ring123", &list);
	counter_text(&list.data[0], &out);
	is_str(strbuf_str(&out),
	       "ring123" REGS ",2999999 (`Ring 1,2,3 Cycles', alias for "
	       "CPL_CYCLES:RING123; CPU-cycles)\n"
	       "    cycles of the core outside the kernel\n"
	       "    unit:       cycles\n"
	       "    counted by: hsw\n"
	       "    rates:      hi=299993 on=2999999 lo=29999989 auto=997Hz\n"
	       "    attributes: ~user ~system ~hypervisor ~precise ~umask ~edge ~inv "
	       "~cmask\n",
	       "one counter explained");
	strbuf_release(&out);
	counter_list_release(&list);
}

/* Counters in no table are explained as they would be opened. */
static const struct {
	const char *text, *line;
} explained[] = {
	{ "r01c2", "r01c2,1000003 (events)\n"
		   "    perf_event_attr: type 4, config 0x1c2; arbitrary skid\n" },
	{ "LLC-loads", "LLC-loads,1000003 (events)\n"
		       "    perf_event_attr: type 3, config 0x2; arbitrary skid\n" },
	{ "cycles:upp", "cycles:upp,2999999 (`CPU Cycles (user)', alias for "
			"UNHALTED_CORE_CYCLES:upp; precise CPU-cycles)\n"
			"    perf_event_attr: type 4, config 0x3c; no skid requested\n"
			"    unit:       cycles\n"
			"    counted by: hsw\n" },
	{ "cs:k", "cs:k,11 (`Context Switches (system)', alias for "
		  "PERF_COUNT_SW_CONTEXT_SWITCHES:k; events)\n"
		  "    perf_event_attr: type 1, config 0x3; at the event itself\n" },
};

static void explain_test(const struct events *events)
{
	struct counter_list list = { 0 };
	struct strbuf out = { 0 }, err = { 0 };

	for (size_t i = 0; i < sizeof(explained) / sizeof(explained[0]); i++) {
		strbuf_clear(&out);
		if (is_i64(counter_list_explain(events, explained[i].text, &list, &err),
			   0, "%s: %s", explained[i].text, strbuf_str(&err)) &&
		    is_u64(list.len, 1, "%s: one", explained[i].text))
			counter_text(&list.data[0], &out);
		ok(!strncmp(strbuf_str(&out), explained[i].line,
			    strlen(explained[i].line)),
		   "%s: %s", explained[i].text,
		   out.len ? "as it would be opened" : "nothing");
		counter_list_release(&list);
		list = (struct counter_list){ 0 };
	}
	is_i64(counter_list_explain(events, "nothing_such", &list, &err), -ENOENT,
	       "what is no counter");
	ok(strstr(strbuf_str(&err), "unknown counter `nothing_such'"), "%s",
	   strbuf_str(&err));
	counter_list_release(&list);
	strbuf_release(&out);
	strbuf_release(&err);
}

static void json_test(const struct events *events)
{
	struct counter_list list = { 0 };
	struct strbuf out = { 0 };
	struct json_object *root, *rows, *row;

	counter_list_init(events, "MEM_UOPS_RETIRED:ALL_*", &list);
	counter_list_json(&list, &no_pmu, &out);
	root = json_tokener_parse(strbuf_str(&out));
	if (!ok(root, "the list is JSON"))
		goto out;
	is_str(json_object_get_string(json_object_object_get(root, "schema")),
	       "ringprof-counters/1", "its schema");
	ok(!json_object_get_boolean(json_object_object_get(root, "usable")), "usable");
	is_str(json_object_get_string(json_object_object_get(root, "reason")),
	       "this machine has none", "why not");
	rows = json_object_object_get(root, "counters");
	is_u64(json_object_array_length(rows), 2, "loads and stores");
	row = json_object_array_get_idx(rows, 0);
	is_str(json_object_get_string(json_object_object_get(row, "name")),
	       "MEM_UOPS_RETIRED:ALL_LOADS", "name");
	ok(!json_object_object_get(row, "alias_for"), "a raw counter is no alias");
	is_u64(json_object_get_uint64(json_object_object_get(row, "overflow")), 1000003,
	       "overflow");
	ok(json_object_get_boolean(json_object_object_get(row, "load")), "load");
	ok(!json_object_get_boolean(json_object_object_get(row, "store")), "not store");
	json_object_put(root);
out:
	strbuf_release(&out);
	counter_list_release(&list);
}

int main(void)
{
	struct untabled *untabled = forced_answer(sizeof(*untabled));
	/* Before libpfm4 starts here, with a table. */
	bool asked = forced_ask("perf", untabled_ask, untabled);
	struct events *events = forced_or_skip("hsw");

	ok(asked, "a CPU without a table");
	untabled_test(untabled);
	text_test(events);
	rows_test(events);
	search_test(events);
	patterns_test(events);
	explain_test(events);
	one_test(events);
	json_test(events);
	events_close(events);
	return done_testing();
}
