/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of this program: functions of different frames call each other. */
#ifndef OWN_STACKS_H
#define OWN_STACKS_H

#include "self.h"

struct own_stacks {
	struct self_sample *sample;     /* borrowed: the last one taken */
	const struct self_space *space; /* the same */
};

/* SPACE becomes this program's.  SIGUSR1 is used for frames of signals. */
void own_stacks_init(struct own_stacks *s, struct self_sample *sample,
		     struct self_space *space);

/* Of DEPTH calls, on a way that the bits of PATH choose. */
void own_stacks_take(struct own_stacks *s, unsigned depth, uint64_t path);

#endif
