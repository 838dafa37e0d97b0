/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads waited for: sums by cause and place, and each wait, so that the page can sum up
 * those of any span.  share/page/FORMAT.md describes the columns.
 */
#ifndef PAGE_WAITS_H
#define PAGE_WAITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/wait_sums.h"
#include "page/slots.h"
#include "session/session.h"

enum page_wait_column {
	PAGE_WAITS_OF_THREAD, /* by thread: its entries */
	PAGE_WAIT_TICK,       /* by entry */
	PAGE_WAIT_ROW,
	PAGE_WAIT_COUNT,
	PAGE_WAIT_SUM,
	PAGE_WAIT_LONGEST, /* by entry of several waits */
	PAGE_WAIT_COLUMNS
};

struct page_waits {
	bool known;            /* the states of threads were recorded */
	struct wait_sums sums; /* sorted */
	size_t rows;           /* the first of them are in the page */
	/* all empty: there would be too many entries */
	struct strbuf columns[PAGE_WAIT_COLUMNS];
};

/*
 * At most ROWS rows and ENTRIES entries: of more waits, those of a thread in one row and one
 * tick are an entry; if even these are too many, there is none.  Overwrites OUT, which the
 * caller releases.
 */
void page_waits_read(struct page_waits *out, struct session *s,
		     const struct page_times *times, size_t rows, size_t entries);
void page_waits_release(struct page_waits *waits);

#endif
