/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random records as the kernel may write them: of processes that run this program's code,
 * with copies of real stacks, and with all that changes what a stack means.
 */
#ifndef AHEAD_STREAM_H
#define AHEAD_STREAM_H

#include "sample/record.h"
#include "self.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum { STREAM_EVENT = 7, STREAM_PID = 100, STREAM_TASKS = 40 };

#define STREAM_BEGIN_NS UINT64_C(1000000)
#define STREAM_STEP_NS  UINT64_C(100000) /* between records, about */

/* How often, of 1,000 records; samples are the rest. */
struct stream_rates {
	unsigned maps;    /* of a process: another file, none, or the right ones again */
	unsigned tasks;   /* fork, exit */
	unsigned names;   /* names, and programs that are executed */
	unsigned kernel;  /* the kernel's code */
	unsigned strange; /* numbers that do not fit together, and unreadable records */
};

/* The same of samples. */
struct stream_samples {
	unsigned fresh;      /* with a stack that was not there before */
	unsigned cut;        /* whose copy ends too early */
	unsigned kernel;     /* taken in the kernel */
	unsigned new_kernel; /* … at a new place there */
	unsigned skid;       /* ip is not the chain's begin */
	unsigned odd;        /* without registers, a stack, … */
	unsigned bare;       /* without registers */
	unsigned chains;     /* with the program's chain of frame pointers */
};

struct stream_setup {
	uint64_t seed;
	unsigned processes,
		threads; /* numbers: of processes, and of a process's threads */
	struct stream_rates rates;
	struct stream_samples samples;
	unsigned depth; /* calls of a stack, at most */
	unsigned paths; /* stacks that recur */
};

struct stream {
	struct record_format format;
	struct strbuf bytes;
	VEC(size_t) starts;      /* of each record; one more: the end */
	struct self_space space; /* of this program */
};

/* Of so many RECORDS, or a few more. */
void stream_make(struct stream *stream, const struct stream_setup *setup,
		 unsigned records);
void stream_release(struct stream *stream);

#endif
