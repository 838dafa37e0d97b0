/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a group of counters fits on the CPU at once, tried on ourselves: the kernel
 * opens it only if the CPU has registers for all, and does not run a pinned one while
 * somebody else holds one of them.
 */
#ifndef GROUP_TRIAL_H
#define GROUP_TRIAL_H

#include "events/event.h"
#include "sample/ladder.h"
#include "base/strbuf.h"
#include "sample/sys.h"

/*
 * Tries every group of LADDER.  0, or a negative errno with one sentence in ERR that
 * names the group and the remedy.
 */
int group_trial(const struct sys *sys, const struct ladder *ladder, struct strbuf *err)
	__attribute__((warn_unused_result));

/* "{cycles,insts}": the group of LADDER that event FIRST leads. */
void group_spell(const struct ladder *ladder, size_t first, struct strbuf *out);

#endif
