/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event to sample: one struct for every spelling, be it an alias of ours ("cycles"),
 * libpfm4's ("CPL_CYCLES:RING0:u"), perf's ("cpu/event=0x3c/", "sched:sched_switch") or
 * the clock. ringprof-events(7) describes the language.
 *
 * Resolving a name opens no event: it needs libpfm4's tables and, for PMUs and
 * tracepoints that only the kernel knows, /sys.  The collector finds out whether the
 * event can be opened; `measures_time` says whether the clock may replace it.
 */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "base/strbuf.h"

enum event_unit {
	EVENT_UNIT_EVENTS,
	EVENT_UNIT_CYCLES,     /* of the core: seconds by the measured clock */
	EVENT_UNIT_REF_CYCLES, /* of the reference clock: seconds by the TSC's rate */
	EVENT_UNIT_NS,
};

/* "events", "cycles", "ref-cycles", "ns": for the experiment, JSON and the list. */
const char *event_unit_name(enum event_unit unit);

/*
 * How far a sample may lie behind the instruction that caused it, by precise_ip, in the
 * words of <linux/perf_event.h>: "arbitrary skid" for 0 … "no skid" for 3.
 */
#define EVENT_PRECISE_MAX 3u
const char *event_skid_name(unsigned precise_ip);

/* The user's choice of precise_ip. */
enum event_precision {
	EVENT_PRECISION_DEFAULT, /* nothing */
	EVENT_PRECISION_MOST,    /* :P, the highest available */
	EVENT_PRECISION_FIXED,   /* :pp, ~precise=2: that level */
};

#define EVENT_NO_REGISTER (-1)

/*
 * The strings are the event's own, and never NULL.  No two events of a list have the same
 * `name`, unless they are the parts of one counter on a CPU with several kinds of core:
 * then `part` counts 0, 1, … and the metric is the sum.
 */
struct event {
	char *asked; /* what the user typed, without the rate */
	char *name;  /* the metric's id: the alias or raw name with a '.' for each ':',
			so that it fits in er_print's metrics: "cycles", "cycles.u" */
	char *label; /* for a heading: "CPU Cycles" */
	char *raw;   /* the underlying counter: "skl::UNHALTED_CORE_CYCLES:u" */
	enum event_unit unit;

	uint32_t type; /* PERF_TYPE_*, or a PMU's number from /sys */
	uint64_t config, config1, config2;
	bool exclude_user, exclude_kernel, exclude_hv;
	unsigned precise_ip; /* 0 to EVENT_PRECISE_MAX */
	enum event_precision precision;

	bool freq;       /* `period` is a number of samples a second */
	uint64_t period; /* never 0; nanoseconds for a clock */

	bool measures_time; /* the clock may replace it if it is unavailable */
	bool clock;         /* the kernel's cpu-clock: works on every machine */
	bool addresses;     /* +CTR: samples record the address of their data */
	bool bare;        /* samples have the address and the instruction, but no stack */
	bool not_program; /* counts for a whole socket (uncore), not for this program */
	bool with_data;   /* a tracepoint whose samples have its data */
	int reg;          /* /REG; the kernel places counters itself */
	unsigned part;

	/* The events of {a,b,c} are adjacent in the list, and counted together. */
	unsigned group; /* from 1; 0: alone */
	bool member;    /* read at the samples of the group's first, not sampled itself */
};

/* A vec of events, in the order of the request. */
struct event_list {
	struct event *data;
	size_t len, cap;
};

void event_release(struct event *event);
void event_list_release(struct event_list *list);

/*
 * The names of this machine's counters.  ROOT, borrowed, precedes /sys, "" for the
 * machine itself.  NULL if libpfm4 does not start, with the reason in ERR.
 * LIBPFM_FORCE_PMU in the environment selects another CPU's names.
 */
struct events;
struct events *events_open(const char *root, struct strbuf *err);
void events_close(struct events *events);

/*
 * The calls below return 0, or a negative errno after adding one plain sentence to ERR,
 * without a newline: -ENOENT for an unknown name, -EINVAL for text that is not
 * understood.  On failure the outputs are unchanged.
 */

/* TEXT is an operand of collect -h: ITEM[,ITEM…], an item being
 * [+]CTR[~attr=val…][/REG][,RATE] or {CTR,CTR…}[,RATE]. */
int event_list_parse(const struct events *events, const char *text,
		     struct event_list *list, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Milliseconds, or on, hi, lo, as for collect -p (the caller handles "off"). */
int clock_rate_parse(const char *text, uint64_t *period_ns, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * The format of the data of the tracepoint NAME ("sched:sched_switch"), as the kernel's text,
 * which is hostile.
 */
int tracepoint_format(const struct events *events, const char *name,
		      struct strbuf *format, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The kernel's CPU clock: metric "totalcpu", in nanoseconds. */
void event_clock(uint64_t period_ns, struct event *event);

/*
 * Whether the kernel counts EVENT itself, where it happens: a software event that is no
 * clock, or a tracepoint.
 */
bool event_is_counted_by_kernel(const struct event *event);

/* EVENT's skid; the kernel samples events that it counts itself where they happen. */
const char *event_skid(const struct event *event);

/* Makes `raw` name EVENT's present levels and precision. */
void event_respell(struct event *event);

/* Writes the event's own fields of ATTR (its size too); leaves all others alone. */
void event_attr(const struct event *event, struct perf_event_attr *attr);

#endif
