/* SPDX-License-Identifier: Apache-2.0 */
/* A page's data as bytes, not compressed: share/page/FORMAT.md. */
#ifndef PAGE_ENCODE_H
#define PAGE_ENCODE_H

#include "page/data.h"
#include "render/stream.h"

void page_encode(const struct page_data *data, struct stream *out);

#endif
