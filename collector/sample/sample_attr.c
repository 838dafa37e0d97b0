/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/sample_attr.h"

#include <time.h>

#include "unwind/regs.h"

enum {
	STACK_MIN = 8 << 10,        /* of a copy, by default */
	STACK_FIXED = 32 << 10,     /* if it cannot change: few stacks are deeper */
	STACK_MAX = (64 << 10) - 8, /* the kernel's limit */
	STACK_GROWTH = 4,
	RING_COPIES = 64,  /* a ring holds at least this many copies */
	FIXED_COPIES = 16, /* of copies that cannot change; */
	FIXED_MS = 16,     /* and the samples of this time */
	FIRST_MS = 20,     /* of replaceable ones, which are read more often */
	RATE_DEFAULT = 1000,
	RING_FIRST = 2 << 20, /* holds what a flood of mappings has in 20 ms and more */
};

const char *const stack_mode_names[STACK_MODES] = {
	[STACK_CFI] = "cfi",
	[STACK_FP] = "fp",
	[STACK_LBR] = "lbr",
	[STACK_OFF] = "off",
};

#define NS_PER_S     UINT64_C(1000000000)
#define CYCLES_PER_S UINT64_C(4000000000)

struct record_format sample_format(enum stack_mode mode)
{
	struct record_format f = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID,
	};

	if (mode != STACK_OFF)
		f.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (mode == STACK_LBR) {
		f.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		f.branch_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
	}
	if (mode == STACK_CFI) {
		f.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		f.regs_user = unwind_arch_host()->perf_mask;
	}
	return f;
}

/*
 * If its samples include periods, the kernel samples an event that it counts itself at
 * each occurrence, whatever the interval.  So they omit the period, except for a tracepoint
 * at an interval of 1: there one occurrence may count as many (the nanoseconds of
 * sched_stat_runtime), and without a period each of them would be a sample.  Those with
 * data count one.
 */
static void leave_period_out(const struct event *event, struct record_format *f)
{
	if (!event_is_counted_by_kernel(event) || event->freq ||
	    (event->period == 1 && event->type == PERF_TYPE_TRACEPOINT &&
	     !event->with_data))
		return;
	f->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	f->period = event->period;
}

/*
 * All events of a group request values in samples, since then the kernel separates the
 * values of threads; the leader's samples then have those of all.
 */
static void read_group(const struct event *event, struct record_format *f)
{
	if (!event->group)
		return;
	f->sample_type |= PERF_SAMPLE_READ;
	if (!event->member)
		f->read_format |= PERF_FORMAT_GROUP;
}

/* What every record has, and two addresses. */
static void leave_stack_out(const struct event *event, struct record_format *f)
{
	const uint64_t kept = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

	if (!event->bare)
		return;
	f->sample_type = (f->sample_type & kept) | PERF_SAMPLE_ADDR;
	f->regs_user = f->branch_type = 0;
}

struct record_format sample_event_format(const struct event *event,
					 const struct record_format *common)
{
	struct record_format f = *common;

	leave_stack_out(event, &f);
	leave_period_out(event, &f);
	read_group(event, &f);
	if (event->with_data)
		f.sample_type |= PERF_SAMPLE_RAW;
	return f;
}

/*
 * Without inherit_stat: the kernel would report each ended task's count, of each CPU's event,
 * from the CPU that the task ends on, and so write to the other CPUs' rings.  Those have one
 * writer: beside it the count of nested writers goes wrong, and nothing more is seen of
 * that ring, of which no record tells (perf_output_get_handle in kernel/events/ring_buffer.c;
 * seen with Linux 6.18).
 *
 * Without exclude_idle the clock also ticks in the idle task; counters stand still there,
 * and Arm's are refused with it.
 */
static void fill_scope(const struct evlist_setup *setup, unsigned features,
		       struct perf_event_attr *attr)
{
	if (setup->scope != SCOPE_TASK) {
		attr->exclude_idle = attr->type == PERF_TYPE_SOFTWARE;
		return;
	}
	attr->enable_on_exec = setup->on_exec;
	attr->inherit = 1;
	attr->inherit_thread = !setup->follow && (features & ATTR_INHERIT_THREAD);
}

/* Samples a second; the default rate if it is unknown. */
static uint64_t rate_of(const struct event *event)
{
	if (event->member || event->bare)
		return 0;
	if (event->freq)
		return event->period;
	if (event->unit == EVENT_UNIT_NS)
		return NS_PER_S / event->period + 1;
	if (event->unit == EVENT_UNIT_CYCLES || event->unit == EVENT_UNIT_REF_CYCLES)
		return CYCLES_PER_S / event->period + 1;
	return RATE_DEFAULT;
}

/* How many samples all events of a CPU take in MS. */
static uint64_t samples_in(const struct evlist_setup *setup, uint64_t ms)
{
	uint64_t rate = 0;

	vec_for_each(const struct rung, rung, &setup->ladder->rungs)
		rate += rate_of(&rung->event);
	return rate * ms / 1000;
}

/*
 * A record has room for the whole copy, however small the stack is.  So the larger the
 * copies, the fewer a ring holds, and the sooner a delayed reader loses some.
 */
static uint32_t fitting(size_t ring_size, uint64_t copies, uint32_t most)
{
	size_t fit = ring_size / copies & ~(size_t)7;

	return (uint32_t)(fit < STACK_MIN ? STACK_MIN : fit > most ? most : fit);
}

