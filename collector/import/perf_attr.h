/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf_event_attr from a file: of any version, in either byte order.  Fields that the
 * file's version lacks are zero; those of later versions are ignored.
 */
#ifndef PERF_ATTR_H
#define PERF_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

enum { PERF_ATTR_SIZE_LEAST = 64, PERF_ATTR_SIZE_MOST = 4096 };

struct perf_attr {
	uint32_t type;
	uint64_t config, config1;
	uint64_t period; /* or, with freq, samples a second */
	int32_t clockid; /* with use_clockid: CLOCK_* of clock_gettime(2) */
	uint64_t sample_type, read_format, branch_type, regs_user, regs_intr;
	bool freq, inherit, sample_id_all, use_clockid;
	bool build_id;       /* reports build-ids of mapped files */
	bool comm_exec;      /* marks names of executed programs */
	bool context_switch; /* reports switches of threads */
	bool bookkeeping;    /* reports mappings, names, tasks, or their final counts */
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest;
	bool exclude_callchain_kernel;
	unsigned precise; /* 0 … 3 */
};

/* From the next SIZE bytes of C; false if they cannot be one. */
bool perf_attr_decode(struct cursor *c, size_t size, struct perf_attr *attr);

/* The attr's own size, from its second word.  C is not moved; 0: it is truncated. */
size_t perf_attr_size(const struct cursor *c);

#endif
