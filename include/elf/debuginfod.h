/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets debug files, the files that ran, and their sources, by build-id from debuginfod
 * servers, through elfutils' library, which is loaded on first use.
 *
 * Without $DEBUGINFOD_URLS it asks no server.  Downloads stay in the library's cache,
 * which other programs share.  A silent server delays a report only briefly: after
 * DEBUGINFOD_PATIENCE_S seconds without a byte (or $DEBUGINFOD_TIMEOUT) we give up, and
 * ask no server again.
 */
#ifndef DEBUGINFOD_H
#define DEBUGINFOD_H

#include <stdint.h>

#define DEBUGINFOD_PATIENCE_S 10

struct debuginfod;

/* Called at least once a second during a download; WHOLE 0: unknown. */
typedef void debuginfod_progress_fn(void *ctx, uint64_t bytes, uint64_t whole);

/*
 * NULL if no server is named or the library is not installed; every function treats that
 * as a server without files.  PROGRESS may be NULL.
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
 * The same for the source file that the debug information of that object calls FILE, an
 * absolute path; only the server vouches that it is the right one.
 */
int debuginfod_source(struct debuginfod *d, const char *build_id, const char *file)
	__attribute__((warn_unused_result));

/* Why no server is asked any more: "did not answer for 10 s".  NULL: no trouble. */
const char *debuginfod_trouble(const struct debuginfod *d);

#endif
