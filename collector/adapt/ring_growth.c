/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/ring_growth.h"

/* Programs that end earlier never pay for large rings. */
#define GROWTH_NS 20000000u

/* Of new rings in a round, which the kernel clears in 4 ms, or one. */
enum { GROWTH_BYTES = 16 << 20 };

void ring_growth_look(struct ring_growth *g, uint64_t now_ns)
{
	if (g->ended || now_ns - g->rec->start_ns < GROWTH_NS)
		return;
	for (size_t bytes = 0; bytes < GROWTH_BYTES && !g->ended;
	     bytes += g->evlist->ring_size)
		g->ended = !evlist_has_small_rings(g->evlist) ||
			   evlist_grow_ring(g->evlist, &g->rec->sources) != 0;
}
