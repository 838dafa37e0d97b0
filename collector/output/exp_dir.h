/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a new experiment, and its name: test.1.er.  Until it is committed it can
 * be removed, which restores the one that it replaced (-O).  The parent directory may belong to another
 * user, who can rename this one or put another in its place at any moment.  Files are
 * written relative to FD, and so stay in the directory made here.
 */
#ifndef EXP_DIR_H
#define EXP_DIR_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/strbuf.h"

struct exp_dir {
	char *path; /* for messages */
	int fd;     /* of the experiment; -1: none */
	bool committed;
	int parent;  /* the parent directory */
	char *name;  /* in PARENT */
	char *saved; /* temporary name in PARENT of the replaced one; NULL: none */
	int saved_fd;
};

#define EXP_DIR_NONE                                                                     \
	{                                                                                \
		.fd = -1, .parent = -1, .saved_fd = -1                                   \
	}

struct exp_place {
	const char *directory; /* NULL: the current one */
	const char *name;      /* NULL: test.N.er, N above all existing ones */
	bool overwrite;        /* replaces our experiment of that name */
	mode_t mode;           /* less the umask; its files have the same rights */
	const int *folder;     /* the one that NAME leads to, already open; NULL: not */
};

/*
 * The mode of a new experiment: only for its owner if this process has privileges that
 * readers may lack, or records EVERYONE's processes; else as the umask allows.
 */
mode_t exp_dir_mode(bool everyone);

/* Makes the directory.  0, or a negative errno with one sentence in ERR. */
int exp_dir_create(struct exp_dir *d, const struct exp_place *place, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The new experiment stays; the one that it overwrites is removed. */
void exp_dir_commit(struct exp_dir *d);

/* Removes the directory and collect's files in it, unless it was committed; frees D. */
void exp_dir_release(struct exp_dir *d);

#endif
