/* SPDX-License-Identifier: Apache-2.0 */
/* Source files by function or by name, as the model's strings. */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include <stdint.h>

#include "base/strbuf.h"
#include "model/sites.h"
#include "model/sums.h"
#include "session/session.h"

/*
 * The file of FUNCTION's source: that of most of its samples, as a template instance may
 * begin with instructions of another file.  0: unknown.
 */
uint32_t source_file_of(const struct session *s, const struct sites *sites,
			uint32_t function);

/* The same; SUMS are those of SITES. */
uint32_t source_file_in(const struct sums *sums, const struct session *s,
			const struct sites *sites, uint32_t function);

/*
 * The file with lines whose path, or its last part, is NAME, and a FUNCTION in it; *FILE
 * 0: there is none.  If several are, a negative code with a sentence in ERR.
 */
int source_file_named(const struct session *s, const struct sites *sites,
		      const char *name, uint32_t *file, uint32_t *function,
		      struct strbuf *err) __attribute__((warn_unused_result));

struct source_functions {
	uint32_t *data;
	size_t len, cap;
};

/*
 * The functions with a symbol and lines in FILE, by object and address.
 * Overwrites OUT, which the caller releases.
 */
void source_file_functions(struct session *s, uint32_t file,
			   struct source_functions *out);

#endif
