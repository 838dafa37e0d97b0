/* SPDX-License-Identifier: Apache-2.0 */
#include "process/proc_stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Fields, counted from 1 as proc(5) does. */
enum {
	FIELD_PARENT = 4, /* behind the state */
	FIELD_GROUP,
	FIELD_FLAGS = 9,
	FIELD_MINOR_FAULTS,
	FIELD_WAITED_MINOR_FAULTS,
	FIELD_MAJOR_FAULTS,
	FIELD_WAITED_MAJOR_FAULTS,
	FIELD_USER,
	FIELD_SYSTEM,
	FIELD_WAITED_USER,
	FIELD_WAITED_SYSTEM,
	FIELD_THREADS = 20,
	FIELD_START = 22,
	FIELDS
};

/* The kernel's PF_EXITING, of all versions: it precedes the record of the end. */
enum { FLAG_EXITING = 4 };

uint64_t proc_stat_tick_ns(void)
{
	long hz = sysconf(_SC_CLK_TCK);

	return 1000000000u / (uint64_t)(hz > 0 ? hz : 100);
}

/* A time in ticks. */
static bool to_ns(uint64_t ticks, uint64_t *ns)
{
	*ns = ticks * proc_stat_tick_ns();
	return ticks <= UINT64_MAX / proc_stat_tick_ns();
}

/* The numbers behind the state, each at its field's index; negative ones wrap around. */
static bool read_fields(const char *at, uint64_t *fields)
{
	for (int field = FIELD_PARENT; field < FIELDS; field++) {
		char *end;

		if (*at != ' ')
			return false;
		fields[field] = strtoull(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return true;
}

/* The name in parentheses may have any byte, parentheses too; the state follows the last. */
bool proc_stat_parse(const char *text, struct proc_stat *out)
{
	const char *state = strrchr(text, ')');
	uint64_t fields[FIELDS];
	struct proc_times *times = &out->times;

	if (!state || state[1] != ' ' || !state[2] || !read_fields(state + 3, fields))
		return false;
	state += 2;
	*out = (struct proc_stat){
		.runs = !strchr("ZX", *state) || fields[FIELD_THREADS] > 1,
		.exits = fields[FIELD_FLAGS] & FLAG_EXITING,
		.parent = (pid_t)fields[FIELD_PARENT],
		.group = (pid_t)fields[FIELD_GROUP],
		.times = { .minor_faults = fields[FIELD_MINOR_FAULTS],
			   .waited_minor_faults = fields[FIELD_WAITED_MINOR_FAULTS],
			   .major_faults = fields[FIELD_MAJOR_FAULTS],
			   .waited_major_faults = fields[FIELD_WAITED_MAJOR_FAULTS] },
	};
	return to_ns(fields[FIELD_USER], &times->user_ns) &&
	       to_ns(fields[FIELD_SYSTEM], &times->system_ns) &&
	       to_ns(fields[FIELD_WAITED_USER], &times->waited_user_ns) &&
	       to_ns(fields[FIELD_WAITED_SYSTEM], &times->waited_system_ns) &&
	       to_ns(fields[FIELD_START], &out->started_ns);
}

/* Closes F. */
static bool read_stat(FILE *f, struct proc_stat *out)
{
	char text[4096];
	size_t len;

	if (!f)
		return false;
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	return proc_stat_parse(text, out);
}

bool proc_stat_read(const char *root, pid_t pid, struct proc_stat *out)
{
	return read_stat(file_fopen(root, "/proc/%d/stat", (int)pid), out);
}

bool proc_stat_read_thread(const char *root, pid_t pid, pid_t tid, struct proc_stat *out)
{
	return read_stat(file_fopen(root, "/proc/%d/task/%d/stat", (int)pid, (int)tid),
			 out);
}
