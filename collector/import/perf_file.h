/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf.data file: what it says of itself, and the kernel's records in it, one after the
 * other as they stand there.  What perf wrote between them for its readers (attrs,
 * features, build-ids, compressed records, rounds) is understood here and not handed out.
 *
 * Any byte may be wrong.  What is read is bounded by the file's size, and the memory by
 * the window that it is seen through.
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
	char *name;   /* by a record that told it later; NULL: none did */
	char *unit;   /* likewise: "Joules" */
	double scale; /* of UNIT, what a count of 1 is; 0: not told */
	uint64_t id;  /* the first of its ids */
	bool has_id;
};

struct perf_file {
	struct perf_stream own;
	VEC(struct perf_stream) parts; /* of its folder, where that has more files */
	size_t missing;                /* files of the folder */
	struct perf_info info;
	VEC(struct perf_event) events;
	struct idmap ids; /* the kernel's id of an event → index in events */
	bool pipe, swap;  /* swap: of the other byte order */
	bool unfinished;  /* the program that wrote it was ended before it was done */
	size_t left_out;  /* features that are damaged */
	uint64_t traced;  /* bytes of hardware traces, which were stepped over */
};

/*
 * What is done with the records.  BYTES are good during the call; record gives the time
 * of what they are, or 0.  Of one file round tells of PERF_RECORD_FINISHED_ROUND; of a
 * folder until tells that all records older than TIME have come.
 */
struct perf_file_sink {
	uint64_t (*record)(void *ctx, const void *bytes, size_t len);
	void (*round)(void *ctx);
	void (*until)(void *ctx, uint64_t time);
	void *ctx;
};

/* One more event; good until the next. */
struct perf_event *perf_file_add_event(struct perf_file *f, const struct perf_attr *attr);

/* One more id of the last event. */
void perf_file_add_id(struct perf_file *f, uint64_t id);

/* One more file of records, FD, which is borrowed.  0 or a negative errno. */
int perf_file_add_part(struct perf_file *f, int fd, const char *name)
	__attribute__((warn_unused_result));

void perf_file_release(struct perf_file *f);

/* How far the walk is, in bytes. */
void perf_file_progress(const struct perf_file *f, uint64_t *at, uint64_t *end);

/* The name of event INDEX, from wherever the file has it; NULL: it has none. */
const char *perf_file_event_name(const struct perf_file *f, size_t index);

#endif
