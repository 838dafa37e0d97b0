/* SPDX-License-Identifier: Apache-2.0 */
#include "events/perf_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct perf_name {
	const char *name;
	uint32_t type;
	uint64_t config;
	const char *raw;
	enum event_unit unit;
	uint64_t period; /* 0: that of any counter */
	bool measures_time;
};

/* clang-format off */
#define HW(name, constant) \
	{ name, PERF_TYPE_HARDWARE, constant, #constant, EVENT_UNIT_EVENTS, 0, false }
#define SW(name, constant, period) \
	{ name, PERF_TYPE_SOFTWARE, constant, #constant, EVENT_UNIT_EVENTS, period, false }
#define CYCLES(name, constant, unit) \
	{ name, PERF_TYPE_HARDWARE, constant, #constant, unit, 0, true }
#define CLOCK(name, constant) \
	{ name, PERF_TYPE_SOFTWARE, constant, #constant, EVENT_UNIT_NS, 10007000, true }
/* clang-format on */

static const struct perf_name names[] = {
	CYCLES("cpu-cycles", PERF_COUNT_HW_CPU_CYCLES, EVENT_UNIT_CYCLES),
	CYCLES("ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES, EVENT_UNIT_REF_CYCLES),
	HW("instructions", PERF_COUNT_HW_INSTRUCTIONS),
	HW("cache-references", PERF_COUNT_HW_CACHE_REFERENCES),
	HW("cache-misses", PERF_COUNT_HW_CACHE_MISSES),
	HW("branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
	HW("branch-misses", PERF_COUNT_HW_BRANCH_MISSES),
	HW("bus-cycles", PERF_COUNT_HW_BUS_CYCLES),
	HW("stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
	HW("idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
	HW("idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
	CLOCK("cpu-clock", PERF_COUNT_SW_CPU_CLOCK),
	CLOCK("task-clock", PERF_COUNT_SW_TASK_CLOCK),
	SW("page-faults", PERF_COUNT_SW_PAGE_FAULTS, 101),
	SW("faults", PERF_COUNT_SW_PAGE_FAULTS, 101),
	SW("minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, 101),
	SW("major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1),
	SW("context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, 11),
	SW("cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS, 1),
	SW("alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, 1),
	SW("emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS, 1),
};

#define NAMES (sizeof(names) / sizeof(*names))

/* PERF_TYPE_HW_CACHE: "CACHE-OPs" and "CACHE-OP-misses". */
struct cache_part {
	const char *name;
	uint64_t config;
};

static const struct cache_part caches[] = {
	{ "L1-dcache-", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache-", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC-", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB-", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB-", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch-", PERF_COUNT_HW_CACHE_BPU },
	{ "node-", PERF_COUNT_HW_CACHE_NODE },
};

#define OP(op, result)                                                                   \
	(PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct cache_part accesses[] = {
	{ "loads", OP(READ, ACCESS) },          { "load-misses", OP(READ, MISS) },
	{ "stores", OP(WRITE, ACCESS) },        { "store-misses", OP(WRITE, MISS) },
	{ "prefetches", OP(PREFETCH, ACCESS) }, { "prefetch-misses", OP(PREFETCH, MISS) },
};

#define CACHES   (sizeof(caches) / sizeof(*caches))
#define ACCESSES (sizeof(accesses) / sizeof(*accesses))

void perf_name_each(void (*visit)(const char *name, void *arg), void *arg)
{
	for (size_t i = 0; i < NAMES; i++)
		visit(names[i].name, arg);
	for (size_t i = 0; i < CACHES * ACCESSES; i++) {
		char *name = xasprintf("%s%s", caches[i / ACCESSES].name,
				       accesses[i % ACCESSES].name);

		visit(name, arg);
		free(name);
	}
}

static int cache_find(const char *text, struct perf_name *found)
{
	for (size_t c = 0; c < CACHES; c++) {
		size_t len = strlen(caches[c].name);

		if (strncasecmp(text, caches[c].name, len) != 0)
			continue;
		for (size_t a = 0; a < ACCESSES; a++) {
			if (strcasecmp(text + len, accesses[a].name) != 0)
				continue;
			found->type = PERF_TYPE_HW_CACHE;
			found->config = caches[c].config | accesses[a].config;
			return 0;
		}
	}
	return -ENOENT;
}

/* r and up to 16 hexadecimal digits: the register's value itself. */
static int code_find(const char *text, struct perf_name *found)
{
	char *end = NULL;

	if (*text != 'r' || !isxdigit((unsigned char)text[1]) || strlen(text) > 17)
		return -ENOENT;
	found->type = PERF_TYPE_RAW;
	found->config = strtoull(text + 1, &end, 16);
	return *end ? -ENOENT : 0;
}

static int name_find(const char *text, struct perf_name *found)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (!strcasecmp(text, names[i].name)) {
			*found = names[i];
			return 0;
		}
	}
	*found = (struct perf_name){ .name = text, .raw = text };
	return !cache_find(text, found) ? 0 : code_find(text, found);
}

static void name_push(const struct perf_name *name, struct event_list *list)
{
	*vec_push(list) = (struct event){
		.name = xstrdup(name->name),
		.raw = xstrdup(name->raw),
		.unit = name->unit,
		.type = name->type,
		.config = name->config,
		.period = name->period,
		.measures_time = name->measures_time,
		.clock = name->type == PERF_TYPE_SOFTWARE &&
			 name->config == PERF_COUNT_SW_CPU_CLOCK,
		.reg = EVENT_NO_REGISTER,
	};
}

/*
 * Few software events are as frequent as cycles: one without a row is sampled each time.
 */
void perf_name_classify(struct event *event)
{
	uint64_t period = 1;

	if (event->type != PERF_TYPE_SOFTWARE)
		return;
	for (size_t i = 0; i < NAMES; i++) {
		if (names[i].type != event->type || names[i].config != event->config)
			continue;
		event->unit = names[i].unit;
		event->measures_time = names[i].measures_time;
		event->clock = event->config == PERF_COUNT_SW_CPU_CLOCK;
		period = names[i].period;
		break;
	}
	if (!event->period)
		event->period = period;
}

int perf_name_encode(const struct events *events, const char *name,
		     struct event_list *list)
{
	struct perf_name found;
	unsigned part = 0;

	if (name_find(name, &found))
		return -ENOENT;
	if (found.type == PERF_TYPE_HARDWARE || found.type == PERF_TYPE_HW_CACHE) {
		/* Linux >= 5.13: the upper half names the kind of core */
		vec_for_each(const struct core_pmu, core, &events->cores) {
			struct event *event;

			name_push(&found, list);
			event = &list->data[list->len - 1];
			event->config |= (uint64_t)core->type << 32;
			event->part = part++;
			free(event->raw);
			event->raw = xasprintf("%s/%s/", core->name, found.raw);
		}
	}
	if (!part)
		name_push(&found, list);
	return 0;
}
