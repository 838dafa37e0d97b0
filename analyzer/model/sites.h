/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of all experiments' frames in the source: lines, and the functions inlined
 * there, from the debug information of the files that ran (lineinfo.h).
 *
 * A site is a line of a function; frames there share it.  Unknown parts of a frame stay
 * 0: it is then a site of its function without a line.
 */
#ifndef SITES_H
#define SITES_H

#include <stdbool.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct site {
	uint32_t function; /* the function of the line: the inlined one */
	uint32_t file;     /* in the model's strings; "": unknown */
	uint32_t line;     /* from 1; 0: unknown */
};

/* The source of an object's lines. */
struct object_lines {
	bool asked;        /* it is a file with frames */
	bool debug_file;   /* they come from its debug file */
	int error;         /* 0, or the negative errno of lineinfo_open */
	char *missing;     /* a missing part of the debug information; or NULL */
	uint32_t build_id; /* in the model's strings */
};

struct sites {
	VEC(struct site) sites;
	struct idmap ids;
	struct frame_map map;             /* the sites of each frame */
	VEC(struct object_lines) objects; /* by object */
};

/*
 * Reads all files, each for all of its frames at once.  Adds functions to the model.
 * Overwrites OUT, which the caller releases.
 */
void sites_build(struct sites *out, struct model *model);
void sites_release(struct sites *sites);

/*
 * Each frame as the functions of its sites, the one with a symbol first.  Overwrites OUT,
 * which the caller releases.
 */
void sites_functions(const struct sites *sites, const struct model *model,
		     struct frame_map *out);

/*
 * Why there are no lines of OBJECT, and what to do about it, as the end of a sentence:
 * "…, which has no debug information: compile it with -g".
 */
void sites_explain(const struct sites *sites, const struct model *model, uint32_t object,
		   struct strbuf *out);

/* Only the remedy: a command, if there is one.  Empty: none. */
void sites_remedy(const struct sites *sites, const struct model *model, uint32_t object,
		  struct strbuf *out);

#endif
