/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/frames.h"

void unwind_frames_release(struct unwind_frames *frames)
{
	vec_release(&frames->v);
}
