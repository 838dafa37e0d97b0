/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel for struct sys with the counters, limits and refusals that a test sets, which
 * counts open events and mappings.  Its calls take no context, so there is only one:
 * `fake`, which fake_boot resets.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "sample/sys.h"

struct fake {
	/* errno of perf_event_open, 0: it works; the first that applies counts */
	int any_error;        /* for every event */
	int counter_error;    /* for all but the clock */
	int clock_error;      /* for the clock */
	int one_error;        /* for events whose config is 1 */
	int task_error;       /* for tasks other than 77 */
	int kernel_error;     /* for events that are not exclude_kernel */
	int cgroup_error;     /* for those of a control group */
	int cpu_error;        /* for those of no task */
	bool counts_only;     /* EINVAL for a sampling event of a dynamic PMU */
	unsigned precise_max; /* EOPNOTSUPP for a higher precise_ip */
	bool no_branches;     /* EOPNOTSUPP for a branch stack */
	bool no_addresses;    /* EINVAL for addresses of data */
	bool no_build_id;     /* a kernel that knows no attr.build_id: EINVAL */
	bool no_inherit_thread;
	bool no_lost;         /* one without PERF_FORMAT_LOST */
	bool no_weights;      /* one without PERF_SAMPLE_WEIGHT_STRUCT */
	bool no_cgroup;       /* one without PERF_SAMPLE_CGROUP: EINVAL */
	bool no_inherit_read; /* one before 6.12: EINVAL for inherited values in samples
			       */
	size_t group_max;     /* events that a group may have, EINVAL beyond; 0: any */
	bool pinned_held;  /* a pinned event finds no place: reading it gives nothing */
	uint64_t cores[2]; /* masks of the CPUs that have events of kind of core 1, 2; 0:
			      all have; bit 62 is CPU 62 and all above */
	int offline_cpu;   /* ENODEV; -1: none */
	long cpus_here;    /* how many there are; 0: as here */
	int open_max;      /* EMFILE beyond; 0: no limit */
	size_t ring_max;   /* bytes that one mmap may have, EPERM beyond; 0: no limit */
	int ioctl_error;
	int interval_error;   /* of another sampling interval alone */
	uint64_t now;         /* what the clock says */
	uint64_t counts[5];   /* what a read gives: value, enabled, running, id, lost */
	unsigned samples;     /* that an event which is enabled puts into the last ring */
	uint16_t sample_misc; /* their PERF_RECORD_MISC_* */

	/* what happened */
	unsigned opened, open, maps, redirected, enabled, disabled, wrong;
	unsigned varied;               /* events that got another interval */
	uint64_t interval;             /* the last one */
	unsigned tellers;              /* opened, that tell of tasks */
	unsigned grouped;              /* opened as members of a group */
	struct perf_event_attr leader; /* of the group that a member was last opened in */
	struct perf_event_attr last;   /* that was opened, */
	pid_t last_pid;                /* for whom */
	uint64_t cpus;                 /* on which, a bit each, since the boot */
};

extern struct fake fake;
extern const struct sys fake_sys; /* root: none */

/* Nothing is open, everything works. */
void fake_boot(void);

/* As the kernel does: appends RECORD to the ring behind PAGE, of SIZE bytes of data. */
void fake_write(struct perf_event_mmap_page *page, size_t size, const void *record,
		size_t len);

#endif
