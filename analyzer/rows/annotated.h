/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text with metrics beside each line: source and disassembly.  Lines without samples have
 * empty columns.  "##" marks lines that reach the threshold, a share of the largest
 * line's amount, in any displayed metric.  Unless compare is off, a line shows both sides
 * instead; the sums then have separate sources and join lines that correspond.
 */
#ifndef ANNOTATED_H
#define ANNOTATED_H

#include "model/sums.h"
#include "rows/compare_table.h"
#include "session/session.h"
#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

struct annotated {
	struct session *session;
	const struct sums *sums; /* of lines; group 0 is none of them */
	struct metric_list items;
	VEC(uint64_t) hot;            /* by item: marked from this weight on */
	struct compare_table compare; /* unless compare is off */
	struct table own;             /* while compare is off */
	struct table *table;          /* one of the two: A must not move */
};

/* Names the differences between the two tables. */
struct annotated_kind {
	const char *key, *compared_key; /* as in struct table */
};

/*
 * The caller then adds its columns and ends them.  0, or CMD_FAILED with a sentence in
 * ERR and nothing to release.
 */
int annotated_init(struct annotated *a, struct session *s,
		   const struct annotated_kind *kind, const struct sums *sums,
		   unsigned threshold, struct strbuf *err)
	__attribute__((warn_unused_result));
void annotated_end_columns(struct annotated *a);

/* The row of GROUP: between these calls the caller adds the cells of its own columns. */
void annotated_begin(struct annotated *a, uint32_t group);
void annotated_end(struct annotated *a, uint32_t group);

/* Shows and releases it.  0 or a CMD_… code. */
int annotated_show(struct annotated *a, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
