/* SPDX-License-Identifier: Apache-2.0 */
#include "import/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "import/name.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

#define SECOND UINT64_C(1000000000)

static void add(struct exp_log *log, struct strbuf *text)
{
	if (text->len)
		exp_log_note(log, "note", strbuf_str(text));
	strbuf_release(text);
}

/* ---- the machine ---- */

static void note_machine(struct exp_log *log, const struct perf_info *info)
{
	struct strbuf text = { 0 };

	if (info->cpuid && info->cpudesc)
		strbuf_addf(&text, "the CPU calls itself %s", info->cpuid);
	if (info->packages && info->cores)
		strbuf_addf(&text,
			    "%sthe machine has %" PRIu32 " cores in %" PRIu32
			    " package%s",
			    text.len ? "; " : "", info->cores, info->packages,
			    info->packages == 1 ? "" : "s");
	vec_for_each(const struct perf_core_kind, kind, &info->kinds)
		strbuf_addf(&text, "%sCPUs %s are of %s", text.len ? "; " : "",
			    kind->cpus, kind->pmu);
	add(log, &text);
}

/* ---- the clock ---- */

/* The clock of an attr that names it. */
static const char *clock_name(int32_t clock)
{
	static const char *const names[] = {
		[CLOCK_REALTIME] = "CLOCK_REALTIME",
		[CLOCK_MONOTONIC] = "CLOCK_MONOTONIC",
		[CLOCK_MONOTONIC_RAW] = "CLOCK_MONOTONIC_RAW",
		[CLOCK_BOOTTIME] = "CLOCK_BOOTTIME",
		[CLOCK_TAI] = "CLOCK_TAI",
	};
	const size_t count = sizeof(names) / sizeof(names[0]);

	return clock >= 0 && (size_t)clock < count && names[clock] ? names[clock]
								   : "another clock";
}

static void note_clock(struct exp_log *log, const struct import *imp)
{
	const struct perf_info *info = &imp->file->info;
	const struct perf_attr *attr = &imp->file->events.data[0].attr;
	struct strbuf text = { 0 };

	if (attr->use_clockid)
		strbuf_addf(&text, "times are of %s", clock_name(attr->clockid));
	if (attr->use_clockid && info->clock_ns)
		strbuf_addf(&text, ", whose resolution is %" PRIu64 " ns",
			    info->clock_ns);
	if (info->first_ns)
		strbuf_addf(&text,
			    "%sthe samples lie between %" PRIu64 ".%09" PRIu64
			    " s and %" PRIu64 ".%09" PRIu64 " s by the machine",
			    text.len ? "; " : "", info->first_ns / SECOND,
			    info->first_ns % SECOND, info->last_ns / SECOND,
			    info->last_ns % SECOND);
	add(log, &text);
}

char *import_started(const struct import *imp)
{
	const struct perf_info *info = &imp->file->info;
	time_t then = (time_t)((info->wall_ns + imp->rec->start_ns - info->wall_at_ns) /
			       SECOND);
	char text[64];
	struct tm tm;

	if (!info->wall_ns || !imp->rec->start_ns || !gmtime_r(&then, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return xstrdup("");
	return xstrdup(text);
}

/* ---- events ---- */

/* {cycles,instructions}, or name{…} if the group has one. */
static void note_group(struct exp_log *log, const struct perf_file *file,
		       const struct perf_group *group)
{
	struct strbuf text = { 0 };

	if (group->members < 2)
		return;
	strbuf_addf(&text, "counted as a group: %s{",
		    strcmp(group->name, "{anon_group}") ? group->name : "");
	for (uint32_t i = 0; i < group->members; i++) {
		char *name = import_name(file, group->leader + i);

		strbuf_addf(&text, "%s%s", i ? "," : "", name);
		free(name);
	}
	strbuf_addch(&text, '}');
	add(log, &text);
}

/* Each event belongs to at most one group: a damaged file's others are not noted. */
static void note_groups(struct exp_log *log, const struct perf_file *file)
{
	const size_t count = file->events.len;
	size_t told = 0;

	vec_for_each(const struct perf_group, group, &file->info.groups) {
		if (group->leader < told || group->leader >= count ||
		    group->members > count - group->leader)
			continue;
		note_group(log, file, group);
		told = (size_t)group->leader + group->members;
	}
}

static void note_unit(struct exp_log *log, const struct perf_file *file, size_t index)
{
	const struct perf_event *e = &file->events.data[index];
	struct strbuf text = { 0 };
	char *name;

	if (!e->unit || !*e->unit)
		return;
	name = import_name(file, index);
	strbuf_addf(&text, "%s counts %s", name, e->unit);
	if (e->scale > 0)
		strbuf_addf(&text, ": 1 is %.12g of them", e->scale);
	free(name);
	add(log, &text);
}

void import_notes_add(struct exp_log *log, const struct import *imp)
{
	const struct perf_file *file = imp->file;

	note_machine(log, &file->info);
	note_clock(log, imp);
	note_groups(log, file);
	for (size_t i = 0; i < file->events.len; i++)
		note_unit(log, file, i);
}
