/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unsampled.h"

#include "base/xalloc.h"

bool *unsampled_nodes(const struct experiment *exp)
{
	bool *unsampled = xcalloc(exp->nodes.len + 1, sizeof(*unsampled));

	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_frame *frame =
			&exp->frames.data[exp->nodes.data[n].frame];

		unsampled[n] = frame->offset == EXP_UNSAMPLED &&
			       exp->modules.data[frame->module].kind ==
				       EXP_KIND_ARTIFICIAL;
	}
	return unsampled;
}
