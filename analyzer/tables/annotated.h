/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text with metrics beside it, line by line: source and disassembly.
 *
 * Lines without samples have empty columns.  Those that have at least the threshold's
 * share of what the line with the most has, in some metric that is seen, are marked "##".
 */
#ifndef ANNOTATED_H
#define ANNOTATED_H

#include "model/analysis.h"
#include "analyzer/session.h"
#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

struct annotated {
	struct session *session;
	const struct sums *sums; /* of lines; group 0 is none of them */
	struct metric_list items;
	VEC(uint64_t) hot; /* by item: from this weight on */
	struct table table;
};

/* KEY as in struct table.  The caller adds further columns. */
void annotated_init(struct annotated *a, struct session *s, const char *key,
		    const struct sums *sums, unsigned threshold);

/* A row begins, that of GROUP: the caller adds the cells of its own columns. */
void annotated_begin(struct annotated *a, uint32_t group);

/* Shows and releases it.  0 or a CMD_… code. */
int annotated_show(struct annotated *a, struct strbuf *err);

#endif
