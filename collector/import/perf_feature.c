/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_feature.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "import/perf_attr.h"
#include "import/perf_layout.h"
#include "import/perf_tracing.h"
#include "base/xalloc.h"

/* A length, which includes the padding, and a NUL-terminated text. */
static char *decode_text(struct cursor *c)
{
	uint32_t len = cursor_u32(c);
	const char *text = cursor_bytes(c, len);

	return text ? xstrndup(text, strnlen(text, len)) : NULL;
}

/* ---- one function per kind of feature ---- */

static void decode_nrcpus(struct perf_info *info, struct cursor *c)
{
	cursor_u32(c); /* that could be online */
	info->cpus = cursor_u32(c);
}

static void decode_command(struct perf_info *info, struct cursor *c)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_left(c); i++) {
		char *arg = decode_text(c);

		if (arg)
			*vec_push(&info->command) = arg;
	}
}

static void decode_event_name(struct perf_info *info, struct cursor *c,
			      uint32_t attr_size)
{
	struct perf_attr attr;
	struct perf_event_name *e;
	uint32_t index = (uint32_t)info->names.len;
	uint32_t ids;
	char *name;

	if (!perf_attr_decode(c, attr_size, &attr)) {
		cursor_fail(c);
		return;
	}
	ids = cursor_u32(c);
	name = decode_text(c);
	if (!name)
		return;
	e = vec_push(&info->names);
	*e = (struct perf_event_name){ name, attr.type, attr.config };
	for (uint32_t i = 0; i < ids && cursor_left(c); i++)
		idmap_set(&info->name_ids, cursor_u64(c), 0, index);
}

static void decode_event_desc(struct perf_info *info, struct cursor *c)
{
	uint32_t count = cursor_u32(c), attr_size = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_left(c); i++)
		decode_event_name(info, c, attr_size);
}

static void decode_groups(struct perf_info *info, struct cursor *c)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_left(c); i++) {
		char *name = decode_text(c);
		struct perf_group *g;

		if (!name)
			return;
		g = vec_push(&info->groups);
		g->name = name;
		g->leader = cursor_u32(c);
		g->members = cursor_u32(c);
	}
}

static void decode_build_ids(struct perf_info *info, struct cursor *c)
{
	while (cursor_left(c) && perf_build_id_decode(info, c))
		continue;
}

static void decode_sample_time(struct perf_info *info, struct cursor *c)
{
	info->first_ns = cursor_u64(c);
	info->last_ns = cursor_u64(c);
}

static void decode_clock(struct perf_info *info, struct cursor *c)
{
	info->clock_ns = cursor_u64(c);
}

/* A clock of version 1: its number, the time of day, and the clock's value then. */
static void decode_clock_data(struct perf_info *info, struct cursor *c)
{
	uint32_t version = cursor_u32(c);
	uint64_t wall, at;

	cursor_u32(c); /* the clock's number: the events have it too */
	wall = cursor_u64(c);
	at = cursor_u64(c);
	if (version != 1 || !cursor_ok(c))
		return;
	info->wall_ns = wall;
	info->wall_at_ns = at;
}

static uint32_t skip_texts(struct cursor *c)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_left(c); i++)
		cursor_bytes(c, cursor_u32(c));
	return cursor_ok(c) ? count : 0;
}

/* Lists of CPUs, of each package and then of each core; the CPUs' own numbers follow. */
static void decode_topology(struct perf_info *info, struct cursor *c)
{
	info->packages = skip_texts(c);
	info->cores = skip_texts(c);
}

static void decode_hybrid(struct perf_info *info, struct cursor *c)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_left(c); i++) {
		struct perf_core_kind kind = { decode_text(c), NULL };

		kind.cpus = decode_text(c);
		if (kind.cpus)
			*vec_push(&info->kinds) = kind;
		else
			free(kind.pmu);
	}
}

static void decode_folder(struct perf_info *info, struct cursor *c)
{
	info->folder = cursor_u64(c);
}

/* A feature is one text, kept at an offset in perf_info, or decoded by a function. */
static const struct feature {
	uint32_t number;
	size_t text;
	void (*decode)(struct perf_info *, struct cursor *);
} features[] = {
	{ PERF_FEATURE_TRACING_DATA, 0, perf_tracing_decode },
	{ PERF_FEATURE_BUILD_ID, 0, decode_build_ids },
	{ PERF_FEATURE_HOSTNAME, offsetof(struct perf_info, hostname), NULL },
	{ PERF_FEATURE_OSRELEASE, offsetof(struct perf_info, osrelease), NULL },
	{ PERF_FEATURE_VERSION, offsetof(struct perf_info, version), NULL },
	{ PERF_FEATURE_ARCH, offsetof(struct perf_info, arch), NULL },
	{ PERF_FEATURE_NRCPUS, 0, decode_nrcpus },
	{ PERF_FEATURE_CPUDESC, offsetof(struct perf_info, cpudesc), NULL },
	{ PERF_FEATURE_CPUID, offsetof(struct perf_info, cpuid), NULL },
	{ PERF_FEATURE_CMDLINE, 0, decode_command },
	{ PERF_FEATURE_EVENT_DESC, 0, decode_event_desc },
	{ PERF_FEATURE_TOPOLOGY, 0, decode_topology },
	{ PERF_FEATURE_GROUP_DESC, 0, decode_groups },
	{ PERF_FEATURE_SAMPLE_TIME, 0, decode_sample_time },
	{ PERF_FEATURE_CLOCKID, 0, decode_clock },
	{ PERF_FEATURE_FOLDER, 0, decode_folder },
	{ PERF_FEATURE_CLOCK_DATA, 0, decode_clock_data },
	{ PERF_FEATURE_HYBRID, 0, decode_hybrid },
	{ PERF_FEATURE_META_INFO, 0, perf_meta_decode },
};

bool perf_feature_decode(struct perf_info *info, uint32_t number, struct cursor *c)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		const struct feature *f = &features[i];
		char **text = (char **)((char *)info + f->text);

		if (f->number != number)
			continue;
		if (f->decode) {
			f->decode(info, c);
		} else {
			free(*text);
			*text = decode_text(c);
			if (*text && !**text) {
				free(*text);
				*text = NULL;
			}
		}
	}
	return cursor_ok(c);
}

/*
 * A record with a layout of its own: the address space's owner, 20 bytes of build-id, in
 * later versions their number, and a path.
 */
bool perf_build_id_decode(struct perf_info *info, struct cursor *c)
{
	enum { SIZED = 1 << 15 };
	struct perf_build_id id = { .len = sizeof(id.bytes) };
	const void *bytes;
	struct cursor in;
	const char *path;
	uint16_t misc, size;
	unsigned len;

	cursor_u32(c); /* a type */
	misc = cursor_u16(c);
	size = cursor_u16(c);
	if (size < PERF_RECORD_HEADER_SIZE)
		cursor_fail(c);
	in = cursor_sub(c, cursor_ok(c) ? size - PERF_RECORD_HEADER_SIZE : 0);
	cursor_u32(&in); /* pid: -1 is the host */
	bytes = cursor_bytes(&in, sizeof(id.bytes));
	len = cursor_u8(&in);
	cursor_bytes(&in, 3);
	path = cursor_str(&in);
	if (!cursor_ok(c) || !cursor_ok(&in))
		return false;
	memcpy(id.bytes, bytes, sizeof(id.bytes));
	if (misc & SIZED && len < sizeof(id.bytes))
		id.len = len;
	perf_info_add_build_id(info, path, &id);
	return true;
}
