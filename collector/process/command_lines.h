/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command lines of sampled processes, from /proc/PID/cmdline: each is read once for
 * each program that the process executes, after the round with its first sample.  One
 * that has ended by then costs nothing, and its command line stays unknown.
 *
 * Records arrive late: meanwhile the process may have executed another program, or its
 * number may belong to another process.  So a text is kept with the time of its reading,
 * and written only once the records show that the program still ran then.
 *
 * The text is hostile: it is cut at COMMAND_LINE_MAX bytes, reading waits no longer than
 * process/patient.h allows, and each user may fill only a share of COMMAND_LINES_MIB.
 */
#ifndef COMMAND_LINES_H
#define COMMAND_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/quota.h"
#include "process/patient.h"
#include "process/tasks.h"

enum {
	COMMAND_LINE_MAX = 4096,
	COMMAND_LINES_MIB = 128,
	COMMAND_LINES_ROUND_NS = 5000000, /* nobody empties the rings meanwhile */
};

/* Text that was read and is not yet written. */
struct command_line {
	uint64_t read_ns; /* the end of the reading */
	uid_t user;
	bool cut;
	size_t len;
	char text[];
};

struct command_lines {
	const char *root;        /* precedes /proc; NULL: recorded elsewhere */
	struct patient *patient; /* borrowed, as is */
	struct tasks *tasks;
	VEC(uint32_t) wanted; /* processes, which are held; the last one is next */
	struct quota quota;   /* of texts that are kept, and of new strings */
	uint64_t cost;        /* bytes that the text being written takes of the quota */
	uint64_t left_out;    /* not read in time, or beyond the quota */
};

/*
 * The LEN bytes of a command line without the padding that a server's title leaves where
 * its arguments were: spaces and empty arguments, if only the first argument has text.
 * Other empty arguments are arguments.  Returns the new length, without the last NUL.
 */
size_t command_line_trim(const char *text, size_t len);

void command_lines_init(struct command_lines *c, const char *root,
			struct patient *patient, struct tasks *tasks);
void command_lines_release(struct command_lines *c);

/* A sample of the process with that index, which has a row in the experiment. */
void command_lines_want(struct command_lines *c, uint32_t process);

/*
 * After a round: reads as many wanted ones as COMMAND_LINES_ROUND_NS allows.  NOW is the
 * clock of the records.
 */
void command_lines_read(struct command_lines *c, uint64_t (*now)(void));

/*
 * At TIME_NS, by the same clock, PID executed another program, ended, or became another
 * process: writes a text that was read before.
 */
void command_lines_settle(struct command_lines *c, uint32_t pid, uint64_t time_ns);

/* At the end, when no more record can contradict a text: writes the rest. */
void command_lines_settle_all(struct command_lines *c);

/*
 * The experiment ends at TIME_NS, and another goes on: writes what was read until then, and
 * forgets what is wanted; each process is read again at its next sample.
 */
void command_lines_turn(struct command_lines *c, uint64_t time_ns);

#endif
