/* SPDX-License-Identifier: Apache-2.0 */
/* What threads waited for, by cause and place, as the page's meta has it. */
#ifndef PAGE_WAITS_JSON_H
#define PAGE_WAITS_JSON_H

#include "page/data.h"
#include "render/json_writer.h"

/* An object; empty without the states of threads. */
void page_waits_json(const struct page_data *data, struct json_writer *json);

#endif
