/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_dies.h"

#include <dwarf.h>

/* ---- forms ---- */

enum step_kind {
	STEP_NONE, /* not known */
	STEP_BYTES,
	STEP_LEB,
	STEP_TEXT,
	STEP_BLOCK, /* behind its length: SIZE bytes, or a LEB for 0 */
	STEP_SIBLING,
	STEP_INDIRECT,
};

/* Sizes that the unit decides. */
enum { ADDRESS = 0x100, OFFSET, REFERENCE };

static const struct die_step steps_by_form[] = {
	[DW_FORM_addr] = { STEP_BYTES, ADDRESS },
	[DW_FORM_block2] = { STEP_BLOCK, 2 },
	[DW_FORM_block4] = { STEP_BLOCK, 4 },
	[DW_FORM_data2] = { STEP_BYTES, 2 },
	[DW_FORM_data4] = { STEP_BYTES, 4 },
	[DW_FORM_data8] = { STEP_BYTES, 8 },
	[DW_FORM_string] = { STEP_TEXT, 0 },
	[DW_FORM_block] = { STEP_BLOCK, 0 },
	[DW_FORM_block1] = { STEP_BLOCK, 1 },
	[DW_FORM_data1] = { STEP_BYTES, 1 },
	[DW_FORM_flag] = { STEP_BYTES, 1 },
	[DW_FORM_sdata] = { STEP_LEB, 0 },
	[DW_FORM_strp] = { STEP_BYTES, OFFSET },
	[DW_FORM_udata] = { STEP_LEB, 0 },
	[DW_FORM_ref_addr] = { STEP_BYTES, REFERENCE },
	[DW_FORM_ref1] = { STEP_BYTES, 1 },
	[DW_FORM_ref2] = { STEP_BYTES, 2 },
	[DW_FORM_ref4] = { STEP_BYTES, 4 },
	[DW_FORM_ref8] = { STEP_BYTES, 8 },
	[DW_FORM_ref_udata] = { STEP_LEB, 0 },
	[DW_FORM_indirect] = { STEP_INDIRECT, 0 },
	[DW_FORM_sec_offset] = { STEP_BYTES, OFFSET },
	[DW_FORM_exprloc] = { STEP_BLOCK, 0 },
	[DW_FORM_flag_present] = { STEP_BYTES, 0 },
	[DW_FORM_strx] = { STEP_LEB, 0 },
	[DW_FORM_addrx] = { STEP_LEB, 0 },
	[DW_FORM_ref_sup4] = { STEP_BYTES, 4 },
	[DW_FORM_strp_sup] = { STEP_BYTES, OFFSET },
	[DW_FORM_data16] = { STEP_BYTES, 16 },
	[DW_FORM_line_strp] = { STEP_BYTES, OFFSET },
	[DW_FORM_ref_sig8] = { STEP_BYTES, 8 },
	[DW_FORM_implicit_const] = { STEP_BYTES, 0 },
	[DW_FORM_loclistx] = { STEP_LEB, 0 },
	[DW_FORM_rnglistx] = { STEP_LEB, 0 },
	[DW_FORM_ref_sup8] = { STEP_BYTES, 8 },
	[DW_FORM_strx1] = { STEP_BYTES, 1 },
	[DW_FORM_strx2] = { STEP_BYTES, 2 },
	[DW_FORM_strx3] = { STEP_BYTES, 3 },
	[DW_FORM_strx4] = { STEP_BYTES, 4 },
	[DW_FORM_addrx1] = { STEP_BYTES, 1 },
	[DW_FORM_addrx2] = { STEP_BYTES, 2 },
	[DW_FORM_addrx3] = { STEP_BYTES, 3 },
	[DW_FORM_addrx4] = { STEP_BYTES, 4 },
};

static const struct {
	unsigned form;
	struct die_step step;
} gnu_forms[] = {
	{ DW_FORM_GNU_addr_index, { STEP_LEB, 0 } },
	{ DW_FORM_GNU_str_index, { STEP_LEB, 0 } },
	{ DW_FORM_GNU_ref_alt, { STEP_BYTES, OFFSET } },
	{ DW_FORM_GNU_strp_alt, { STEP_BYTES, OFFSET } },
};

static uint16_t size_of(const struct dies *dies, uint16_t size)
{
	if (size == ADDRESS || (size == REFERENCE && dies->version < 3))
		return (uint16_t)dies->address_size;
	if (size == OFFSET || size == REFERENCE)
		return (uint16_t)dies->offset_size;
	return size;
}

