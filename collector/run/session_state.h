/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internals of one recording, which session.c sets up and releases, and
 * finish.c finishes; attach.c and group.c find its target, waits.c sets up its waits, start.c
 * starts its events.
 */
#ifndef SESSION_STATE_H
#define SESSION_STATE_H

#include <stdbool.h>

#include "finish/accounting.h"
#include "sample/cgroup.h"
#include "sample/evlist.h"
#include "output/exp_dir.h"
#include "series/series.h"
#include "experiment/log.h"
#include "experiment/write.h"
#include "stack/stack_holes.h"
#include "options/options.h"
#include "run/out_of_memory.h"
#include "plan/plan.h"
#include "recording/recording.h"
#include "recording/sleepers.h"
#include "recording/wakers.h"
#include "region/regions.h"
#include "output/reserve.h"
#include "adapt/sockets.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "target/target.h"
#include "stack/beyond.h"

/* The state of one recording; each part is released whether or not it was set up. */
struct session {
	const struct options *opt; /* borrowed */
	const struct sys *sys;     /* borrowed */
	struct exp_log log;
	struct plan plan;
	struct exp_dir dir;
	char *ranked; /* the experiment's name with this process' rank; NULL: -o's */
	char *path;   /* of the experiment */
	struct exp_writer *writer;
	struct reserve reserve; /* for the log */
	struct out_of_memory out_of_memory;
	struct target target;
	struct cgroup cgroup;
	struct evlist evlist;
	struct sockets sockets;
	struct recording rec;
	struct waiting waiting;             /* of rec, for -w, */
	struct sleepers sleepers;           /* its threads that sleep, */
	struct wakers wakers;               /* and who ends waits */
	struct folder channel;              /* of what the program says, for --regions */
	int wake;                           /* its FIFO; -1: not open */
	bool was_paused;                    /* the recording, at some time */
	bool in_parts;                      /* … or it began late, or ended early */
	uint64_t points;                    /* sample points */
	struct cpu_time at_stop;            /* what a program that went on had used */
	struct regions regions;             /* … read from there */
	struct stack_holes holes;           /* in stacks of rec, */
	struct beyond_shared beyond_shared; /* what of them was not copied, */
	struct made_code made;              /* and the code that programs made */
	bool recording;                     /* rec was set up */
	bool named;                         /* the experiment has its name */
	uint64_t stolen_ns; /* proc_times_stolen, when the recording began */
	bool untraceable;   /* the user knows that the kernel will not trace the target */
	struct series series; /* --every: rec is one recording of it */
	uint64_t own_ns;      /* collect's CPU time that is not of this experiment */
	uint64_t ended_ns;    /* CLOCK_MONOTONIC, when rec did */
	struct strbuf err;    /* one sentence, reported by the function that gives up */
};

/*
 * Called after the loop, which ended with ERROR or by itself; LIMITED: because of the
 * recording's size.  Keeps and closes the recording whatever went wrong, and reports that.
 * 0 or the first error.
 */
int session_finish(struct session *s, int error, bool limited);

/*
 * Attaches to the processes that the user named and, unless -F is off, to those below
 * them.  0, or a status with one sentence in s->err.
 */
int session_attach(struct session *s) __attribute__((warn_unused_result));

/*
 * Attaches to that process.  0, or a status with one sentence in s->err.  BY_NAME: leaves
 * out processes that have ended, and collect itself.
 */
int session_attach_to(struct session *s, pid_t pid, bool by_name)
	__attribute__((warn_unused_result));

/* Makes the experiment's directory at TIME, if it is one of a series.  0, or as exp_dir_create. */
int session_create(struct session *s, struct exp_dir *dir, int64_t time)
	__attribute__((warn_unused_result));

/* --every: prepares the loop's turns, and the series. */
void session_begin_turns(struct session *s, struct loop *loop, const sigset_t *mask);

/* Waits for what is still to be finished, or handed to the hook. */
void session_end_turns(struct session *s);

/* What is to be known of running processes before the events start.  0 or a negative errno. */
int session_prepare(struct session *s) __attribute__((warn_unused_result));

/* Starts the events, and the recording's time with them.  0 or a negative errno. */
int session_start(struct session *s) __attribute__((warn_unused_result));

/* -w: the recording takes waits, too.  Its events are open. */
void session_record_waits(struct session *s);

bool session_may_record_others(const struct sys *sys);

/* Adds the attached processes that still run to OUT. */
void session_list_processes(const struct session *s, struct strbuf *out);

/* The same as a note, which the header keeps, unless the user named just that one. */
void session_tell_processes(struct session *s);

/* Finds the group that the user named.  0, or a status with one sentence in s->err. */
int session_find_group(struct session *s) __attribute__((warn_unused_result));

/*
 * If the events cannot be tied to it, its processes become the target.  0, or an enum
 * plan_error with one sentence in s->err.
 */
int session_attach_group(struct session *s) __attribute__((warn_unused_result));

/* Adds the group's processes to the recording. */
void session_look_up_group(struct session *s);

#endif
