/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of one file of a recording, and the position of reading: the whole recording,
 * or in the directory of perf record --threads the records of one CPU's ring.
 */
#ifndef PERF_STREAM_H
#define PERF_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/perf_unzip.h"
#include "import/perf_window.h"

/* All-zero is empty. */
struct perf_stream {
	struct perf_window window;
	struct perf_unzip unzip;
	uint64_t at, end; /* of the remaining records */
	bool truncated;   /* it ends within a record, at AT */
	/* of a file in a directory */
	char *name;
	bool ended, rounds;
	uint64_t newest;  /* time of its records so far */
	uint64_t round;   /* the newest when the round before began */
	uint64_t reached; /* nothing older will appear in it */
};

/* Treats all of the file FD, which is borrowed, as records.  0 or a negative errno. */
int perf_stream_init(struct perf_stream *s, int fd, size_t window)
	__attribute__((warn_unused_result));
void perf_stream_release(struct perf_stream *s);

/*
 * A record with that TIME (0: none) was read, or the end of a round was.  A ring is in
 * time order; if there are rounds, several rings were written into one file in turns, and
 * only records older than the previous round are complete.
 */
void perf_stream_see(struct perf_stream *s, uint64_t time);
void perf_stream_round(struct perf_stream *s);

/* No whole record is left. */
void perf_stream_end(struct perf_stream *s);

#endif
