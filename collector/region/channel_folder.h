/* SPDX-License-Identifier: Apache-2.0 */
/* The folder in which the program's processes make their files, and how they find it. */
#ifndef CHANNEL_FOLDER_H
#define CHANNEL_FOLDER_H

#include <stdbool.h>

#include "base/folder.h"
#include "base/strbuf.h"

/*
 * Makes a folder that only we may use, in /dev/shm, else in TMPDIR, else in /tmp.  0, or a
 * negative code with one sentence in ERR.
 */
int channel_folder_make(struct folder *folder, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Makes the FIFO by which programs wake us in the folder, and opens it, not to block.  Its
 * descriptor, or a negative code with one sentence in ERR.
 */
int channel_folder_wake(const struct folder *folder, struct strbuf *err)
	__attribute__((warn_unused_result));

/* What the library is to do in programs. */
struct channel_terms {
	bool ticks;            /* times may be counted in them */
	const char *domains;   /* of ITT, with commas; NULL: all */
	const char *from, *to; /* NUMBER:NAME, as in channel/layout.h; NULL: not set */
};

/*
 * Sets in our environment, for children, what libringprof.so and libcollector.h look for.
 * 0, or a negative code with one sentence in ERR: the library is missing.
 */
int channel_folder_announce(const struct folder *folder,
			    const struct channel_terms *terms, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Removes that from our environment. */
void channel_folder_withdraw(void);

/* Removes it with its files, and releases FOLDER, which may be FOLDER_NONE. */
void channel_folder_remove(struct folder *folder);

#endif