static struct die_step step_of(const struct dies *dies, uint64_t form)
{
	struct die_step step = { STEP_NONE, 0 };

	if (form < sizeof(steps_by_form) / sizeof(steps_by_form[0]))
		step = steps_by_form[form];
	for (size_t i = 0; i < sizeof(gnu_forms) / sizeof(gnu_forms[0]); i++)
		if (gnu_forms[i].form == form)
			step = gnu_forms[i].step;
	step.size = size_of(dies, step.size);
	return step;
}

/* ---- abbreviations ---- */

/* Nearly all have one byte. */
static inline uint64_t get_leb(struct cursor *c)
{
	if (cursor_left(c) && *c->at < 0x80)
		return *c->at++;
	return cursor_varint(c);
}

/* Of any size. */
static void skip_leb(struct cursor *c)
{
	while (cursor_left(c) && *c->at & 0x80)
		c->at++;
	cursor_bytes(c, 1);
}

/* Several attributes of known size are one step. */
static void add_step(struct dies *dies, uint32_t first, struct die_step step)
{
	struct die_step *last = dies->steps.len > first
					? &dies->steps.data[dies->steps.len - 1]
					: NULL;

	if (step.kind == STEP_BYTES && last && last->kind == STEP_BYTES)
		last->size = (uint16_t)(last->size + step.size);
	else
		*vec_push(&dies->steps) = step;
}

static bool is_reference(uint64_t form)
{
	return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
	       form == DW_FORM_ref8;
}

static void add_abbrev(struct dies *dies, uint64_t code, struct cursor *c, unsigned max)
{
	struct die_abbrev abbrev = { .code = code, .first = (uint32_t)dies->steps.len };
	unsigned count = 0;

	abbrev.tag = (uint32_t)cursor_varint(c);
	abbrev.children = cursor_u8(c);
	for (;;) {
		uint64_t name = cursor_varint(c), form = cursor_varint(c);
		struct die_step step = step_of(dies, form);

		if (form == DW_FORM_implicit_const)
			skip_leb(c);
		if (!cursor_ok(c) || (!name && !form))
			break;
		if (++count > max) {
			cursor_fail(c);
			break;
		}
		if (name == DW_AT_sibling && is_reference(form))
			step.kind = STEP_SIBLING;
		add_step(dies, abbrev.first, step);
	}
	abbrev.count = (uint32_t)dies->steps.len - abbrev.first;
	*vec_push(&dies->abbrevs) = abbrev;
}

static bool read_abbrevs(struct dies *dies, struct cursor c, unsigned attributes_max,
			 uint64_t bytes_max)
{
	bool dense = true;
	size_t all;

	if (dies->abbrevs_at > cursor_left(&c))
		return false;
	cursor_bytes(&c, (size_t)dies->abbrevs_at);
	all = cursor_left(&c);
	while (cursor_left(&c) && all - cursor_left(&c) <= bytes_max) {
		uint64_t code = cursor_varint(&c);

		if (!code)
			break;
		add_abbrev(dies, code, &c, attributes_max);
		dense &= code == dies->abbrevs.len;
	}
	dies->abbrevs_passed = all - cursor_left(&c);
	for (uint32_t i = 0; !dense && i < dies->abbrevs.len; i++)
		idmap_intern(&dies->by_code, dies->abbrevs.data[i].code, 0, i);
	return cursor_ok(&c) && dies->abbrevs_passed <= bytes_max;
}

static const struct die_abbrev *find_abbrev(const struct dies *dies, uint64_t code)
{
	uint64_t index = dies->by_code.len ? idmap_get(&dies->by_code, code, 0)
					   : code - 1;

	return index < dies->abbrevs.len ? &dies->abbrevs.data[index] : NULL;
}

/* ---- the unit ---- */

static bool read_header(struct dies *dies, struct cursor c)
{
	uint64_t len = cursor_u32(&c);
	const unsigned char *start;

	dies->offset_size = len == UINT32_MAX ? 8 : 4;
	if (len == UINT32_MAX)
		len = cursor_u64(&c);
	start = c.at;
	dies->version = cursor_u16(&c);
	if (dies->version >= 5) {
		cursor_u8(&c); /* its type */
		dies->address_size = cursor_u8(&c);
	}
	dies->abbrevs_at = dies->offset_size == 8 ? cursor_u64(&c) : cursor_u32(&c);
	if (dies->version < 5)
		dies->address_size = cursor_u8(&c);
	if (len < (size_t)(dies->unit.end - start))
		dies->unit.end = start + len;
	return cursor_ok(&c);
}

