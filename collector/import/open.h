/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the recording that the command line names: a file, a pipe, "-", or the directory
 * that perf record --kcore or --threads writes, with the file "data" in it and, for
 * --threads, one more for each ring.
 */
#ifndef IMPORT_OPEN_H
#define IMPORT_OPEN_H

#include "import/perf_file.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* A descriptor; or a negative code with one sentence in ERR. */
int import_open(const char *path, struct strbuf *err) __attribute__((warn_unused_result));

typedef VEC(int) import_fds;

/*
 * If PATH is a directory with more files, as F's header says or does not deny, opens them
 * into FDS, which the caller closes after releasing F, and adds them to F.  0, or a
 * negative code with one sentence in ERR that does not name PATH.
 */
int import_open_parts(const char *path, struct perf_file *f, import_fds *fds,
		      struct strbuf *err) __attribute__((warn_unused_result));

#endif
