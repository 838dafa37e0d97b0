/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the recording is that a name on the command line stands for: a file, a pipe, "-",
 * or the folder that perf record --kcore or --threads writes, with the file "data" in it
 * and of --threads one more for each ring.
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
 * Where PATH is a folder with more files, as F's header says or does not deny, opens them
 * into FDS, which are the caller's to close once F is released, and adds them to F.  0;
 * or a negative code with one sentence in ERR that does not name PATH.
 */
int import_open_parts(const char *path, struct perf_file *f, import_fds *fds,
		      struct strbuf *err) __attribute__((warn_unused_result));

#endif
