/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes records in time order to the experiment: tracks processes, threads and mappings,
 * finds the node of each sample's stack, and writes the sample.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recording/details.h"
#include "recording/generated.h"
#include "experiment/log.h"
#include "experiment/write.h"
#include "sample/group_counts.h"
#include "process/command_lines.h"
#include "process/untraceable.h"
#include "base/idmap.h"
#include "base/spans.h"
#include "experiment/intern.h"
#include "process/kernel_map.h"
#include "process/module.h"
#include "sample/record.h"
#include "sample/sources.h"
#include "stack/builder.h"
#include "sample/stagger_book.h"
#include "recording/tally.h"
#include "process/tasks.h"
#include "recording/waiting.h"

struct recording_event {
	uint64_t samples, weight, unsampled;
	uint64_t
		stopped; /* of unsampled: of processes that the kernel stopped sampling */
	uint64_t addressed; /* samples with an address of data */
	/*
	 * counted weight that is not the target's: from before it executed its program,
	 * after the end, and of threads that are counted twice
	 */
	uint64_t dropped;
	double variance; /* of weight, from samples with random periods */
};

struct sleepers; /* recording/sleepers.h */
struct wakers;   /* recording/wakers.h */

/* attach_process, as a setting */
struct recording;
typedef void recording_meet_fn(struct recording *rec, const char *root, pid_t pid);

/* PID's program ends at AT_NS, of CLOCK_MONOTONIC: it executes another one. */
typedef void recording_exec_fn(void *ctx, uint32_t pid, uint64_t at_ns);

struct recording {
	struct record_format format;
	struct group_counts counts;
	struct exp_writer *writer; /* borrowed */
	struct intern in;
	struct module_table modules;
	struct kernel_map kernel;
	struct tasks tasks;
	struct command_lines command_lines;
	struct stack_builder stack;
	struct sources sources;
	VEC(struct recording_event) events;
	uint64_t start_ns;  /* CLOCK_MONOTONIC; times in the experiment count from it */
	struct spans times; /* counted from start_ns: samples outside are not kept */
	bool late;          /* … and counters have counts from before the first */
	/* events ran on after a pause or the end, and a ring was full: what they counted
	 * then, and no sample shows, is unknown */
	bool blurred;
	bool alone;              /* without the processes that known ones start */
	uint32_t unborn_pid;     /* until it executes its program, it is still collect */
	recording_meet_fn *meet; /* see recording_setup */
	const char *root;
	bool execs_unmarked; /* names do not tell if a program was executed: Linux < 3.16 */
	bool everyone;       /* keep all processes; else the descendants of known ones */
	struct tally tally;
	struct untraceable untraceable;
	struct stagger_book stagger;
	struct details details;
	struct generated generated;
	struct waiting *waiting; /* borrowed, set after recording_init; NULL: -w off */
	struct sleepers
		*sleepers;     /* the same; NULL: sleeping threads are not looked at */
	struct wakers *wakers; /* the same; NULL: who ends waits is not recorded */
	const struct stack_ahead *found; /* of the record that is taken; NULL: nothing */
	/* set after recording_init, called before tasks change; NULL: nobody asks */
	recording_exec_fn *before_exec;
	void *before_exec_ctx;
	uint64_t samples, throttled, unthrottled, bad;
	uint64_t lost; /* records of all kinds, for lack of room in a ring */
	uint64_t
		lost_before; /* … in earlier experiments, which LOST records may still tell */
	uint64_t lost_samples; /* dropped before by the hardware or the kernel */
	uint64_t left_out[EXP_LEFT_KINDS]; /* kinds without a count of their own */
	uint64_t last_ns;                  /* of the newest record */
	uint64_t samples_before;           /* of samples: those of earlier experiments */
};

/* Initial settings of a recording; pointers are borrowed and outlive it. */
struct recording_setup {
	struct exp_writer *writer;
	struct record_format format;
	enum stack_mode mode;
	bool everyone;
	/* precedes /proc and /sys; NULL: recorded elsewhere, or earlier */
	const char *root;
	uint64_t start_ns;
	uint64_t from_ns, to_ns; /* the first span of time; to_ns 0: to the end */
	bool alone;
	uint32_t unborn_pid; /* 0: it has executed its program */
	bool untraceable;    /* the user knows that the unborn one cannot be sampled */
	/* looks up processes that join the recorded group; NULL: none can */
	recording_meet_fn *meet;
	bool groups; /* keeps groups by thread, as threads seldom change theirs */
	bool no_splice;
	bool trust_paths; /* module_table's */
	/* of live processes, borrowed; NULL: do not read holes, beyond copies, or code */
	struct stack_holes *holes;
	struct beyond_shared *beyond_shared;
	struct made_code *made;
};

void recording_init(struct recording *rec, const struct recording_setup *setup);
void recording_release(struct recording *rec);

/* Times count from NOW_NS on; running processes have been looked up by then. */
void recording_begin(struct recording *rec, uint64_t now_ns);

/* CPU may have lost records since its last one, until UNTIL_NS: see merge_hidden_fn. */
void recording_hides(struct recording *rec, uint32_t cpu, uint64_t until_ns);

/* The events are about to stop, at NOW_NS. */
void recording_stop(struct recording *rec, uint64_t now_ns);

/*
 * The experiment ends at AT_NS, and the recording goes on in another one.  All records from
 * before AT_NS were taken.  First recording_settle writes what is left to write; later
 * records are for WRITER's experiment, whose times count from AT_NS.  What is known of
 * tasks, files and the kernel stays known.  Not for recordings of waits.
 *
 * LOST: records that the ended experiment lost, by the events' own counts.  The kernel writes
 * a LOST record when its ring has room again, so some of these come later.
 */
void recording_settle(struct recording *rec, uint64_t at_ns);
void recording_turn(struct recording *rec, struct exp_writer *writer, uint64_t at_ns,
		    uint64_t lost);

/*
 * The recording has at least EVENTS events, including those that get values only by
 * recording_add_count.  Its sources belong to these.
 */
void recording_expect(struct recording *rec, uint32_t events);

/*
 * EVENT, which counts for the whole machine, grew by COUNT while PID ran.  The row has the
 * time AT_NS, or that of the newest record if it is later, or else the end of the recorded
 * time before.
 */
void recording_add_count(struct recording *rec, uint32_t event, uint32_t pid,
			 uint64_t at_ns, uint64_t count);

/* Adds a mapping of code that was made at an unknown time; its prot is ignored. */
void recording_add_mapping(struct recording *rec, const struct record_mmap *map);

/* Of the experiment's writer: exp_writer_bytes, exp_writer_flush, exp_writer_status. */
uint64_t recording_bytes(const struct recording *rec);
int recording_flush(struct recording *rec) __attribute__((warn_unused_result));
int recording_status(const struct recording *rec) __attribute__((warn_unused_result));

/* The samples so far, with the stacks of switches. */
uint64_t recording_stacks(const struct recording *rec);

/* Decodes a record; false: it cannot be. */
bool recording_decode(const struct recording *rec, const void *bytes, size_t len,
		      struct record *out) __attribute__((warn_unused_result));

/* A merge_fn; CTX is the recording.  Counts records that it cannot decode in bad. */
void recording_take(void *ctx, const void *bytes, size_t len);

/* The same for a record that is decoded. */
void recording_take_record(struct recording *rec, const struct record *r);

#endif
