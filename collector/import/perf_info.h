/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf.data file's description of the machine, the command and the events.  Reading the
 * samples needs none of it; perf_feature.h and perf_tracing.h fill it.
 */
#ifndef PERF_INFO_H
#define PERF_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/strtab.h"
#include "base/vec.h"

/* An event as the command line named it. */
struct perf_event_name {
	char *name;
	uint32_t type;
	uint64_t config;
};

/* Tracepoints whose data is read. */
enum perf_traced {
	PERF_TRACED_SWITCH, /* sched:sched_switch */
	PERF_TRACED_WAKING, /* sched:sched_waking */
	PERF_TRACED_WAKEUP, /* sched:sched_wakeup */
	PERF_TRACED_KINDS   /* one past the last */
};

struct perf_group {
	char *name;
	uint32_t leader, members; /* index of the event, and the number that follow it */
};

/* The cores of one of a hybrid CPU's kinds: "cpu_atom", "4-11". */
struct perf_core_kind {
	char *pmu, *cpus;
};

/* As the kernel and perf give it: at most 20 bytes. */
struct perf_build_id {
	unsigned char bytes[20];
	unsigned len; /* 0: none */
};

/* The place in the recording of a file's function names: perf_names.h. */
struct perf_names_place {
	uint64_t offset;
	uint32_t size;
	bool packed;
};

/* All-zero but for the tables is empty; texts are owned, NULL if unknown. */
struct perf_info {
	char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	uint32_t cpus;
	VEC(char *) command;
	VEC(struct perf_event_name) names;
	struct idmap name_ids; /* the kernel's id of an event → index in names */
	VEC(struct perf_event_name)
	kind_names;                      /* for all events of that type and config */
	char *traced[PERF_TRACED_KINDS]; /* their formats, as text; NULL: none */
	uint64_t traced_ids[PERF_TRACED_KINDS]; /* configs of their events */
	VEC(struct perf_group) groups;
	struct strtab paths;
	VEC(struct perf_build_id) build_ids; /* by id of path */
	VEC(struct perf_names_place) names_places;
	struct idmap names_ids;     /* id of path → index in names_places */
	uint64_t first_ns, last_ns; /* of the samples; 0: unknown */
	uint64_t clock_ns;          /* resolution of -k's clock; 0: none */
	uint64_t wall_ns,
		wall_at_ns;       /* the time of day at one of that clock; 0: unknown */
	uint32_t packages, cores; /* of the machine; 0: unknown */
	VEC(struct perf_core_kind) kinds;
	uint64_t folder; /* layout of the file's directory: PERF_FOLDER_* */
	bool simpleperf; /* recorded it */
	bool counts;     /* perf stat recorded: there are no samples to expect */
};

void perf_info_init(struct perf_info *info);
void perf_info_release(struct perf_info *info);

/* Sets, or returns, the PLACE of a file's function names; NULL: none. */
void perf_info_add_names(struct perf_info *info, const char *path,
			 const struct perf_names_place *place);
const struct perf_names_place *perf_info_names(struct perf_info *info, const char *path);

/* The build-id of a mapped file. */
void perf_info_add_build_id(struct perf_info *info, const char *path,
			    const struct perf_build_id *id);

/* The same, or NULL. */
const struct perf_build_id *perf_info_build_id(struct perf_info *info, const char *path);

#endif
