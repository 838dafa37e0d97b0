/* SPDX-License-Identifier: Apache-2.0 */
/* A page's data as bytes, to be compressed: share/page/FORMAT.md. */
#ifndef PAGE_ENCODE_H
#define PAGE_ENCODE_H

#include "page/data.h"
#include "render/gzip.h"

void page_encode(const struct page_data *data, struct gzip *gzip);

#endif
