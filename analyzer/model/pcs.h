/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses: what was sampled at each, and in the calls that stand there.
 *
 * A frame that waits for a call to return is at the last byte of that call: an offset
 * that lies inside of an instruction, and so belongs to no other.
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
	struct frame_map map; /* what each frame is in pcs */
};

/* Overwrites OUT, which is the caller's to release. */
void pcs_build(struct pcs *out, struct model *model);
void pcs_release(struct pcs *pcs);

/* Where code is, given a frame: of a return address the last byte of its call. */
static inline uint64_t pc_of_frame(const struct exp_frame *frame)
{
	return frame->offset - (frame->flags & EXP_FRAME_RETURN && frame->offset);
}

#endif
