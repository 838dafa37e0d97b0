/* SPDX-License-Identifier: Apache-2.0 */
/* The first view of a page, as HTML that needs no script. */
#ifndef PAGE_SUMMARY_H
#define PAGE_SUMMARY_H

#include "page/data.h"
#include "base/strbuf.h"

void page_summary(const struct page_data *data, struct strbuf *out);

#endif
