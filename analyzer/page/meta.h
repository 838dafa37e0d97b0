/* SPDX-License-Identifier: Apache-2.0 */
/* The first part of a page's data, in JSON: the recording, its metrics, threads, objects. */
#ifndef PAGE_META_H
#define PAGE_META_H

#include "page/data.h"
#include "base/strbuf.h"

void page_meta(const struct page_data *data, struct strbuf *out);

#endif
