/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_tracing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/xalloc.h"

/* The most of a format that is kept; kernels write 2 KiB. */
enum { FORMAT_MAX = 16 << 10 };

/* More than any kernel has; each event is compared with all of them. */
enum { KINDS_MAX = 1 << 14 };

/* Takes NAME. */
static void add_kind(struct perf_info *info, char *name, uint32_t type, uint64_t config)
{
	if (info->kind_names.len == KINDS_MAX) {
		free(name);
		return;
	}
	*vec_push(&info->kind_names) = (struct perf_event_name){ name, type, config };
}

/* ---- tracing data ---- */

/*
 *	magic | version\0 | order of bytes | bytes of a long | bytes of a page (4)
 *	"header_page\0" file | "header_event\0" file
 *	count (4) | files of ftrace's own events
 *	count (4) | systems: name\0 | count (4) | files of events
 *
 * A file is its size (8) and its bytes.
 */
static const char magic[] = "\x17\x08\x44tracing";

static struct cursor take_file(struct cursor *c)
{
	uint64_t size = cursor_u64(c);

	return cursor_sub(c, size < SIZE_MAX ? (size_t)size : SIZE_MAX);
}

static void skip_headers(struct cursor *c)
{
	cursor_str(c); /* version */
	cursor_bytes(c, 1 + 1 + 4);
	for (int i = 0; i < 2; i++) {
		cursor_str(c);
		take_file(c);
	}
}

/* Keeps the first format of a tracepoint whose data is read. */
static void keep_format(struct perf_info *info, const char *event, uint32_t id,
			const char *text, size_t len)
{
	static const char *const wanted[PERF_TRACED_KINDS] = {
		[PERF_TRACED_SWITCH] = "sched:sched_switch",
		[PERF_TRACED_WAKING] = "sched:sched_waking",
		[PERF_TRACED_WAKEUP] = "sched:sched_wakeup",
	};

	for (unsigned kind = 0; kind < PERF_TRACED_KINDS; kind++) {
		if (strcmp(event, wanted[kind]) != 0 || info->traced[kind])
			continue;
		info->traced[kind] = xstrndup(text, len < FORMAT_MAX ? len : FORMAT_MAX);
		info->traced_ids[kind] = id;
	}
}

/* "name: sched_switch\nID: 314\nformat:…" */
static void take_event(struct perf_info *info, const char *system, struct cursor *file)
{
	enum { NEAR = 256 };
	size_t all = cursor_left(file), len = all < NEAR ? all : NEAR;
	const char *bytes = cursor_bytes(file, all);
	char *text = xstrndup(bytes, len), *event;
	char name[128];
	uint32_t id;

	if (sscanf(text, "name: %127s ID: %" SCNu32, name, &id) == 2) {
		event = xasprintf("%s:%s", system, name);
		keep_format(info, event, id, bytes, all);
		add_kind(info, event, PERF_TYPE_TRACEPOINT, id);
	}
	free(text);
}

static void take_system(struct perf_info *info, struct cursor *c)
{
	const char *name = cursor_str(c);
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_left(c); i++) {
		struct cursor file = take_file(c);

		if (cursor_ok(c) && cursor_left(&file))
			take_event(info, name, &file);
	}
}

void perf_tracing_decode(struct perf_info *info, struct cursor *c)
{
	const void *begin = cursor_left(c) < sizeof(magic) - 1
				    ? NULL
				    : cursor_bytes(c, sizeof(magic) - 1);
	uint32_t count;

	if (!begin || memcmp(begin, magic, sizeof(magic) - 1))
		return;
	skip_headers(c);
	count = cursor_u32(c);
	for (uint32_t i = 0; i < count && cursor_left(c); i++)
		take_file(c);
	count = cursor_u32(c);
	for (uint32_t i = 0; i < count && cursor_left(c); i++)
		take_system(info, c);
}

/* ---- meta info ---- */

/* Lines of NAME,TYPE,CONFIG. */
static void take_types(struct perf_info *info, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), name = strcspn(text, ",\n");
		uint64_t config;
		uint32_t type;

		if (name &&
		    sscanf(text + name, ",%" SCNu32 ",%" SCNu64, &type, &config) == 2)
			add_kind(info, xstrndup(text, name), type, config);
		text += len + (text[len] == '\n');
	}
}

void perf_meta_decode(struct perf_info *info, struct cursor *c)
{
	info->simpleperf = true;
	while (cursor_left(c)) {
		const char *key = cursor_str(c), *value = cursor_str(c);

		if (!cursor_ok(c))
			return;
		if (!strcmp(key, "event_type_info"))
			take_types(info, value);
	}
}
