/* SPDX-License-Identifier: Apache-2.0 */
/* The call tree of two groups of runs. */
#ifndef COMPARE_TREE_H
#define COMPARE_TREE_H

#include "rows/tree_rows.h"

/*
 * Shows the nodes with at least FORM's share of both sides together.  0, or a CMD_… code
 * with a sentence in ERR.
 */
int compare_tree_show(struct session *s, const struct tree_form *form, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
