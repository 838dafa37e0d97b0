/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of one table on their way to or from the disk, as columns of numbers.  A text
 * column holds lengths; its bytes lie one after another in text.
 *
 * All zero except the table: no rows.  The columns lie in one piece of memory, which the
 * rows own and which moves when rows are added.
 */
#ifndef EXP_ROWS_H
#define EXP_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/format.h"
#include "base/strbuf.h"

struct exp_rows {
	enum exp_table table;
	size_t count, room;
	unsigned columns; /* with memory */
	uint64_t *memory, *column[EXP_COLUMNS_MAX];
	struct strbuf text;
};

/* Adds a row: as many VALUES as the table has columns. */
void exp_rows_add(struct exp_rows *rows, const uint64_t *values);

/* Makes room for COUNT rows of the table, which may have changed; existing rows stay. */
void exp_rows_reserve(struct exp_rows *rows, size_t count);

void exp_rows_release(struct exp_rows *rows);

/* Keeps the memory. */
void exp_rows_clear(struct exp_rows *rows);

#endif
