/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request to the kernel for each event: its perf_event_attr (<linux/perf_event.h>,
 * perf_event_open(2)).
 */
#ifndef SAMPLE_ATTR_H
#define SAMPLE_ATTR_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "sample/evlist.h"

/* The format of samples, by the way of collecting stacks. */
struct record_format sample_format(enum stack_mode mode);

/* The same for samples of EVENT; COMMON is the format of the whole recording. */
struct record_format sample_event_format(const struct event *event,
					 const struct record_format *common);

/*
 * How many bytes of a stack to copy with each sample, at first and after NOW were too
 * few; NOW again if there is no larger size.  Copies cost the target time and take ring
 * space. Events that can be replaced start with large copies, as the stacks are still
 * unknown. A task's events cannot: that would lose those that its children inherited.
 */
uint32_t sample_stack_first(const struct evlist_setup *setup, size_t ring_size);
uint32_t sample_stack_next(const struct evlist_setup *setup, size_t ring_size,
			   uint32_t now);

/* The bytes of a ring in which copies can have their largest size; 0: there are none. */
uint64_t sample_ring_wanted(const struct evlist_setup *setup);

/*
 * The least that a ring of RING_SIZE has to begin with, before it has its size; MOST is
 * the most that it may.
 */
size_t sample_ring_first(const struct evlist_setup *setup, size_t ring_size, size_t most);

/* … and the size of the first copies: a ring of FIRST_SIZE holds those of 20 ms. */
uint32_t sample_stack_small(const struct evlist_setup *setup, size_t first_size,
			    size_t ring_size);

bool sample_stack_is_fixed(const struct evlist_setup *setup);

/* Whether samples have the control groups of their tasks. */
bool sample_has_groups(const struct evlist_setup *setup);

/* Whether events can be reopened: those of tasks and groups cannot. */
bool sample_is_replaceable(const struct evlist_setup *setup);

/*
 * The most bytes of a stack that are copied at a switch of threads, for collect -w.  Switches
 * may be frequent, and the stacks of threads that wait can be read beyond the copy.
 */
enum { SAMPLE_SWITCH_STACK = 16 << 10 };

/* … and where one ends another's wait: enough to find where its program does so. */
enum { SAMPLE_WAKING_STACK = 8 << 10 };

/*
 * The attr of EVENT with SETUP, disabled, for a ring of RING_SIZE bytes and copies of
 * STACK_BYTES.  COMMON: the format of the whole recording.
 */
void sample_attr(const struct evlist_setup *setup, const struct event *event,
		 const struct record_format *common, size_t ring_size,
		 uint32_t stack_bytes, struct perf_event_attr *attr);

/* One event of a ring must report tasks and mappings: one of SETUP's, or a tracker. */
void sample_attr_tells_tasks(const struct evlist_setup *setup,
			     struct perf_event_attr *attr);
void sample_attr_tracker(const struct evlist_setup *setup,
			 const struct record_format *format, size_t ring_size,
			 struct perf_event_attr *attr);

#endif
