/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unsampled.h"

#include "base/xalloc.h"

bool node_is_unsampled(const struct experiment *exp, size_t node)
{
	const struct exp_frame *frame = exp->frames.data + exp->nodes.data[node].frame;

	return frame->offset == EXP_UNSAMPLED &&
	       exp->modules.data[frame->module].kind == EXP_KIND_ARTIFICIAL;
}

bool *unsampled_nodes(const struct experiment *exp)
{
	bool *unsampled = xcalloc(exp->nodes.len + 1, sizeof(*unsampled));

	for (size_t n = 1; n < exp->nodes.len; n++)
		unsampled[n] = node_is_unsampled(exp, n);
	return unsampled;
}

bool is_sample(const struct experiment *exp, const bool *unsampled,
	       const struct exp_samples *s, size_t i)
{
	const bool wait = *exp->log.events.data[s->event[i]].state;

	return wait || !unsampled[s->node[i]];
}
