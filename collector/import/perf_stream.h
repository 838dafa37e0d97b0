/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of one file of a recording, and how far its records have been read: the whole
 * of it, or in the folder of perf record --threads what one CPU's ring held.
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
	uint64_t at, end; /* of the records that are left */
	bool truncated;   /* it ends within a record, at AT */
	/* of a file of a folder */
	char *name;
	bool ended, rounds;
	uint64_t newest;  /* time of its records so far */
	uint64_t round;   /* the newest when the round before began */
	uint64_t reached; /* nothing older will appear in it */
};

/* All of the file FD, which is borrowed, as records.  0 or a negative errno. */
int perf_stream_init(struct perf_stream *s, int fd, size_t window)
	__attribute__((warn_unused_result));
void perf_stream_release(struct perf_stream *s);

/*
 * A record of that TIME (0: of none) was read, or the end of a round was.  A ring's own
 * order is that of time; where there are rounds several rings were written into one file
 * in turns, and only what is older than the round before has all come.
 */
void perf_stream_see(struct perf_stream *s, uint64_t time);
void perf_stream_round(struct perf_stream *s);

/* No whole record is left. */
void perf_stream_end(struct perf_stream *s);

#endif
