/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: its results go into the log, and what a person must know to
 * stderr as well: a warning for each doubt, and one closing line.
 */
#ifndef CLOSING_H
#define CLOSING_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/evlist.h"
#include "experiment/log.h"
#include "sample/ladder.h"
#include "collector/recording/recording.h"
#include "adapt/sockets.h"
#include "collector/target.h"

struct closing {
	struct exp_log *log;
	const struct ladder *ladder;
	const struct sockets *sockets;
	const struct evlist *evlist;
	const struct recording *rec;
	const struct target *target;
	uint64_t now;      /* CLOCK_MONOTONIC */
	uint64_t archived; /* bytes in the archive */
	bool whole;        /* the program and nothing else, from its start to its end */
};

/* Fills the fields of the log that are known only now, and adds its warnings. */
void closing_fill(const struct closing *c);

/* Adds a note to the log and tells it through diag. */
void closing_note(struct exp_log *log, const char *severity, const char *text);

/* "test.1.er: 2013 samples, …"; BYTES: of the experiment. */
void closing_line(const struct closing *c, const char *path, uint64_t bytes);

#endif
