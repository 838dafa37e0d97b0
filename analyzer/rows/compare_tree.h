/* SPDX-License-Identifier: Apache-2.0 */
/* The call tree of two groups of runs. */
#ifndef COMPARE_TREE_H
#define COMPARE_TREE_H

#include "session/session.h"

/*
 * Shows the nodes with at least SHARE percent of both sides together.  0, or a CMD_… code
 * with a sentence in ERR.
 */
int compare_tree_show(struct session *s, double share, struct strbuf *err);

#endif
