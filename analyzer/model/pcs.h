/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses: the samples at each, and in the calls made there.
 *
 * A frame that waits for a call to return is at the last byte of that call: an offset
 * inside the instruction, which belongs to no other.
 */
#ifndef PCS_H
#define PCS_H

#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/vec.h"

struct pc {
	uint32_t object, function;
	uint64_t offset; /* in the file */
};

struct pcs {
	VEC(struct pc) pcs;
	struct frame_map map; /* the pc of each frame */
};

/* Overwrites OUT, which the caller releases. */
void pcs_build(struct pcs *out, struct model *model);
void pcs_release(struct pcs *pcs);

/* The pc of a frame: for a return address, the last byte of its call. */
static inline uint64_t pc_of_frame(const struct exp_frame *frame)
{
	return frame->offset - (frame->flags & EXP_FRAME_RETURN && frame->offset);
}

#endif
