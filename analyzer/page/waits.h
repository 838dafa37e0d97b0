/* SPDX-License-Identifier: Apache-2.0 */
/* What threads waited for, by cause and place, as the page's meta has it. */
#ifndef PAGE_WAITS_H
#define PAGE_WAITS_H

#include "page/data.h"
#include "render/json_writer.h"

/* An object with the longest ROWS rows; empty without the states of threads. */
void page_waits(const struct page_data *data, size_t rows, struct json_writer *json);

#endif
