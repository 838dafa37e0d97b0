/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What repeats is written once.
 *
 * Strings, modules, frames and nodes of stacks get an id at their first appearance, and a
 * row in the experiment; from then on they are their id.  A stack is a path in one tree,
 * outermost frame first, so that stacks share what they have in common: it is nearly all.
 */
#ifndef INTERN_H
#define INTERN_H

#include <stdint.h>

#include "experiment/format.h"
#include "experiment/write.h"
#include "base/file.h"
#include "base/idmap.h"
#include "base/strtab.h"
#include "base/vec.h"

/*
 * The most nodes that paths may add, some 1.4 GB: millions of stacks, each of hundreds of
 * frames that no other has.
 */
enum { INTERN_NODES_MAX = 1 << 24 };

#define INTERN_NO_NODE UINT32_MAX

struct intern_frame {
	uint64_t offset;
	uint32_t module;
	uint32_t flags; /* EXP_FRAME_RETURN */
};

struct intern {
	struct exp_writer *writer; /* borrowed */
	struct strtab strings;
	struct idmap module_ids, frame_ids, node_ids;
	VEC(struct intern_frame) frames;
	uint32_t modules, nodes; /* how many; node 0 is the empty stack */
	uint32_t artificial;     /* the module of artificial frames, + 1; 0: none yet */
	uint32_t nodes_max;      /* INTERN_NODES_MAX, but for tests */
};

void intern_init(struct intern *in, struct exp_writer *writer);
void intern_release(struct intern *in);

/* Each gives the id; equal arguments give equal ids. */
uint32_t intern_string(struct intern *in, const char *text);
uint32_t intern_module(struct intern *in, const char *path, const char *build_id,
		       enum exp_module_kind kind);

/* Adds a file of that path, without a build-id: each call gives another id. */
uint32_t intern_new_module(struct intern *in, const char *path,
			   const struct file_mark *mark);

uint32_t intern_frame(struct intern *in, uint32_t module, uint64_t offset,
		      uint32_t flags);
uint32_t intern_node(struct intern *in, uint32_t parent, uint32_t frame);

/* An artificial frame; WHICH is its offset (format.h): EXP_SKID, EXP_TRUNCATED + reason. */
uint32_t intern_artificial(struct intern *in, uint64_t which);

/*
 * The nodes of a path of COUNT frames, outermost first, under PARENT into NODES.  Faster
 * than one by one where they are not known: what each is looked up by does not wait for
 * memory that the one before needs.  Where there are too many nodes, those of a path that
 * are not known are INTERN_NO_NODE, as is what lies below that.
 */
void intern_path(struct intern *in, uint32_t parent, const struct intern_frame *frames,
		 size_t count, uint32_t *nodes);

#endif
