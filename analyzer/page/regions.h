/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The regions of a page: their sums, and when each instance lasted on its thread.
 * share/page/FORMAT.md describes the columns.
 */
#ifndef PAGE_REGIONS_H
#define PAGE_REGIONS_H

#include <stddef.h>

#include "base/strbuf.h"
#include "model/regions.h"
#include "page/slots.h"
#include "session/session.h"

struct page_regions {
	struct region_sums sums;          /* no rows: no regions */
	struct strbuf counts;             /* by thread */
	struct strbuf row, begin, length; /* by instance */
	size_t left_out;                  /* the shortest */
};

/*
 * With MOST instances at most; none in a comparison.  Overwrites OUT, which the caller
 * releases.
 */
void page_regions_read(struct page_regions *out, struct session *s,
		       const struct page_times *times, size_t most);
void page_regions_release(struct page_regions *regions);

#endif
