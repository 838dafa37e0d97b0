/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sample tells beside what all have (physical addresses, sizes of pages, control
 * groups, …): a row in the experiment for each sample that tells any of it.
 */
#ifndef DETAILS_H
#define DETAILS_H

#include <stdbool.h>

#include "base/idmap.h"
#include "experiment/intern.h"
#include "sample/record.h"

/* The most control groups whose paths are kept. */
enum { DETAILS_CGROUPS_MAX = 1 << 16 };

/* All-zero is empty. */
struct details {
	struct idmap cgroups; /* the kernel's id → string: its path */
	uint64_t left_out;    /* paths beyond DETAILS_CGROUPS_MAX */
};

void details_release(struct details *d);

/* A record told of a control group. */
void details_add_cgroup(struct details *d, struct intern *in,
			const struct record_cgroup *cgroup);

/* Of the sample that is written next.  WITH_BRANCHES: they are not its stack. */
void details_write(const struct details *d, struct intern *in,
		   const struct record_sample *s, bool with_branches);

#endif
