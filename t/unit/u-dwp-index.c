/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a package in both versions and byte orders; damaged ones are refused. */
#include "elf/dwp_index.h"

#include <byteswap.h>

#include "base/strbuf.h"
#include "tap.h"

#define FIRST  0x1100000003u /* slot 3 of 4 */
#define SECOND 0x2200000003u /* so is its first; its step of 3 leads to 2 */

/* What a test changes. */
struct form {
	uint32_t version, rows[2];
	bool swap;
};

static const struct form both_rows = { .version = 2, .rows = { 1, 2 } };

static void put16(struct strbuf *out, const struct form *form, uint16_t v)
{
	v = form->swap ? bswap_16(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put32(struct strbuf *out, const struct form *form, uint32_t v)
{
	v = form->swap ? bswap_32(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put64(struct strbuf *out, const struct form *form, uint64_t v)
{
	v = form->swap ? bswap_64(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

static void put_header(struct strbuf *out, const struct form *form)
{
	if (form->version < 5) {
		put32(out, form, form->version);
	} else {
		put16(out, form, (uint16_t)form->version);
		put16(out, form, 0);
	}
	put32(out, form, 3); /* columns */
	put32(out, form, 2); /* units */
	put32(out, form, 4); /* slots */
}

/* Two units, in .debug_info, .debug_abbrev and section 8, which has two meanings. */
static void put_index(struct strbuf *out, const struct form *form)
{
	static const uint64_t ids[4] = { 0, 0, SECOND, FIRST };
	const uint32_t rows[4] = { 0, 0, form->rows[1], form->rows[0] };
	static const uint32_t cells[] = { 1, 3,  8, /* sections */
					  0, 0,  0, /* begin */
					  7, 9,  5, /**/
					  7, 9,  5, /* are as long */
					  9, 19, 29 };

	put_header(out, form);
	for (size_t i = 0; i < 4; i++)
		put64(out, form, ids[i]);
	for (size_t i = 0; i < 4; i++)
		put32(out, form, rows[i]);
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		put32(out, form, cells[i]);
}

static int find(const struct strbuf *index, size_t len, const struct form *form,
		uint64_t id, struct dwp_slices *out)
{
	struct cursor c;

	cursor_init(&c, index->data, len);
	c.swap = form->swap;
	return dwp_index_find(c, id, out);
}

static void test_found(const struct form *form)
{
	struct strbuf index = { 0 };
	struct dwp_slices got;

	put_index(&index, form);
	is_i64(find(&index, index.len, form, SECOND, &got), 0, "version %u: the second",
	       (unsigned)form->version);
	is_u64(got.count, form->version < 5 ? 2 : 3, "… .debug_rnglists only in 5");
	is_str(got.list[0].section, ".debug_info.dwo", "… its DIEs");
	is_u64(got.list[0].offset, 7, "… where they begin");
	is_u64(got.list[0].size, 9, "… how long they are");
	is_str(got.list[1].section, ".debug_abbrev.dwo", "… its abbreviations");
	is_u64(got.list[1].offset, 9, "… where they begin");
	is_u64(got.list[1].size, 19, "… how long they are");
	is_i64(find(&index, index.len, form, FIRST, &got), 0, "the first");
	is_u64(got.list[0].offset, 0, "… where it begins");
	is_i64(find(&index, index.len, form, 3, &got), -ENOENT, "a missing one");
	strbuf_release(&index);
}

static void test_damaged(void)
{
	struct form form = both_rows;
	struct strbuf index = { 0 };
	struct dwp_slices got;
	size_t refused = 0;

	put_index(&index, &form);
	for (size_t len = 0; len < index.len; len++)
		refused += find(&index, len, &form, SECOND, &got) == -ENOEXEC;
	is_u64(refused, index.len, "cut at every byte");
	strbuf_clear(&index);
	form.rows[1] = 3;
	put_index(&index, &form);
	is_i64(find(&index, index.len, &form, SECOND, &got), -ENOEXEC,
	       "a row beyond the last");
	strbuf_clear(&index);
	form.version = 4;
	put_index(&index, &form);
	is_i64(find(&index, index.len, &form, FIRST, &got), -ENOEXEC,
	       "an unknown version");
	strbuf_release(&index);
}

/* No slot is free, and none has the unit. */
static void test_full(void)
{
	static const uint32_t header[] = { 2, 0, 1, 1 << 20 };
	struct form form = { 0 };
	struct strbuf index = { 0 };
	struct dwp_slices got;

	strbuf_add(&index, header, sizeof(header));
	strbuf_pad(&index, 1, 12 << 20);
	is_i64(find(&index, index.len, &form, 7, &got), -ENOENT, "a full table ends");
	strbuf_release(&index);
}

int main(void)
{
	struct form form = both_rows;

	test_found(&form);
	form.version = 5;
	test_found(&form);
	form.swap = true;
	test_found(&form);
	form.version = 2;
	test_found(&form);
	test_damaged();
	test_full();
	return done_testing();
}
