/* SPDX-License-Identifier: Apache-2.0 */
#include "model/children.h"

#include <stdlib.h>

#include "base/xalloc.h"

void children_build(struct children *out, const struct experiment *exp)
{
	const struct exp_node *nodes = exp->nodes.data;
	size_t count = exp->nodes.len;

	out->first = xcalloc(count, sizeof(*out->first));
	out->next = xcalloc(count, sizeof(*out->next));
	for (size_t n = count - 1; n > 0; n--) {
		out->next[n] = out->first[nodes[n].parent];
		out->first[nodes[n].parent] = (uint32_t)n;
	}
}

void children_release(struct children *children)
{
	free(children->first);
	free(children->next);
	*children = (struct children){ 0 };
}
