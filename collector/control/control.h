/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a recording pauses, goes on and ends, and its sample points: as the program asks
 * (libcollector.h, ITT), the user by signals, or time.
 *
 * A pause stops the events themselves, so a paused program runs at full speed.  It begins
 * at the instant of the request, unless samples from after that were written already, and
 * ends when the events run again, a moment after the request.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "adapt/sockets.h"
#include "base/spans.h"
#include "control/points.h"
#include "recording/recording.h"
#include "region/regions.h"
#include "sample/evlist.h"

enum control_kind {
	CONTROL_PAUSE,
	CONTROL_RESUME,
	CONTROL_TOGGLE, /* one of these */
	CONTROL_POINT,
	CONTROL_END,
};

struct control_setup {
	struct evlist *evlist; /* borrowed, as are the next */
	struct recording *rec;
	struct sockets *sockets;
	struct regions *regions; /* NULL: --regions off */
	bool paused;             /* from the beginning, as the events are */
	struct points_setup points;
};

struct control {
	struct control_setup setup;
	struct points points;
	bool paused, ended;
	bool was_paused;    /* ever */
	struct span wanted; /* by -t, from the recording's start */
};

void control_init(struct control *c, const struct control_setup *setup);

void control_begin(struct control *c, uint64_t now);

/* The recording ends before its target; nothing starts it again. */
void control_stop(struct control *c, uint64_t now);

/*
 * LAST is what was accounted to the target when it ended; NULL: it has not.  If the
 * recording was stopped before, it ended then.
 */
void control_end(struct control *c, uint64_t now, const struct usage *last);

/*
 * A request at TIME_NS; records until TAKEN_NS were written; both of CLOCK_MONOTONIC.  WHY
 * and NAME, which may be NULL, are of a point.
 */
void control_request(struct control *c, enum control_kind kind, enum exp_point_kind why,
		     uint64_t time_ns, uint64_t taken_ns, const char *name);

/* Takes the requests of the program, as soon as it wakes us, or they are seen. */
void control_take(struct control *c, uint64_t taken_ns);

/* Call each round: does what the time asks for. */
void control_round(struct control *c, uint64_t now);

/* How long a round may wait that would wait REST_MS. */
int control_rest_ms(const struct control *c, uint64_t now, int rest_ms);

/*
 * Writes when the recording went on, unless it did from the beginning to END_NS, when it
 * ended.  Returns whether there is something that it left out.
 */
bool control_write_spans(const struct control *c, uint64_t end_ns);

#endif
