/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The regions of a recording (collect --regions on): reads what processes wrote, each
 * round, and writes instances to the experiment.  Threads and processes must be known by
 * then: events are taken up to the time for which their records have been taken.  They must
 * not be known as what they become later: those of a program are taken before its process
 * executes another one.
 */
#ifndef REGIONS_H
#define REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/folder.h"
#include "base/idmap.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "region/channel_file.h"
#include "region/region_events.h"
#include "region/tick_clock.h"

enum { REGIONS_FILES_MAX = 1 << 16 }; /* of processes at a time */

struct region_file {
	struct channel_file channel;
	struct region_process process;
	uint32_t pid;   /* as its name says */
	bool has_begun; /* an event of it was taken */
	unsigned quiet; /* readings since the last event */
	uint64_t
		unused_ns; /* when nothing used it any more, if that was looked at; or 0 */
	bool over;         /* damaged, or its program has ended */
};

/* What a program asked for. */
struct region_request {
	enum channel_request request;
	uint64_t time_ns;
	char *name; /* NULL: none */
};

struct regions {
	struct folder *folder; /* borrowed */
	int wake;              /* its FIFO; borrowed */
	bool alone; /* set after regions_init: only known processes are recorded, others … */
	/* … may ask for pauses and points alone */
	bool ticks; /* programs may count time in them: */
	struct tick_clock clock;
	VEC(struct region_file) files;
	struct idmap known; /* their names */
	/* CLOCK_REALTIME: when the folder last changed, and when its list was read */
	int64_t changed_ns, listed_ns;
	uint64_t rounds;
	uint64_t end_ns; /* of the recording; UINT64_MAX: it goes on */
	bool over;       /* all until then was taken */
	struct region_events events;
	VEC(struct region_request) late; /* of processes that have ended since */
};

/*
 * Borrows all; START_NS: times in the experiment count from it; TICKS: programs may count
 * time in them.
 */
void regions_init(struct regions *r, struct folder *folder, int wake, struct intern *in,
		  struct tasks *tasks, uint64_t start_ns, bool ticks);
void regions_release(struct regions *r);

/*
 * Takes events until UNTIL_NS, by CLOCK_MONOTONIC; NOW_NS by the same.  Whether there are
 * requests to take: a process may be unable to open the FIFO.
 */
bool regions_read(struct regions *r, uint64_t until_ns, uint64_t now_ns);

/*
 * PID executes another program at AT_NS, of CLOCK_MONOTONIC: takes what its program said,
 * as of the threads that are known until then.  What is open was so until AT_NS.
 */
void regions_leave(struct regions *r, uint32_t pid, uint64_t at_ns);

/* A request of a program, at a time of CLOCK_MONOTONIC; NAME may be NULL. */
typedef void region_request_fn(void *ctx, enum channel_request request, uint64_t time_ns,
			       const char *name);

/* Gives TAKE the requests since the last call, process by process. */
void regions_requests(struct regions *r, region_request_fn *take, void *ctx);

/*
 * The recording ends at AT_NS, before its program: nothing from later is taken, nor counted
 * as lost.  The first end counts.
 */
void regions_stop(struct regions *r, uint64_t at_ns);

/*
 * Takes all events; what is still open was open until NOW_NS, or that end.  Writes the
 * faults.
 */
void regions_finish(struct regions *r, uint64_t now_ns);

#endif
