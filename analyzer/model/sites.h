/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in the source the frames of all experiments are: lines, and the functions that
 * were inlined there, from the debug information of the files that ran (lineinfo.h).
 *
 * A site is a line of a function; frames that are there share it.  What is not known of
 * a frame stays 0: it is then a site of its function without a line.
 */
#ifndef SITES_H
#define SITES_H

#include <stdbool.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct site {
	uint32_t function; /* whose source the line is of: the inlined one */
	uint32_t file;     /* in the model's strings; "": not known */
	uint32_t line;     /* from 1; 0: not known */
};

/* How an object's lines were got. */
struct object_lines {
	bool asked;      /* it is a file, and some frame is in it */
	bool debug_file; /* they come from its debug file */
	int error;       /* 0, or the negative errno of lineinfo_open */
	char *missing;   /* a part of the debug information that is not there; or NULL */
	uint32_t build_id; /* in the model's strings */
};

struct sites {
	VEC(struct site) sites;
	struct idmap ids;
	struct frame_map map;             /* what each frame is in sites */
	VEC(struct object_lines) objects; /* by object */
};

/*
 * Asks all files, each for all of its frames at once.  Adds functions to the model.
 * Overwrites OUT, which is the caller's to release.
 */
void sites_build(struct sites *out, struct model *model);
void sites_release(struct sites *sites);

/*
 * Each frame as the functions of its sites, the one that the linker knows first.
 * Overwrites OUT, which is the caller's to release.
 */
void sites_functions(const struct sites *sites, const struct model *model,
		     struct frame_map *out);

/*
 * Why there are no lines of OBJECT, and what to do about it, as the end of a sentence:
 * "…, which has no debug information: compile it with -g".
 */
void sites_explain(const struct sites *sites, const struct model *model, uint32_t object,
		   struct strbuf *out);

/* What to do about it alone: a command where one can be told.  Empty: nothing. */
void sites_remedy(const struct sites *sites, const struct model *model, uint32_t object,
		  struct strbuf *out);

#endif
