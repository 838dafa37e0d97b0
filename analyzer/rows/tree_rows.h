/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the call tree: of one group of runs, or of two compared. */
#ifndef TREE_ROWS_H
#define TREE_ROWS_H

#include "model/tree_invert.h"
#include "rows/view.h"

/* How to show the tree. */
struct tree_form {
	bool inverted; /* from the leaf: below each function its callers */
	bool full;     /* every call of a recursion has a row */
	double share;  /* percent of the whole that a node must have */
};

/* Whether WHOLE has FORM: tree_form_make would only copy it. */
bool tree_has_form(const struct tree *whole, const struct tree_form *form);

/*
 * WHOLE in FORM.  WEIGHT: by node of WHOLE, of the stacks that end there; an inverted tree
 * has only leaves and nodes with FORM's share of its sum.  False: the callers beyond some
 * distance from the leaf are too many, and missing.  Overwrites OUT, which the caller
 * releases.
 */
bool tree_form_make(const struct tree_form *form, const struct tree *whole,
		    const double *weight, struct tree *out);

/* The note of an inverted tree.  ALL: no callers are missing, see above. */
void tree_form_note(size_t omitted, bool all, struct strbuf *note);

/* "Functions Call Tree" */
const char *tree_form_title(const struct tree_form *form);

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
