/* SPDX-License-Identifier: Apache-2.0 */
/* Opens source files that recordings name, and reads single lines of them. */
#ifndef SOURCE_OPEN_H
#define SOURCE_OPEN_H

#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "model/source_text.h"
#include "session/session.h"

/* A file by its path in the debug information, and its identity on a server. */
struct source_wanted {
	const char *recorded;
	const char *build_id; /* of its object */
};

/*
 * From the archives, symfs, setpath and pathmap, or a server, into PATH.  A descriptor, or
 * a negative errno: -ENOENT: none of these has it; else as source_check.
 */
int source_open(const struct session *s, const struct source_wanted *wanted,
		struct strbuf *path) __attribute__((warn_unused_result));

struct source_lines_file {
	char *recorded;
	struct source_text
		text; /* without lines: there is none, or it may not be shown */
};

/* Files are read when the first of their lines is wanted.  SESSION and BUILD_ID are borrowed. */
struct source_lines {
	const struct session *session;
	const char *build_id;
	VEC(struct source_lines_file) files;
	bool newer; /* a file was changed after the recording began */
};

/* Line NUMBER of the file RECORDED into OUT; false if it is not known. */
bool source_lines_get(struct source_lines *lines, const char *recorded, uint32_t number,
		      struct strbuf *out);
void source_lines_release(struct source_lines *lines);

#endif
