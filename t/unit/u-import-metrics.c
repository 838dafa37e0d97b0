/* SPDX-License-Identifier: Apache-2.0 */
/* Which events of a perf.data file are one metric. */
#include "import/metrics.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "import/name.h"
#include "tap.h"

enum { MOST = 6, DYNAMIC = 10 }; /* DYNAMIC: the type of a PMU without a fixed one */

#define CORE(pmu) ((uint64_t)(pmu) << 32)

/* Files with their events; metrics are wanted in this order. */
static const struct {
	const char *what;
	struct {
		const char *name;
		uint32_t type;
		uint64_t config;
		const char *metric;
	} events[MOST];
} files[] = {
	{ "an event alone",
	  { { "cycles:u", PERF_TYPE_HARDWARE, 0, "cycles.u" },
	    { "instructions:u", PERF_TYPE_HARDWARE, 1, "instructions.u" } } },
	{ "the same event, again and again",
	  { { "cycles:u", PERF_TYPE_HARDWARE, 0, "cycles.u" },
	    { "cache-misses", PERF_TYPE_HARDWARE, 3, "cache-misses" },
	    { "cycles:u", PERF_TYPE_HARDWARE, 0, "cycles.u.2" },
	    { "cycles:u", PERF_TYPE_HARDWARE, 0, "cycles.u.3" } } },
	{ "kinds of core, by the names of their PMUs",
	  { { "cpu_core/cycles/P", PERF_TYPE_HARDWARE, 0, "cycles.P" },
	    { "cpu_atom/cycles/P", PERF_TYPE_HARDWARE, CORE(7), "cycles.P" },
	    { "armv8_cortex_a53/cpu_cycles/", 8, 0x11, "cpu_cycles" },
	    { "armv8_cortex_a72/cpu_cycles/", 9, 0x11, "cpu_cycles" } } },
	{ "kinds of core, by the events' numbers",
	  { { "cycles", PERF_TYPE_HARDWARE, CORE(4), "cycles" },
	    { "cycles", PERF_TYPE_HARDWARE, CORE(7), "cycles" },
	    { "LLC-loads", PERF_TYPE_HW_CACHE, CORE(4) | 2, "LLC-loads" },
	    { "LLC-loads", PERF_TYPE_HW_CACHE, CORE(7) | 2, "LLC-loads" } } },
	{ "kinds of core, each twice",
	  { { "cpu_core/cycles/", PERF_TYPE_HARDWARE, CORE(4), "cycles" },
	    { "cpu_core/cycles/", PERF_TYPE_HARDWARE, CORE(4), "cycles.2" },
	    { "cpu_atom/cycles/", PERF_TYPE_HARDWARE, CORE(7), "cycles" },
	    { "cpu_atom/cycles/", PERF_TYPE_HARDWARE, CORE(7), "cycles.2" } } },
	{ "different events that the user gave one name",
	  { { "x", PERF_TYPE_HARDWARE, 0, "x" },
	    { "x", PERF_TYPE_SOFTWARE, 0, "x.2" },
	    { "x", DYNAMIC, 0, "x.3" } } },
	{ "a clock beside the cores' event of that name",
	  { { "cpu_core/cycles/", PERF_TYPE_HARDWARE, CORE(4), "cycles" },
	    { "cycles", PERF_TYPE_SOFTWARE, 0, "cycles.2" },
	    { "cpu_atom/cycles/", PERF_TYPE_HARDWARE, CORE(7), "cycles" } } },
	{ "names that differ only in what metrics cannot have, or have a number",
	  { { "a:b", DYNAMIC, 1, "a.b" },
	    { "a/b", DYNAMIC, 2, "a.b.2" },
	    { "a.b.2", DYNAMIC, 3, "a.b.2.2" },
	    { "a.b", DYNAMIC, 4, "a.b.3" } } },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct import_metrics m;

		import_metrics_init(&m);
		for (size_t e = 0; e < MOST && files[i].events[e].name; e++) {
			const char *name = files[i].events[e].name;
			const struct perf_attr attr = {
				.type = files[i].events[e].type,
				.config = files[i].events[e].config,
			};
			char *base = import_metric(name);
			uint32_t number;
			char *metric = import_metrics_add(
				&m, base, import_core_kind(&attr, name), &number);

			ok(!strcmp(metric, files[i].events[e].metric), "%s: %s is %s",
			   files[i].what, name, metric);
			free(metric);
			free(base);
		}
		import_metrics_release(&m);
	}
	return done_testing();
}
