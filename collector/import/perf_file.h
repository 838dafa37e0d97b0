/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf.data file: its description, and the kernel's records in it, in the file's order.
 * Records that perf added for its readers (attrs, features, build-ids, compressed
 * records, rounds) are processed here and not passed on.
 *
 * Any byte may be wrong.  The file's size bounds the reading, and the window bounds the
 * memory.
 */
#ifndef PERF_FILE_H
#define PERF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "import/perf_attr.h"
#include "import/perf_info.h"
#include "import/perf_stream.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct perf_event {
	struct perf_attr attr;
	char *name;   /* from a later record; NULL: none */
	char *unit;   /* the same: "Joules" */
	double scale; /* the value of one count in UNIT; 0: unknown */
	uint64_t id;  /* the first of its ids */
	bool has_id;
	uint32_t ids; /* how many: one for each CPU, or thread, or both */
};

struct perf_file {
	struct perf_stream own;
	VEC(struct perf_stream) parts; /* of its directory, if that has more files */
	size_t missing;                /* files of the folder */
	struct perf_info info;
	VEC(struct perf_event) events;
	struct idmap ids; /* the kernel's id of an event → index in events */
	bool pipe, swap;  /* swap: of the other byte order */
	bool unfinished;  /* its writer ended before it was finished */
	size_t left_out;  /* damaged features */
	uint64_t traced;  /* bytes of hardware traces, which were skipped */
};

/*
 * Receives the records.  BYTES are valid during the call; record returns their time, or
 * 0.  For a single file, round reports PERF_RECORD_FINISHED_ROUND; for a directory, until
 * reports that all records older than TIME have come.
 */
struct perf_file_sink {
	uint64_t (*record)(void *ctx, const void *bytes, size_t len);
	void (*round)(void *ctx);
	void (*until)(void *ctx, uint64_t time);
	void *ctx;
};

/* Adds an event; valid until the next. */
struct perf_event *perf_file_add_event(struct perf_file *f, const struct perf_attr *attr);

/* Adds an id to the last event. */
void perf_file_add_id(struct perf_file *f, uint64_t id);

/* Adds a file of records, FD, which is borrowed.  0 or a negative errno. */
int perf_file_add_part(struct perf_file *f, int fd, const char *name)
	__attribute__((warn_unused_result));

void perf_file_release(struct perf_file *f);

/* The progress of the walk, in bytes. */
void perf_file_progress(const struct perf_file *f, uint64_t *at, uint64_t *end);

/* The name of event INDEX from any part of the file; NULL: it has none. */
const char *perf_file_event_name(const struct perf_file *f, size_t index);

#endif
