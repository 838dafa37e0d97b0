/* SPDX-License-Identifier: Apache-2.0 */
#include "model/totals.h"

#include <stdlib.h>

bool totals_has_empty_stacks(const struct totals *totals)
{
	for (size_t e = 0; e < totals->events; e++)
		if (totals->node[e * totals->nodes].samples)
			return true;
	return false;
}

void totals_release(struct totals *totals)
{
	free(totals->node);
	free(totals->thread);
	free(totals->cpu);
	free(totals->second);
	free(totals->whole);
	*totals = (struct totals){ 0 };
}
