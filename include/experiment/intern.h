/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repeated items are written once.
 *
 * Strings, modules, frames and nodes of stacks get an id and a row in the experiment at
 * their first appearance; from then on the id stands for them.  A stack is a path in one
 * tree, outermost frame first, so stacks share their common part, nearly all of them.
 */
#ifndef INTERN_H
#define INTERN_H

#include <stdint.h>

#include "experiment/format.h"
#include "experiment/node_index.h"
#include "experiment/write.h"
#include "base/file.h"
#include "base/idmap.h"
#include "base/strtab.h"
#include "base/vec.h"

/*
 * The most nodes that paths may add, some 1.4 GB: millions of stacks, each with hundreds
 * of frames of its own.
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
	struct idmap module_ids, frame_ids;
	struct node_index node_ids;
	VEC(struct intern_frame) frames;
	uint32_t modules, nodes; /* their number; node 0 is the empty stack */
	uint32_t artificial;     /* the module of artificial frames, + 1; 0: none yet */
	uint32_t nodes_max;      /* INTERN_NODES_MAX, except in tests */
};

void intern_init(struct intern *in, struct exp_writer *writer);
void intern_release(struct intern *in);

/* Each returns the id; equal arguments give equal ids. */
uint32_t intern_string(struct intern *in, const char *text);
uint32_t intern_module(struct intern *in, const char *path, const char *build_id,
		       enum exp_module_kind kind);

/* Adds a file of that path, without a build-id: each call returns a new id. */
uint32_t intern_new_module(struct intern *in, const char *path,
			   const struct file_mark *mark);

uint32_t intern_frame(struct intern *in, uint32_t module, uint64_t offset,
		      uint32_t flags);
uint32_t intern_node(struct intern *in, uint32_t parent, uint32_t frame);

/* An artificial frame; WHICH is its offset (format.h): EXP_SKID, EXP_TRUNCATED + reason. */
uint32_t intern_artificial(struct intern *in, uint64_t which);

/*
 * The nodes of a path of COUNT frames, outermost first, under PARENT into NODES.  Faster
 * than one by one for new nodes: a look-up does not wait for the memory of the one
 * before.  If there are too many nodes, the new nodes of a path, and those below them,
 * are INTERN_NO_NODE.
 */
void intern_path(struct intern *in, uint32_t parent, const struct intern_frame *frames,
		 size_t count, uint32_t *nodes);

/*
 * The same without adding any: what is new is INTERN_NO_NODE.  Several threads may do this
 * at a time in which nothing is added.
 */
void intern_find_path(const struct intern *in, uint32_t parent,
		      const struct intern_frame *frames, size_t count, uint32_t *nodes);

#endif
