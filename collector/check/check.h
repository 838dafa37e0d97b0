/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows what this machine lets this user record: `collect --check`.
 *
 * Each line answers one question by trying it: an event is opened, a sample is read, a
 * group is made.  Files of /proc only give the reason for a refusal, or the limits.  A
 * line that does not say yes has the command that would change it.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "check/probe.h"
#include "sample/sys.h"
#include "base/vec.h"

struct check {
	VEC(struct check_line) lines;
	bool usable; /* a profile of some kind can be recorded */
};

/* Asks everything of SYS; some tens of milliseconds. */
void check_run(struct check *check, const struct sys *sys);
void check_release(struct check *check);

/* The lines in columns of at most 90, by groups. */
void check_text(const struct check *check, struct strbuf *out);

/* One document, {"schema": "ringprof-check/1", …}. */
void check_json(const struct check *check, struct strbuf *out);

/*
 * Prints the answers to standard output, as text or JSON.  The exit status: 0 if a
 * profile of some kind can be recorded, else EXIT_FAILED.
 */
int check_main(const struct sys *sys, bool json);

#endif
