/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf.data file given where an experiment is wanted: collect makes one of it, which
 * is kept in the cache for as long as the file is as it was.
 */
#ifndef IMPORTED_H
#define IMPORTED_H

#include "base/strbuf.h"

/*
 * *OUT is the experiment of the recording at PATH, for the caller to free, or NULL where
 * PATH is none (an experiment, or not there).  0, or a negative errno with one sentence
 * in ERR; collect itself has then said what is wrong with the file.
 */
int imported_find(const char *path, char **out, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
