/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lineinfo, parsed in a child process that is confined to reading files (confine.h) and
 * has the rights of whoever named them.  Code in a file that exploits libdw or libelf can
 * only give wrong answers.  A crash, a file truncated meanwhile, or one that exceeds the
 * child's time or memory costs the answers of that object.
 *
 * The child's answers are hostile too: they are decoded within bounds.
 */
#ifndef LINEINFO_APART_H
#define LINEINFO_APART_H

#include "elf/lineinfo.h"

struct line_reply {
	struct line_answers answers; /* with a place for each question */
	char *missing;               /* see lineinfo_missing; NULL: none */
};

void line_reply_release(struct line_reply *reply);

/* The questions to one object. */
struct line_job {
	struct lineinfo *info; /* not parsed; borrowed, as are the offsets */
	const uint64_t *offsets;
	size_t count;
	/* filled in: */
	int error; /* 0, or a negative errno: -ENOEXEC if the debug information is
		      damaged, -ESTALE if a file changed meanwhile, those of
		      line_job_failure, or why the child could not be started */
	struct line_reply reply; /* of lineinfo_find; if 0, the caller releases it */
};

/*
 * How the child failed, to follow "its debug information …"; NULL for other errors.
 * -EPROTO: it crashed, or its answer is malformed; -ETIME, -ENOMEM: it exceeded a limit;
 * -EPERM: root could not take the owner's rights.
 */
const char *line_job_failure(int error);

/*
 * A fork costs time in proportion to our memory, so objects share one; but each holds up
 * to three descriptors, so at most this many.
 */
enum { LINE_JOBS_MAX = 64 };

/*
 * Reads COUNT objects in one child for each user who named them (lineinfo_party), and in
 * another after a crash.  Passes the parts of each to FN (lineinfo_parts), unless that is
 * NULL; those of 1 GiB and more without their content: LEN is 0.
 */
void lineinfo_ask(struct line_job *jobs, size_t count, object_part_fn *fn, void *ctx);

#endif
