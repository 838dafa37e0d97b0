/* SPDX-License-Identifier: Apache-2.0 */
/* The section code of the page's data, see share/page/FORMAT.md. */
#ifndef PAGE_CODE_JSON_H
#define PAGE_CODE_JSON_H

#include "base/strbuf.h"
#include "page/data.h"

void page_code_json(const struct page_data *data, struct strbuf *out);

#endif
