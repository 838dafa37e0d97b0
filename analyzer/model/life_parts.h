/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lives of a source's threads in equal parts of the recording: time by state.  A wait
 * fills its interval, which ended at its sample's time.  All of it is exact, of whole
 * lives, whatever the filter.
 */
#ifndef LIFE_PARTS_H
#define LIFE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/lives.h"

/* From the first birth to the last end of a source's threads. */
struct life_span {
	uint64_t from_ns, to_ns;
};

struct life_span life_span(const struct source *source);

/* [index of the thread × parts + part]; a part is PART_NS long, the last at most. */
struct life_parts {
	struct thread_time *times;
	uint32_t *index; /* by thread's last row, from 1; 0: not among the threads */
	size_t parts;
	uint64_t from_ns, part_ns;
};

/*
 * THREADS are COUNT last rows of threads: memory is for these alone.  Overwrites OUT, which
 * the caller releases.
 */
void life_parts_read(struct life_parts *out, const struct source *source,
		     struct life_span span, size_t parts, const uint32_t *threads,
		     size_t count);
void life_parts_release(struct life_parts *parts);

#endif
