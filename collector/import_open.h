/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the recording is that a name on the command line stands for: a file, a pipe, "-",
 * or the folder that perf record --kcore writes, with the file "data" in it.
 */
#ifndef IMPORT_OPEN_H
#define IMPORT_OPEN_H

#include "strbuf.h"

/* A descriptor; or a negative code with one sentence in ERR. */
int import_open(const char *path, struct strbuf *err) __attribute__((warn_unused_result));

#endif
