/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process's rights to files: its user, groups and capabilities.  This thread can adopt
 * them for a while.
 */
#ifndef RIGHTS_H
#define RIGHTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

struct rights {
	uid_t uid; /* for files, as are the others */
	gid_t gid;
	VEC(gid_t) groups;
	uint64_t caps; /* effective capabilities, one bit each */
};

void rights_release(struct rights *rights);

/* OUT is empty. */
void rights_copy(const struct rights *rights, struct rights *out);

/* Parses TEXT, a /proc/PID/status.  False if a field is missing. */
bool rights_parse(struct rights *rights, const char *text);

/* This thread's rights before the change. */
struct rights_before {
	struct rights own;
	bool changed;
};

/*
 * From now on this thread can open only files that RIGHTS allow and that it could open
 * before: without the privilege to change its user it keeps its user and drops its
 * capabilities, unless it is root, which owns too much.  0, and rights_return must
 * follow; or -EPERM with nothing changed.
 */
int rights_take(const struct rights *rights, struct rights_before *before)
	__attribute__((warn_unused_result));

/* Ends the program if this fails: it must not go on with the wrong rights. */
void rights_return(struct rights_before *before);

/* Gives up this thread's capabilities for good, except its effective ones for files. */
void rights_keep_files(void);

/* These too. */
void rights_keep_none(void);

#endif