bool dies_init(struct dies *dies, struct cursor section, size_t at, struct cursor abbrevs,
	       unsigned attributes_max, uint64_t bytes_max)
{
	*dies = (struct dies){ 0 };
	if (at > cursor_left(&section))
		return false;
	cursor_bytes(&section, at);
	dies->unit = section;
	return read_header(dies, section) &&
	       read_abbrevs(dies, abbrevs, attributes_max, bytes_max);
}

void dies_release(struct dies *dies)
{
	vec_release(&dies->abbrevs);
	vec_release(&dies->steps);
	idmap_release(&dies->by_code);
}

/* ---- DIEs ---- */

/* A number of so many bytes; 0: a LEB. */
static uint64_t get_sized(struct cursor *c, unsigned size)
{
	if (!size)
		return cursor_varint(c);
	if (size == 1)
		return cursor_u8(c);
	if (size == 2)
		return cursor_u16(c);
	return size == 4 ? cursor_u32(c) : cursor_u64(c);
}

static void skip(struct cursor *c, uint64_t bytes)
{
	if (bytes > cursor_left(c))
		cursor_fail(c);
	else
		c->at += bytes;
}

/* One of DW_FORM_indirect has its form in front. */
static void take_step(const struct dies *dies, struct die_step step, struct cursor *c,
		      uint64_t *sibling)
{
	if (step.kind == STEP_INDIRECT)
		step = step_of(dies, cursor_varint(c));
	if (step.kind == STEP_BYTES)
		skip(c, step.size);
	else if (step.kind == STEP_LEB)
		skip_leb(c);
	else if (step.kind == STEP_TEXT)
		cursor_str(c);
	else if (step.kind == STEP_BLOCK)
		skip(c, get_sized(c, step.size));
	else if (step.kind == STEP_SIBLING)
		*sibling = get_sized(c, step.size);
	else
		cursor_fail(c);
}

/* Passes the head of a DIE; SIBLING: its offset in the unit, or 0.  NULL: a list ends. */
static const struct die_abbrev *pass_head(const struct dies *dies, struct cursor *c,
					  uint64_t *sibling)
{
	uint64_t code = get_leb(c);
	const struct die_abbrev *abbrev;

	*sibling = 0;
	if (!code)
		return NULL;
	abbrev = find_abbrev(dies, code);
	if (!abbrev)
		cursor_fail(c);
	for (uint32_t i = 0; abbrev && i < abbrev->count; i++)
		take_step(dies, dies->steps.data[abbrev->first + i], c, sibling);
	return abbrev;
}

static struct cursor from(const struct dies *dies, const void *at)
{
	struct cursor c = dies->unit;
	const unsigned char *there = at;

	if (there < c.at || there >= c.end)
		cursor_fail(&c);
	else
		c.at = there;
	return c;
}

uint32_t dies_tag(const struct dies *dies, const void *at)
{
	struct cursor c = from(dies, at);
	const struct die_abbrev *abbrev = find_abbrev(dies, get_leb(&c));

	return abbrev ? abbrev->tag : 0;
}

const char *dies_child(const struct dies *dies, const void *at)
{
	struct cursor c = from(dies, at);
	uint64_t sibling;
	const struct die_abbrev *abbrev = pass_head(dies, &c, &sibling);

	return abbrev && abbrev->children && cursor_left(&c) ? (const char *)c.at : NULL;
}

const char *dies_behind(const struct dies *dies, const void *at)
{
	struct cursor c = from(dies, at);
	size_t depth = 0;

	do {
		uint64_t sibling;
		const struct die_abbrev *abbrev = pass_head(dies, &c, &sibling);

		if (!cursor_ok(&c) || (!abbrev && !depth))
			return NULL;
		if (!abbrev)
			depth--;
		else if (abbrev->children && sibling > (size_t)(c.at - dies->unit.at) &&
			 sibling < (size_t)(c.end - dies->unit.at))
			c.at = dies->unit.at + sibling;
		else
			depth += abbrev->children;
	} while (depth);
	return (const char *)c.at;
}

const char *dies_list_end(const struct dies *dies, const void *at)
{
	struct cursor c = from(dies, at);

	return !get_leb(&c) && cursor_ok(&c) ? (const char *)c.at : NULL;
}
