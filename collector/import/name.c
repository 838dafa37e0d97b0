/* SPDX-License-Identifier: Apache-2.0 */
#include "import/name.h"

#include <ctype.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

/* The kernel's generic events, by their config. */
static const char *const hardware_names[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software_names[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

static const char *name_in(const char *const *names, size_t count, uint64_t config)
{
	return config < count ? names[config] : NULL;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/*
 * A generic cache event: the cache, the operation, and from bit 16 on whether it missed.
 */
static bool add_cache_name(uint64_t config, struct strbuf *name)
{
	static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
					      "iTLB",      "branch",    "node" };
	static const char *const operations[] = { "load", "store", "prefetch" };
	static const char *const plural[] = { "loads", "stores", "prefetches" };
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff,
		 result = config >> 16 & 0xff;

	if (cache >= COUNT(caches) || operation >= COUNT(operations) ||
	    result > PERF_COUNT_HW_CACHE_RESULT_MISS)
		return false;
	if (result)
		strbuf_addf(name, "%s-%s-misses", caches[cache], operations[operation]);
	else
		strbuf_addf(name, "%s-%s", caches[cache], plural[operation]);
	return true;
}

/* The kernel's number of the counter, without that of its PMU (hybrid CPUs). */
static uint64_t generic_config(const struct perf_attr *attr)
{
	return attr->config & UINT32_MAX;
}

static void add_modifier(struct strbuf *name, bool *colon, bool is, const char *letters)
{
	if (!is)
		return;
	if (!*colon)
		strbuf_addch(name, ':');
	*colon = true;
	strbuf_addstr(name, letters);
}

/*
 * perf's spelling of an attr's excluded levels and its precision: cycles:u, cycles:ppH.
 */
static void add_modifiers(const struct perf_attr *attr, struct strbuf *name)
{
	static const char *const precise[] = { "", "p", "pp", "ppp" };
	bool levels = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;
	bool guest = levels || attr->precise; /* then no guests is the default */
	bool colon = false;

	add_modifier(name, &colon, levels && !attr->exclude_kernel, "k");
	add_modifier(name, &colon, levels && !attr->exclude_user, "u");
	add_modifier(name, &colon, levels && !attr->exclude_hv, "h");
	add_modifier(name, &colon, attr->precise, precise[attr->precise & 3]);
	if (attr->exclude_host || attr->exclude_guest == guest) {
		add_modifier(name, &colon, !attr->exclude_host, "H");
		add_modifier(name, &colon, !attr->exclude_guest, "G");
	}
}

/* perf's name of an event by its attr alone; false: it has none. */
static bool add_generic_name(const struct perf_attr *attr, struct strbuf *text)
{
	const char *name = NULL;

	if (attr->type == PERF_TYPE_HW_CACHE)
		return add_cache_name(generic_config(attr), text);
	if (attr->type == PERF_TYPE_HARDWARE)
		name = name_in(hardware_names, COUNT(hardware_names),
			       generic_config(attr));
	else if (attr->type == PERF_TYPE_SOFTWARE)
		name = name_in(software_names, COUNT(software_names), attr->config);
	else if (attr->type == PERF_TYPE_RAW)
		strbuf_addf(text, "raw 0x%" PRIx64, attr->config);
	if (name)
		strbuf_addstr(text, name);
	return text->len;
}

/* The name of all events of ATTR's type and config; NULL: the file has none. */
static const char *kind_name(const struct perf_info *info, const struct perf_attr *attr)
{
	vec_for_each(const struct perf_event_name, e, &info->kind_names)
		if (e->type == attr->type && e->config == attr->config)
			return e->name;
	return NULL;
}

/* simpleperf's spelling. */
static const char *level_of(const struct perf_attr *attr)
{
	if (attr->exclude_kernel == attr->exclude_user)
		return "";
	return attr->exclude_kernel ? ":u" : ":k";
}

char *import_name(const struct perf_file *file, size_t index)
{
	const struct perf_attr *attr = &file->events.data[index].attr;
	const char *name = perf_file_event_name(file, index);
	struct strbuf text = { 0 };

	if (name)
		return xstrdup(name);
	name = kind_name(&file->info, attr);
	if (name)
		return xasprintf("%s%s", name, level_of(attr));
	if (!add_generic_name(attr, &text)) {
		strbuf_release(&text);
		return xasprintf("%" PRIu32 ":%#" PRIx64, attr->type, attr->config);
	}
	add_modifiers(attr, &text);
	return strbuf_detach(&text);
}

/*
 * Whether NAME is PMU/EVENT/ of one kind of core, and EVENT is a name, which other kinds
 * have too.  A number means something different for each.
 */
static bool is_of_kind(const char *name, const char *slash)
{
	static const char *const kinds[] = { "cpu_", "armv", "apple_" };
	size_t first = slash ? strcspn(slash + 1, ",/:") : 0;

	for (size_t i = 0; first && i < COUNT(kinds); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			return !memchr(slash + 1, '=', first);
	return false;
}

char *import_label(const char *name)
{
	const char *slash = strchr(name, '/'), *behind;
	size_t len;

	if (!is_of_kind(name, slash))
		return xstrdup(name);
	len = strcspn(slash + 1, "/");
	behind = slash + 1 + len;
	behind += *behind == '/';
	return xasprintf("%.*s%s%s", (int)len, slash + 1,
			 *behind && *behind != ':' ? ":" : "", behind);
}

char *import_metric(const char *name)
{
	char *metric = import_label(name);

	for (char *c = metric; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_-", *c))
			*c = '.';
	return metric;
}

uint32_t import_core_kind(const struct perf_attr *attr, const char *name)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE ||
		       attr->type == PERF_TYPE_HW_CACHE;
	uint32_t pmu = generic ? (uint32_t)(attr->config >> 32) : attr->type;

	return is_of_kind(name, strchr(name, '/')) || (generic && pmu) ? pmu
								       : IMPORT_ANY_CORE;
}

/* perf record --off-cpu: the time that threads waited, which a BPF program measures. */
static bool is_waiting(const struct perf_attr *attr, const char *name)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config == PERF_COUNT_SW_BPF_OUTPUT && !strcmp(name, "offcpu-time");
}

const char *import_unit(const struct perf_attr *attr, const char *name)
{
	if (attr->type == PERF_TYPE_HARDWARE &&
	    (generic_config(attr) == PERF_COUNT_HW_CPU_CYCLES ||
	     generic_config(attr) == PERF_COUNT_HW_REF_CPU_CYCLES))
		return "cycles";
	if (is_waiting(attr, name) || (attr->type == PERF_TYPE_SOFTWARE &&
				       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
					attr->config == PERF_COUNT_SW_TASK_CLOCK)))
		return "ns";
	return "events";
}
