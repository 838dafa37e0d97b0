/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug files, the files that ran, and their sources, from servers that have them by
 * build-id (debuginfod), by elfutils' library, which is loaded when it is first needed.
 *
 * Nothing is ever asked where $DEBUGINFOD_URLS is not set.  What was fetched is kept in
 * the library's cache, which other programs share.  A server that does not answer
 * does not hold up a report: after DEBUGINFOD_PATIENCE_S seconds without a byte (or
 * $DEBUGINFOD_TIMEOUT) it is given up, and no server is asked again.
 */
#ifndef DEBUGINFOD_H
#define DEBUGINFOD_H

#include <stdint.h>

#define DEBUGINFOD_PATIENCE_S 10

struct debuginfod;

/* Called at least once a second while something is fetched; WHOLE 0: not known. */
typedef void debuginfod_progress_fn(void *ctx, uint64_t bytes, uint64_t whole);

/*
 * NULL where no server is named, or the library is not installed; each function takes
 * that for a server that has nothing.  PROGRESS may be NULL.
 */
struct debuginfod *debuginfod_connect(debuginfod_progress_fn *progress, void *ctx);
void debuginfod_free(struct debuginfod *d);

/*
 * A descriptor of the debug file, or of the file itself, of the object with that build-id
 * (hex), or a negative errno.  The caller checks that it is the right one.
 */
int debuginfod_debug_file(struct debuginfod *d, const char *build_id)
	__attribute__((warn_unused_result));
int debuginfod_object(struct debuginfod *d, const char *build_id)
	__attribute__((warn_unused_result));

/*
 * The source file that the debug information of that object calls FILE, an absolute path:
 * likewise; only the server vouches that it is the right one.
 */
int debuginfod_source(struct debuginfod *d, const char *build_id, const char *file)
	__attribute__((warn_unused_result));

/* Why no server is asked any more: "did not answer for 10 s".  NULL: nothing is wrong. */
const char *debuginfod_trouble(const struct debuginfod *d);

#endif
