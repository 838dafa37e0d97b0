/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of experiments' frames: those stored in each, and for other modules those of
 * the files that ran, which are then stored if it can be written.
 */
#ifndef FRAME_LINES_H
#define FRAME_LINES_H

#include "experiment/lines.h"
#include "experiment/read.h"
#include "elf/object_file.h"
#include "base/progress.h"

/* The source of a module's lines. */
struct module_lines {
	bool asked;      /* it is a file with frames */
	bool debug_file; /* they come from its debug file */
	bool stated;     /* and from a file accepted on the user's word */
	int error;       /* 0, or the negative errno of lineinfo_open */
	char *missing;   /* a missing part of the debug information; or NULL */
};

struct frame_lines {
	struct exp_lines lines;
	struct module_lines *modules;
	size_t module_count;
};

/*
 * Of COUNT experiments.  PROGRESS may be NULL.  Overwrites OUT, one each, which the caller
 * releases.
 */
void frame_lines_find(struct frame_lines *out, const struct experiment *const *exps,
		      size_t count, const struct object_search *search,
		      struct progress *progress);
void frame_lines_release(struct frame_lines *lines);

#endif
