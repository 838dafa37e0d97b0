/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is there whole, or as it was: it is written beside its place, and moved there
 * when it is complete.  What is no file, as /dev/stdout, is written itself.  A link to a file
 * is replaced, not followed: others may have made it.
 */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include "render/stream.h"

struct whole_file {
	struct stream out;
	const char *path; /* borrowed */
	char *new;        /* until it is moved to PATH; NULL: PATH itself is written */
};

/* 0, or a negative errno and nothing to close. */
int whole_file_create(struct whole_file *file, const char *path)
	__attribute__((warn_unused_result));

/* 0 or the first error, after which only what was at PATH before is there. */
int whole_file_close(struct whole_file *file) __attribute__((warn_unused_result));

#endif
