/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies into an experiment the files that er_print needs on another machine (collect
 * -A): the files that ran, their debug files and split units, and sources.
 */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <stdint.h>

#include "experiment/log.h"
#include "experiment/intern.h"
#include "process/module.h"

/* Which objects, and whether also the sources of lines in stacks. */
enum archive_mode {
	ARCHIVE_OFF,
	ARCHIVE_ON,   /* every file that was mapped */
	ARCHIVE_COPY, /* the same, by its other name */
	ARCHIVE_SRC,  /* the same, and sources */
	ARCHIVE_USED, /* files that are in a stack */
	ARCHIVE_USEDSRC,
	ARCHIVE_MODES
};

extern const char *const archive_mode_names[ARCHIVE_MODES];

/* The limit of an archive; a compiler with debug information takes half of it. */
#define ARCHIVE_MAX ((uint64_t)1 << 30)

struct archive {
	const char *experiment; /* its path, borrowed, as all of these */
	int dir;                /* its directory */
	struct module_table *modules;
	const struct intern *in;
	struct exp_log *log; /* as it was written */
	enum archive_mode mode;
	uint64_t limit; /* in bytes */
};

/*
 * Call this last: if it fills the disk, everything else is written.  Files that cannot be
 * kept are left out, with a warning in the log.  Returns the bytes written.
 */
uint64_t archive_write(const struct archive *archive);

#endif
