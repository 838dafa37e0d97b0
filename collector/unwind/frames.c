/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/frames.h"

void unwind_frames_release(struct unwind_frames *frames)
{
	vec_release(&frames->v);
}

void unwind_frames_drop_doubtful(struct unwind_frames *frames)
{
	if (!frames->doubtful || frames->end == UNWIND_END_ROOT ||
	    frames->v.len <= frames->doubtful)
		return;
	frames->v.len = frames->doubtful;
	frames->end = UNWIND_END_NO_RULE;
}