static uint64_t at_least(uint64_t least, uint64_t n)
{
	return n < least ? least : n;
}

bool sample_has_groups(const struct evlist_setup *setup)
{
	return setup->groups && setup->ladder->features & ATTR_CGROUP;
}

bool sample_is_replaceable(const struct evlist_setup *setup)
{
	vec_for_each(const struct rung, rung, &setup->ladder->rungs)
		if (rung->event.group)
			return false;
	return setup->scope != SCOPE_TASK;
}

bool sample_stack_is_fixed(const struct evlist_setup *setup)
{
	return setup->mode != STACK_CFI || setup->stack_bytes ||
	       !sample_is_replaceable(setup);
}

static uint32_t largest_copy(const struct evlist_setup *setup)
{
	if (setup->stack_bytes)
		return setup->stack_bytes;
	return sample_stack_is_fixed(setup) ? STACK_FIXED : STACK_MAX;
}

/* How many copies a ring must hold. */
static uint64_t copies_in_ring(const struct evlist_setup *setup)
{
	return setup->stack_bytes || sample_is_replaceable(setup)
		       ? at_least(RING_COPIES, samples_in(setup, FIRST_MS))
		       : at_least(FIXED_COPIES, samples_in(setup, FIXED_MS));
}

uint32_t sample_stack_first(const struct evlist_setup *setup, size_t ring_size)
{
	if (setup->mode != STACK_CFI)
		return 0;
	if (setup->stack_bytes)
		return setup->stack_bytes;
	return fitting(ring_size, copies_in_ring(setup), largest_copy(setup));
}

uint64_t sample_ring_wanted(const struct evlist_setup *setup)
{
	return setup->mode == STACK_CFI ? copies_in_ring(setup) * largest_copy(setup) : 0;
}

uint32_t sample_stack_small(const struct evlist_setup *setup, size_t first_size,
			    size_t ring_size)
{
	uint32_t copy = sample_stack_first(setup, ring_size);

	if (first_size >= ring_size || sample_stack_is_fixed(setup))
		return copy;
	return fitting(first_size, at_least(1, samples_in(setup, FIRST_MS)), copy);
}

/* What happens in a program can come in bursts, and so can samples at a rate, at first. */
static bool is_steady(const struct event *event)
{
	return !event->freq &&
	       (event->unit == EVENT_UNIT_NS || event->unit == EVENT_UNIT_CYCLES ||
		event->unit == EVENT_UNIT_REF_CYCLES);
}

size_t sample_ring_first(const struct evlist_setup *setup, size_t ring_size, size_t most)
{
	uint64_t least = samples_in(setup, FIRST_MS) *
			 sample_stack_first(setup, ring_size);
	size_t size = RING_FIRST;

	vec_for_each(const struct rung, rung, &setup->ladder->rungs)
		if (!rung->event.member && !is_steady(&rung->event))
			return ring_size;
	while (size < least)
		size *= 2;
	if (size > most)
		size = most;
	return size < ring_size ? size : ring_size;
}

uint32_t sample_stack_next(const struct evlist_setup *setup, size_t ring_size,
			   uint32_t now)
{
	uint32_t most = fitting(ring_size, RING_COPIES, STACK_MAX);

	if (sample_stack_is_fixed(setup) || now > most)
		return now;
	return now * STACK_GROWTH < most ? now * STACK_GROWTH : most;
}

static void fill_ring(size_t ring_size, struct perf_event_attr *attr)
{
	attr->disabled = 1;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(ring_size / 2);
}

/* Members start and stop with the leader of their group. */
static void fill_group(const struct event *event, struct perf_event_attr *attr)
{
	if (event->member)
		attr->disabled = attr->enable_on_exec = 0;
}

void sample_attr(const struct evlist_setup *setup, const struct event *event,
		 const struct record_format *common, size_t ring_size,
		 uint32_t stack_bytes, struct perf_event_attr *attr)
{
	struct record_format format = sample_event_format(event, common);

	*attr = (struct perf_event_attr){ 0 };
	event_attr(event, attr);
	attr->sample_type = format.sample_type;
	attr->sample_regs_user = format.regs_user;
	attr->branch_sample_type = format.branch_type;
	if (format.sample_type & PERF_SAMPLE_STACK_USER) {
		attr->sample_stack_user = stack_bytes;
		attr->exclude_callchain_user = !setup->chains;
	}
	attr->read_format = format.read_format;
	fill_scope(setup, setup->ladder->features, attr);
	if (setup->paused)
		attr->enable_on_exec = 0;
	fill_ring(ring_size, attr);
	fill_group(event, attr);
}

void sample_attr_tells_tasks(const struct evlist_setup *setup,
			     struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = 1;
	attr->build_id = !!(setup->ladder->features & ATTR_BUILD_ID);
	attr->comm = attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = setup->waits;
	attr->cgroup = sample_has_groups(setup);
}

/* It counts nothing.  Its records end like the others': one format for all. */
void sample_attr_tracker(const struct evlist_setup *setup,
			 const struct record_format *format, size_t ring_size,
			 struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_type = format->sample_type &
			       (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
				PERF_SAMPLE_TIME | PERF_SAMPLE_CPU),
		.read_format = format->read_format,
	};
	fill_scope(setup, setup->ladder->features, attr);
	fill_ring(ring_size, attr);
	sample_attr_tells_tasks(setup, attr);
}
