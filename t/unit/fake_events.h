/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of events on the fake kernel: ladders and setups. */
#ifndef FAKE_EVENTS_H
#define FAKE_EVENTS_H

#include "fake.h"
#include "sample/evlist.h"

/* COUNT events that need nothing explained. */
void fake_ladder(struct ladder *ladder, size_t count);

/* Those of a variable LADDER, with stacks HOW; ALL: what the target starts too. */
#define SETUP(how, all)                                                                  \
	((struct evlist_setup){ .sys = &fake_sys,                                        \
				.ladder = &ladder,                                       \
				.mode = (how),                                           \
				.stack_bytes = 8192,                                     \
				.follow = (all),                                         \
				.tasks = &fake_target,                                   \
				.ntasks = 1,                                             \
				.on_exec = true })

extern const pid_t fake_target;

size_t fake_cpus(void);

enum { MIB = 1 << 20 };

/* The size of each ring where SIZE is wanted: all together have at most 64 MiB. */
size_t fake_ring_size(size_t size);

#endif
