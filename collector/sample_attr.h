/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked of the kernel for each event: its perf_event_attr
 * (<linux/perf_event.h>, perf_event_open(2)).
 */
#ifndef SAMPLE_ATTR_H
#define SAMPLE_ATTR_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "evlist.h"

/* What a sample carries, by how stacks are had. */
struct record_format sample_format(enum stack_mode mode);

/* EVENT, sampled as SETUP says, disabled, into a ring of RING_SIZE bytes. */
void sample_attr(const struct evlist_setup *setup, const struct event *event,
		 const struct record_format *format, size_t ring_size,
		 struct perf_event_attr *attr);

/* One event of a ring tells of tasks and mappings too. */
void sample_attr_tells_tasks(const struct evlist_setup *setup,
			     struct perf_event_attr *attr);

#endif
