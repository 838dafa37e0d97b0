/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs while the target does: empties the rings, in time order, into the recording;
 * passes signals on; ends with the target.
 */
#ifndef LOOP_H
#define LOOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "adapt/copies.h"
#include "control/control.h"
#include "sample/evlist.h"
#include "adapt/fp_trial.h"
#include "sample/merge.h"
#include "adapt/readers.h"
#include "adapt/ring_growth.h"
#include "adapt/rounds.h"
#include "loop/priority.h"
#include "recording/recording.h"
#include "region/regions.h"
#include "adapt/sockets.h"
#include "adapt/stagger.h"
#include "adapt/switch_stacks.h"
#include "finish/accounting.h"
#include "target/target.h"
#include "loop/turns.h"

struct loop {
	const struct sys *sys;
	struct evlist *evlist;
	struct recording *rec;
	struct sockets *sockets;
	struct regions *regions; /* NULL: --regions off */
	bool paused;             /* the events are, until somebody resumes them */
	struct points_setup points;
	int pause_signal, point_signal; /* for the recording; 0: none */
	struct target *target;
	const struct cgroup *cgroup; /* which it was started in */
	uint64_t stop_ns; /* CLOCK_MONOTONIC, when to stop recording; UINT64_MAX: never */
	uint64_t bytes_max; /* stop at this size of the experiment; UINT64_MAX: never */
	bool system;        /* record all processes, not only those of the target */
	bool daemons;       /* go on until all that the program started has ended */
	size_t readers_wanted; /* threads that look up stacks; 0: as needed */
	int signals;           /* a signalfd; -1: not open */
	struct control control;
	struct merge merge;
	struct stagger stagger;
	uint64_t flushed_ns, flush_every_ns, interrupted_ns;
	/* was raised before the program ran */
	struct priority priority;
	uint64_t daemons_ran_ns; /* the last time that any ran; 0: never looked */
	bool daemons_told;       /* the user knows that some still run */
	bool insistence_told;    /* … and how a program that goes on is killed */
	struct cpu_time at_stop; /* of the target, if it went on */
	uint64_t ended_ns;       /* CLOCK_MONOTONIC, when it did, or its target later */
	bool stopped;            /* recording has ended … */
	bool limited;            /* … because of bytes_max */
	struct copies copies;
	struct fp_trial fp_trial;
	struct rounds rounds;
	struct readers readers;
	struct ring_growth ring_growth;
	struct switch_stacks switch_stacks;
	struct turns turns; /* its first fields are set before, for --every */
	uint64_t
		due_ns; /* of the next round that adapts; earlier ones look at sleepers */
	bool woken;     /* by a ring or a signal */
	bool adapted;   /* in the last round */
};

/*
 * Blocks the signals that the loop takes, and those two, if they are not 0; *BEFORE is the
 * previous mask.
 */
int loop_block_signals(int pause_signal, int point_signal, sigset_t *before)
	__attribute__((warn_unused_result));

/*
 * Runs until the target has ended (and, for DAEMONS, what it started) or, if it is not our
 * child, until the recording stops; then empties the rings.  0, or the negative errno of the experiment's writer, which
 * stopped the recording.  All fields up to bytes_max are set.
 */
int loop_run(struct loop *loop) __attribute__((warn_unused_result));

/*
 * The parts of loop_run that neither wait nor change signals and priorities.  loop_round
 * empties the rings once and does what is due: 0 or the writer's code.  The next one may
 * wait loop_rest_ms.  loop_end stops the events, and takes what is left in the rings if
 * REST.
 */
void loop_begin(struct loop *loop);
int loop_round(struct loop *loop) __attribute__((warn_unused_result));
int loop_rest_ms(struct loop *loop);
void loop_end(struct loop *loop, bool rest);

/*
 * Stops a recording that cannot go on, and waits for a child's end while passing on
 * signals.  May interrupt loop_run anywhere; allocates nothing.
 */
void loop_outlive(struct loop *loop);

#endif
