/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/dwp_index.h"

/*
 * A table is at most two thirds full, so entries are found after a few probes; a crafted
 * full table must not make each search scan all of it.
 */
enum { PROBES_MAX = 4096 };

/* More than the kinds of sections. */
enum { COLUMNS_MAX = 64 };

/* Each cursor begins where its table does, and ends with the index. */
struct tables {
	uint32_t version, columns, units, slots;
	struct cursor ids, rows, sections, offsets, sizes;
};

static const struct {
	uint32_t number, version; /* VERSION 0: of both */
	const char *name;
} known[DWP_SLICES_MAX] = {
	{ 1, 0, ".debug_info.dwo" },
	{ 3, 0, ".debug_abbrev.dwo" },
	{ 6, 0, ".debug_str_offsets.dwo" },
	{ 8, 5, ".debug_rnglists.dwo" },
};

static struct cursor behind(struct cursor c, uint64_t bytes)
{
	cursor_bytes(&c, bytes < cursor_left(&c) ? (size_t)bytes : cursor_left(&c));
	return c;
}

static uint32_t u32_at(struct cursor c, uint64_t index)
{
	c = behind(c, index * 4);
	return cursor_u32(&c);
}

static uint64_t u64_at(struct cursor c, uint64_t index)
{
	c = behind(c, index * 8);
	return cursor_u64(&c);
}

/* Version 2 is stored in 32 bits, version 5 in 16 bits and padding. */
static int read_tables(struct cursor c, struct tables *t)
{
	uint64_t cells;

	t->version = cursor_u16(&c);
	t->version |= cursor_u16(&c);
	t->columns = cursor_u32(&c);
	t->units = cursor_u32(&c);
	t->slots = cursor_u32(&c);
	cells = (uint64_t)t->columns * t->units;
	if (!cursor_ok(&c) || (t->version != 2 && t->version != 5) ||
	    t->columns > COLUMNS_MAX || (t->slots & (t->slots - 1)) ||
	    cursor_left(&c) < 12ULL * t->slots + 4ULL * t->columns + 8 * cells)
		return -ENOEXEC;
	t->ids = c;
	t->rows = behind(t->ids, 8ULL * t->slots);
	t->sections = behind(t->rows, 4ULL * t->slots);
	t->offsets = behind(t->sections, 4ULL * t->columns);
	t->sizes = behind(t->offsets, 4 * cells);
	return 0;
}

/* From 1; 0: it has none. */
static uint32_t find_row(const struct tables *t, uint64_t id)
{
	uint32_t mask = t->slots - 1, at = (uint32_t)id & mask;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t i = 0; i < t->slots && i < PROBES_MAX; i++) {
		uint32_t row = u32_at(t->rows, at);

		if (!row || u64_at(t->ids, at) == id)
			return row;
		at = (at + step) & mask;
	}
	return 0;
}

static const char *section_name(const struct tables *t, uint32_t column)
{
	uint32_t number = u32_at(t->sections, column);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].number == number &&
		    (!known[i].version || known[i].version == t->version))
			return known[i].name;
	return NULL;
}

int dwp_index_find(struct cursor index, uint64_t id, struct dwp_slices *out)
{
	struct tables t;
	uint64_t first;
	uint32_t row;
	int error = read_tables(index, &t);

	*out = (struct dwp_slices){ .count = 0 };
	if (error)
		return error;
	row = find_row(&t, id);
	if (!row)
		return -ENOENT;
	if (row > t.units)
		return -ENOEXEC;
	first = (uint64_t)(row - 1) * t.columns;
	for (uint32_t column = 0; column < t.columns; column++) {
		const char *name = section_name(&t, column);

		if (!name)
			continue;
		if (out->count == DWP_SLICES_MAX) /* a section is named twice */
			return -ENOEXEC;
		out->list[out->count++] = (struct dwp_slice){
			name,
			u32_at(t.offsets, first + column),
			u32_at(t.sizes, first + column),
		};
	}
	return 0;
}
