/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the samples of a slot are told apart by besides their stacks, so that the page can sum
 * that up for any span: their CPU, and their region.  Most slots have one alone.
 * share/page/FORMAT.md describes the columns.
 */
#ifndef PAGE_TAGS_H
#define PAGE_TAGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "page/regions.h"
#include "page/slots.h"
#include "session/session.h"

enum page_tag {
	PAGE_TAG_CPU,    /* its number plus 1; 0: not known */
	PAGE_TAG_REGION, /* a row of the sums */
	PAGE_TAGS
};

struct page_tags {
	/* [metric × PAGE_TAGS + tag]; empty: of the whole recording alone */
	struct strbuf *columns;
	size_t count;
};

/*
 * A tag for which slots need more than MOST further rows is left out.  SLOTS are by metric.
 * Overwrites OUT, which the caller releases.
 */
void page_tags_read(struct page_tags *out, struct session *s,
		    const struct page_times *times, struct page_regions *regions,
		    const struct page_slots *slots, size_t most);
void page_tags_release(struct page_tags *tags);

#endif
