/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/*
 * Rows are added to all columns at once.  If columns lay whole pages apart, as separate
 * memory would, they would share one set of the L1 cache, which holds 8 or 12 lines: so
 * each begins a cache line further on.
 */
enum { SKEW_WORDS = 8 };

void exp_rows_reserve(struct exp_rows *rows, size_t count)
{
	const unsigned columns = exp_tables[rows->table].columns;
	uint64_t *memory;

	if (count <= rows->room && columns <= rows->columns)
		return;
	memory = xreallocarray(NULL, count + SKEW_WORDS, columns * sizeof(*memory));
	for (unsigned c = 0; c < columns; c++) {
		uint64_t *column = memory + c * (count + SKEW_WORDS);

		if (rows->count)
			memcpy(column, rows->column[c], rows->count * sizeof(*column));
		rows->column[c] = column;
	}
	free(rows->memory);
	rows->memory = memory;
	rows->columns = columns;
	rows->room = count;
}

void exp_rows_add(struct exp_rows *rows, const uint64_t *values)
{
	enum { FIRST_ROWS = 64 };
	const unsigned columns = exp_tables[rows->table].columns;

	if (rows->count >= rows->room || columns > rows->columns)
		exp_rows_reserve(rows, rows->count ? 2 * rows->count : FIRST_ROWS);
	for (unsigned c = 0; c < columns; c++)
		rows->column[c][rows->count] = values[c];
	rows->count++;
}

void exp_rows_release(struct exp_rows *rows)
{
	free(rows->memory);
	strbuf_release(&rows->text);
	*rows = (struct exp_rows){ 0 };
}

void exp_rows_clear(struct exp_rows *rows)
{
	rows->count = 0;
	strbuf_clear(&rows->text);
}
