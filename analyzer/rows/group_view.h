/* SPDX-License-Identifier: Apache-2.0 */
/* Tables whose rows are groups other than functions: source lines, addresses. */
#ifndef GROUP_VIEW_H
#define GROUP_VIEW_H

#include <stdbool.h>

#include "model/sums.h"
#include "session/session.h"
#include "base/strbuf.h"
#include "tables/table.h"

/* The kind of groups.  GROUPS is the argument of group_view_show. */
struct group_kind {
	const char *key;   /* JSON's name of the table */
	const char *title; /* "Lines" */
	/* adds the name of a row */
	void (*name)(struct session *s, const void *groups, uint32_t group,
		     struct strbuf *out);
	/* further columns, for machines and for the whole of a row, and their cells */
	void (*columns)(struct table *table);
	void (*cells)(struct session *s, const void *groups, uint32_t group,
		      struct table *table);
	/* the address of a row, to sort by; false: none.  NULL: no row has one */
	bool (*address)(struct session *s, const void *groups, uint32_t group,
			uint64_t *out);
	const char *kept; /* of names that are shortened, see struct column; or NULL */
	bool numbers;     /* groups are in order; and sums have exclusive values only */
};

/*
 * Shows every group that has samples in SUMS, in the session's order, <Total> first.
 * WHOLE: each row as a paragraph, with the further columns.  0 or a CMD_… code.
 */
int group_view_show(struct session *s, const struct group_kind *kind, const void *groups,
		    const struct sums *sums, bool whole, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
