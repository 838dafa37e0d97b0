/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends a recording that runs out of memory.  The log says why, and the target runs on to
 * its end, whose status is collect's.
 *
 * It allocates nothing then: all texts were prepared before.  Unflushed samples, up to a
 * second's, are lost; flushed data consists of whole blocks.
 */
#ifndef OUT_OF_MEMORY_H
#define OUT_OF_MEMORY_H

#include "output/exp_dir.h"
#include "experiment/log.h"
#include "loop/loop.h"
#include "base/strbuf.h"

struct out_of_memory {
	struct loop *loop; /* borrowed; NULL: not prepared */
	int log;           /* log.json, open; -1: it could not be opened */
	struct strbuf text, message;
};

/*
 * Handles running out of memory until the release.  LOG: of the running recording in the
 * experiment DIR.
 */
void out_of_memory_prepare(struct out_of_memory *o, struct loop *loop,
			   struct exp_log *log, const struct exp_dir *dir);
void out_of_memory_release(struct out_of_memory *o);

#endif
