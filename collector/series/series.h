/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recordings of collect --every: one after the other, each with its time in its name.
 * The oldest are removed beyond a number, or a size of all; each finished one is handed to
 * a command of the user, the hook, one at a time.
 *
 * Others may be able to write the folder.  Only what this series made is ever removed: a
 * directory of ours, entered without following a link, whose log says that it is of this
 * series and complete; or which nobody holds, as its collect was killed.
 */
#ifndef SERIES_H
#define SERIES_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/vec.h"

/* The most recordings that are being finished at a time; then the present one goes on. */
enum { SERIES_FINISHING_MAX = 2 };

/* The most that wait for a slow hook; then the oldest is removed. */
enum { SERIES_WAITING_MAX = 8 };

enum series_state {
	SERIES_RECORDING,
	SERIES_FINISHING, /* a process writes what is known at the end */
	SERIES_WAITING,   /* complete: for the hook */
	SERIES_HOOK,      /* the hook runs */
	SERIES_DONE,
};

struct series_item {
	char *name; /* in the folder */
	char *path; /* for messages and the hook */
	enum series_state state;
	pid_t pid;      /* of the process that finishes it, or the hook; 0: none */
	uint64_t bytes; /* once it is complete */
	uint64_t since_ns;
	bool told; /* the hook was sent a signal to end */
};

struct series {
	char *name;                    /* "web", of web.20261124T021500Z.er */
	char *path;                    /* "DIR/web" */
	int folder;                    /* -1: none yet */
	const char *hook;              /* borrowed; NULL: none */
	uint64_t limit_ns;             /* of the hook's time */
	uint64_t keep;                 /* complete recordings, at most */
	uint64_t keep_bytes;           /* of all, with the present one */
	const sigset_t *mask;          /* of the hook; borrowed */
	VEC(struct series_item) items; /* oldest first */
};

#define SERIES_NONE                                                                      \
	{                                                                                \
		.folder = -1                                                             \
	}

/* EXPERIMENT: the user's NAME.er, maybe with folders; NULL: test. */
void series_name(struct series *s, const char *experiment);
void series_release(struct series *s);

/* The experiment that begins at TIME: "DIR/web.20261124T021500Z.er"; the caller's. */
char *series_path(const struct series *s, time_t time);

/* The recordings of earlier runs are in FOLDER, which is duplicated. */
void series_open(struct series *s, int folder);

/*
 * Locks the directory FD of a new recording for as long as a copy of FD is open, here or in
 * the process that finishes it: so that no other collect takes it for an abandoned one.
 */
void series_hold(int fd);

/* PATH is the present recording from now on. */
void series_begin(struct series *s, const char *path);

/* Whether it should go on. */
bool series_is_behind(const struct series *s);

/* The process PID finishes the present one; 0: it is finished. */
void series_finish(struct series *s, pid_t pid);

/*
 * Notes which processes have ended, starts hooks, removes the oldest.  BYTES: of the present
 * recording.
 */
void series_look(struct series *s, uint64_t now_ns, uint64_t bytes);

/* Whether something is still to be finished, or handed over. */
bool series_is_busy(const struct series *s);

/* Leaves the rest: sends the hook SIGTERM, and says which recordings it did not get. */
void series_leave(struct series *s);

#endif
