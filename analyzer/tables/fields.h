/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of labels and texts, without columns: header, statistics, overview. */
#ifndef FIELDS_H
#define FIELDS_H

#include "base/printf_like.h"
#include "tables/table.h"

/* Makes TABLE one of fields.  KEY and TITLE as in struct table; TITLE is copied. */
void fields_init(struct table *table, const char *key, const char *title);

/* EXPERIMENT counts from 1, and is for machines. */
void fields_add(struct table *table, size_t experiment, const char *label,
		const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
