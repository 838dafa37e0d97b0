/* SPDX-License-Identifier: Apache-2.0 */
/* The call tree as nested lists, for a browser without JavaScript. */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "page/data.h"

/* Adds the branches with at least one percent of the first metric; nothing if there are none. */
void page_outline(const struct page_data *data, struct strbuf *out);

#endif
