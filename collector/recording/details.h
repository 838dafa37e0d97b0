/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that only some samples have (physical addresses, sizes of pages, control groups,
 * …): a row in the experiment for each such sample.
 */
#ifndef DETAILS_H
#define DETAILS_H

#include <stdbool.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "experiment/intern.h"
#include "sample/record.h"

/* The most control groups whose paths are kept. */
enum { DETAILS_CGROUPS_MAX = 1 << 16 };

/* All-zero is empty. */
struct details {
	struct idmap cgroups; /* the kernel's id → string: its path */
	bool by_thread;       /* threads have groups, not samples */
	VEC(uint64_t) known;  /* the ids in cgroups */
	uint64_t left_out;    /* paths beyond DETAILS_CGROUPS_MAX */
};

void details_release(struct details *d);

/* A record reported a control group. */
void details_add_cgroup(struct details *d, struct intern *in,
			const struct record_cgroup *cgroup);

/* The groups go on in the experiment of IN; they were in that of OLD. */
void details_turn(struct details *d, const struct intern *old, struct intern *in);

/* Writes which group the row THREAD is of. */
void details_write_group(const struct details *d, struct intern *in, uint32_t thread,
			 uint64_t cgroup);

/* Writes those of the next sample.  WITH_BRANCHES: they are not its stack. */
void details_write(const struct details *d, struct intern *in,
		   const struct record_sample *s, bool with_branches);

#endif
