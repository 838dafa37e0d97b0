/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a new experiment.  Until it is committed it can be taken back, and
 * then what stood there before (-O) stands there again.
 */
#ifndef EXP_DIR_H
#define EXP_DIR_H

#include <stdbool.h>

#include "base/strbuf.h"

struct exp_dir {
	char *path;
	char *saved; /* where the overwritten one waits; NULL: there was none */
};

/*
 * Makes it.  DIRECTORY may be NULL: here.  NAME NULL: test.N.er, N above all that are
 * there.  OVERWRITE: an experiment of that name gives way, anything else does not.  0, or
 * a negative errno with one sentence in ERR.
 */
int exp_dir_create(struct exp_dir *d, const char *directory, const char *name,
		   bool overwrite, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The new experiment stays; the one that it overwrites is removed. */
void exp_dir_commit(struct exp_dir *d);

/* Removes it with what collect put into it, unless it was committed; frees. */
void exp_dir_release(struct exp_dir *d);

#endif
