/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the call tree: of one group of runs, or of two compared. */
#ifndef TREE_ROWS_H
#define TREE_ROWS_H

#include "model/tree.h"
#include "rows/view.h"

/* A row: its node, and whether no sibling follows. */
struct tree_line {
	uint32_t node;
	bool last;
};

struct tree_lines {
	struct tree_line *data;
	size_t len, cap;
};

/* The place of NODE among its siblings; false: it is not shown. */
typedef bool tree_rank_fn(void *ctx, uint32_t node, struct rank *out);

/*
 * Puts the displayed nodes into the order of their rows.  Adds to OUT, which the caller
 * releases.
 */
void tree_lines_make(const struct tree *tree, tree_rank_fn *rank, void *ctx,
		     struct tree_lines *out);

/* The columns of a row except its values. */
void tree_rows_columns(struct table *table);

/* Their cells.  FUNCTION: the node's; MODEL_NONE for <Total>. */
void tree_rows_add(struct session *s, const struct tree *tree,
		   const struct tree_line *line, uint32_t function, struct table *table);

#endif
