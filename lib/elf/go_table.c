/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/go_table.h"

#include <string.h>

#include "base/cursor.h"

enum { WORD = 8, QUANTUM_MAX = 4, NAME_MAX_LEN = 4096, DEPTH_MAX = 1 << 30 };

/*
 *	magic, 2 × 0, quantum, bytes of a pointer | functions, files | address of the text
 *	| where parts begin: names, (units, files,) pctab, pcln | …
 *	pcln:     address, where its record begins | … | end of the last function
 *	a record: address, name, …, pcsp, …, kind, flags, …
 */
struct go_layout {
	uint32_t magic;
	uint8_t names, pctab, pcln; /* in the header */
	uint8_t text;               /* in the header; 0: addresses are absolute */
	uint8_t width;              /* of the numbers in pcln */
	uint8_t name, pcsp, flags;  /* in the record */
};

static const struct go_layout layouts[] = {
	/* Go 1.16 */
	{ .magic = 0xfffffffa,
	  .names = 24,
	  .pctab = 48,
	  .pcln = 56,
	  .width = 8,
	  .name = 8,
	  .pcsp = 20,
	  .flags = 41 },
	/* Go 1.18 */
	{ .magic = 0xfffffff0,
	  .names = 32,
	  .pctab = 56,
	  .pcln = 64,
	  .text = 24,
	  .width = 4,
	  .name = 4,
	  .pcsp = 16,
	  .flags = 37 },
	/* Go 1.20 */
	{ .magic = 0xfffffff1,
	  .names = 32,
	  .pctab = 56,
	  .pcln = 64,
	  .text = 24,
	  .width = 4,
	  .name = 4,
	  .pcsp = 16,
	  .flags = 41 },
};

static struct cursor from(const struct go_table *t, uint64_t offset)
{
	struct cursor c;

	cursor_init(&c, t->bytes, t->len);
	if (offset > t->len)
		cursor_fail(&c);
	else
		c.at += offset;
	return c;
}

/* A number of WIDTH bytes, 4 or 8; false if the table ends before it. */
static bool number_at(const struct go_table *t, uint64_t offset, unsigned width,
		      uint64_t *number)
{
	struct cursor c = from(t, offset);

	*number = width == WORD ? cursor_u64(&c) : cursor_u32(&c);
	return cursor_ok(&c);
}

static const struct go_layout *layout_of(uint64_t magic)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].magic == magic)
			return &layouts[i];
	return NULL;
}

static bool read_header(struct go_table *t)
{
	enum { QUANTUM = 6, POINTER = 7, NFUNCS = 8 };
	const struct go_layout *l = t->layout;

	t->quantum = t->bytes[QUANTUM];
	if (t->bytes[POINTER] != WORD || !t->quantum || t->quantum > QUANTUM_MAX)
		return false;
	/* An address that needs relocation is useless. */
	if (l->text && (!number_at(t, l->text, WORD, &t->text) || !t->text))
		return false;
	return number_at(t, NFUNCS, WORD, &t->nfuncs) &&
	       number_at(t, l->names, WORD, &t->names) &&
	       number_at(t, l->pctab, WORD, &t->pctab) &&
	       number_at(t, l->pcln, WORD, &t->pcln) && t->names <= t->len &&
	       t->pctab <= t->len && t->pcln <= t->len &&
	       t->nfuncs < (t->len - t->pcln) / (2 * (uint64_t)l->width);
}

bool go_table_init(struct go_table *t, const void *bytes, size_t len)
{
	uint64_t magic = 0;

	*t = (struct go_table){ .bytes = bytes, .len = len };
	if (number_at(t, 0, sizeof(uint32_t), &magic) && len >= WORD)
		t->layout = layout_of(magic);
	if (t->layout && read_header(t))
		return true;
	*t = (struct go_table){ 0 };
	return false;
}

