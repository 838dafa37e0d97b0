/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From registers and a copy of the top of a stack to the stack's frames.
 *
 * Each frame's rule (rule.h) locates its caller's registers.  Rules come from the
 * module's call frame information (module.h), are made once for an address, and live in
 * the unwinder's cache, keyed by module and address, for all processes.  The warm path
 * allocates nothing and takes no lock; an unwinder serves one thread, and its readers others.
 *
 * Nothing is trusted: registers, stack, mappings and call frame information may be
 * arbitrary.  Whatever they hold, the work for one stack is bounded (UNWIND_MAX_FRAMES,
 * and a budget for reading call frame information and Go's tables and code), and each
 * frame's address except the first is in executable memory.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/frames.h"
#include "unwind/module.h"

struct unwinder;

struct unwinder *unwinder_new(void);

/*
 * A reader has the rules of OF, and makes others from what OF's modules have loaded, for itself
 * alone.  So several threads may have one each.  OF, the modules and the mappings rest while a
 * reader works.
 */
struct unwinder *unwinder_new_reader(const struct unwinder *of);

/* The caller owns opened modules, which are not touched. */
void unwinder_free(struct unwinder *u);

/*
 * A reader's unwind_stack.  True: the same frames, to the root.  False: the stack takes
 * unwind_stack, as it does not end there, or by what is not known yet.
 */
bool unwind_known_stack(struct unwinder *reader, const struct unwind_input *in,
			struct unwind_frames *frames) __attribute__((warn_unused_result));

/*
 * Unwinds IN into *FRAMES, whose former content is dropped and whose memory is reused.
 * There is always a first frame, the pc.  Frames that end for want of memory or a register
 * may include doubtful ones: if these cannot be completed, drop them by
 * unwind_frames_drop_doubtful.
 */
void unwind_stack(struct unwinder *u, const struct unwind_input *in,
		  struct unwind_frames *frames);

/*
 * Whether the code at FILE_OFFSET of MODULE has no caller by its call frame information:
 * for stacks that came from a frame pointer chain.
 */
bool unwind_is_root(struct unwinder *u, struct unwind_module *module,
		    uint64_t file_offset);

const struct unwind_stats *unwinder_stats(const struct unwinder *u);

#endif
