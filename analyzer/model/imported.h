/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accepts a perf.data file as an experiment: collect converts it, and the result stays in
 * the cache while the file is unchanged.
 */
#ifndef IMPORTED_H
#define IMPORTED_H

#include "base/strbuf.h"

/*
 * *OUT is the experiment of the recording at PATH, for the caller to free, or NULL if
 * PATH is none (an experiment, or missing).  0, or a negative errno with one sentence in
 * ERR; collect itself has then reported the trouble with the file.
 */
int imported_find(const char *path, char **out, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