/* The start of function I, or the end of the last one. */
static uint64_t start_of(const struct go_table *t, uint64_t i)
{
	const unsigned width = t->layout->width;
	uint64_t start;

	number_at(t, t->pcln + i * 2 * width, width, &start);
	return t->text + start;
}

static bool read_record(const struct go_table *t, uint64_t i, struct go_func *f)
{
	const struct go_layout *l = t->layout;
	uint64_t record, name, pcsp;

	if (!number_at(t, t->pcln + (i * 2 + 1) * l->width, l->width, &record) ||
	    record > t->len - t->pcln)
		return false;
	record += t->pcln;
	if (!number_at(t, record + l->name, sizeof(uint32_t), &name) ||
	    !number_at(t, record + l->pcsp, sizeof(uint32_t), &pcsp) ||
	    record + l->flags >= t->len)
		return false;
	f->name = (uint32_t)name;
	f->pcsp = (uint32_t)pcsp;
	f->flags = t->bytes[record + l->flags];
	return true;
}

bool go_table_func(const struct go_table *t, uint64_t i, struct go_func *f)
{
	if (i >= t->nfuncs)
		return false;
	f->start = start_of(t, i);
	f->end = start_of(t, i + 1);
	return read_record(t, i, f);
}

bool go_table_find(const struct go_table *t, uint64_t vaddr, struct go_func *f)
{
	uint64_t low = 0, high = t->nfuncs;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (start_of(t, middle) <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && go_table_func(t, low - 1, f) &&
	       vaddr - f->start < f->end - f->start;
}

/* Whether F's name is the LEN characters of NAME. */
static bool has_name(const struct go_table *t, const struct go_func *f, const char *name,
		     size_t len)
{
	struct cursor c = from(t, t->names + f->name);
	const char *bytes = cursor_bytes(&c, len + 1);

	return bytes && memcmp(bytes, name, len) == 0 && !bytes[len];
}

bool go_func_is(const struct go_table *t, const struct go_func *f, const char *name)
{
	return has_name(t, f, name, strlen(name));
}

const char *go_func_name(const struct go_table *t, const struct go_func *f)
{
	struct cursor c = from(t, t->names + f->name);

	if (cursor_left(&c) > NAME_MAX_LEN)
		c = cursor_sub(&c, NAME_MAX_LEN);
	return cursor_str(&c);
}

/* Takes one unit of work; false if none is left. */
static bool spend(uint32_t *fuel)
{
	if (!*fuel)
		return false;
	--*fuel;
	return true;
}

bool go_table_find_outer(const struct go_table *t, const struct go_func *f,
			 uint32_t *fuel, struct go_func *outer)
{
	static const char suffix[] = ".func";
	const char *name = go_func_name(t, f), *dot = strrchr(name, '.');

	if (!dot || strncmp(dot, suffix, strlen(suffix)))
		return false;
	for (uint64_t i = 0; i < t->nfuncs && spend(fuel); i++)
		if (go_table_func(t, i, outer) &&
		    has_name(t, outer, name, (size_t)(dot - name)))
			return true;
	return false;
}

/*
 * Pairs of numbers: the change of the depth, as a zigzag number, and the length of the
 * code with the new depth; a change of 0 ends them, except in the first.
 */
bool go_func_depth(const struct go_table *t, const struct go_func *f, uint64_t vaddr,
		   uint32_t *fuel, int32_t *depth)
{
	struct cursor c = from(t, t->pctab + f->pcsp);
	uint64_t at = f->start, change;
	uint32_t value = UINT32_MAX;

	while (f->pcsp && at <= vaddr) {
		if (!spend(fuel))
			return false;
		change = cursor_varint(&c);
		if (!change && at != f->start)
			return false;
		value += (uint32_t)(change >> 1) ^ -(uint32_t)(change & 1);
		change = cursor_varint(&c);
		if (!change || change > (f->end - at) / t->quantum)
			return false;
		at += change * t->quantum;
	}
	*depth = (int32_t)value;
	return at > vaddr && value <= DEPTH_MAX;
}
