/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A unit's line table (.debug_line, DWARF 2 to 5): the files that it numbers, and the
 * rows of given addresses.
 *
 * libdw keeps all rows, in 72 bytes each, and sorts them, which took most of the time of
 * reading a unit.  Here they pass by, and only those that are asked for are kept.
 *
 * A damaged table has neither rows nor files.
 */
#ifndef LINEINFO_TABLE_H
#define LINEINFO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Where tables and their texts lie; each may be empty.  Texts are read if a zero ends all. */
struct line_sections {
	struct cursor lines, texts,
		line_texts; /* .debug_line, .debug_str, .debug_line_str */
	uint64_t budget;    /* bytes still to be read: units may share a table */
};

struct line_file {
	const char *name;
	uint64_t dir;
};

struct line_table {
	VEC(const char *)
	dirs; /* [0]: where the unit was compiled, NULL before DWARF 5 */
	VEC(struct line_file)
	files; /* from 0; before DWARF 5 the first stands for none */
	struct cursor program;
	uint8_t min_length, max_ops, line_range, opcode_base;
	int8_t line_base;
	uint8_t lengths[256]; /* operands of standard opcodes */
};

/* The table at OFFSET. */
void line_table_read(struct line_table *table, struct line_sections *sections,
		     uint64_t offset);
/* The same without its rows, which costs budget for the bytes of the files only. */
void line_table_read_files(struct line_table *table, struct line_sections *sections,
			   uint64_t offset);
void line_table_release(struct line_table *table);

/*
 * The path of a file, or NULL, also where a part of it has 64 KiB.  A relative one counts from where the unit was compiled.
 * It is in WORK, and good until that changes.
 */
const char *line_table_path(const struct line_table *table, uint64_t file,
			    struct strbuf *work);

struct line_row {
	uint64_t addr;
	uint32_t file, line; /* LINE 0: not known */
	bool any;            /* false: no row has the address */
	bool end;            /* of a sequence; never in an answer */
};

/*
 * Fills ROWS of COUNT addresses, from low to high.  There must be room for one more, whose
 * content is then undefined.  Adds the files that stand among the rows.
 */
void line_table_find(struct line_table *table, const uint64_t *addrs, size_t count,
		     struct line_row *rows);

#endif
