/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the processes of a program say, event by event: regions, marks, and the names of
 * threads; and their rows in the experiment.
 */
#ifndef REGION_EVENTS_H
#define REGION_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "experiment/format.h"
#include "experiment/intern.h"
#include "process/tasks.h"
#include "region/apart.h"
#include "region/channel_file.h"
#include "region/nest.h"

/* The most of each in an experiment. */
enum {
	REGION_BRANCHES_MAX = 1 << 20, /* and one <Other names> in each */
	REGION_LABELS_MAX = 1 << 20,
	REGION_MARKS_MAX = 1 << 24,
	REGION_TEXTS_MAX = 64 << 20, /* bytes of different names and texts */
	/* bytes of the name of a thread, of which tasks keep TASK_NAMES_MAX */
	REGION_THREAD_NAME_MAX = 63,
};

/* A name in its domain, as strings of the experiment; domain 0: none. */
struct region_label {
	uint32_t name, domain;
};

/* A thread of a process: that of one slot. */
struct region_thread {
	struct nest nest;
	uint32_t tid;  /* 0: none yet */
	uint32_t type; /* of the data for its next event: enum channel_data, or 0 */
	uint64_t data;
	uint64_t since_ns; /* CHANNEL_SINCE */
};

/* An open or a close, until those of all threads are there. */
struct region_turn {
	uint64_t time_ns, number;
	uint32_t order;          /* in which it was read */
	uint32_t branch, thread; /* of an open; branch 0: a close */
};

/* All zero: it has said nothing. */
struct region_process {
	struct idmap labels;               /* name in its file → label */
	VEC(struct region_thread) threads; /* by slot */
	struct apart apart;
	VEC(struct region_turn) turns;
};

struct region_events {
	struct intern *in; /* borrowed, as is the next */
	struct tasks *tasks;
	uint64_t start_ns;
	struct idmap label_ids;
	VEC(struct region_label) labels;
	size_t labels_max;     /* REGION_LABELS_MAX, except in tests */
	uint64_t text_bytes;   /* of names and texts that were new */
	uint64_t texts_max;    /* REGION_TEXTS_MAX, except in tests */
	uint32_t other_names;  /* the string; STRTAB_NONE: not used yet */
	struct idmap branches; /* parent, and label × 2 + apart → branch */
	uint32_t branch_count;
	uint32_t branches_max; /* REGION_BRANCHES_MAX, except in tests */
	uint64_t faults[EXP_REGION_FAULTS_COUNT];
	uint64_t instances, marks;
};

/* Times of the experiment count from START_NS, of CLOCK_MONOTONIC. */
void region_events_init(struct region_events *e, struct intern *in, struct tasks *tasks,
			uint64_t start_ns);
void region_events_release(struct region_events *e);

/*
 * An event of the slot of PROCESS, whose file CHANNEL is open.  0, or negative: nobody but
 * something that damages the file writes such a thing.
 */
int region_events_take(struct region_events *e, struct region_process *process,
		       const struct channel_file *channel, uint32_t slot,
		       const struct channel_event *event)
	__attribute__((warn_unused_result));

/* All that PROCESS has said until some time was taken. */
void region_events_settle(struct region_events *e, struct region_process *process,
			  const struct channel_file *channel);

/* PROCESS ended, or the recording does: what is open is so until NOW_NS. */
void region_events_finish(struct region_events *e, struct region_process *process,
			  const struct channel_file *channel, uint64_t now_ns);

void region_process_release(struct region_process *process);

#endif
