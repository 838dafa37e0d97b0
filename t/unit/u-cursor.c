/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cursor.h"

#include <string.h>

#include "base/strbuf.h"
#include "tap.h"

static const uint64_t varints[] = {
	0, 1, 0x7f, 0x80, 0x3fff, 0x4000, UINT32_MAX, 1ull << 62, INT64_MAX, UINT64_MAX,
};

enum { VARINTS = sizeof(varints) / sizeof(varints[0]) };

/* One of everything. */
struct record {
	uint8_t a;
	uint16_t b;
	uint32_t c;
	uint64_t d, varint;
	const char *str;
	unsigned char bytes[3];
};

/* The values are written in the host's byte order. */
static void encode(struct strbuf *out, const struct record *r)
{
	strbuf_add(out, &r->a, sizeof(r->a));
	strbuf_add(out, &r->b, sizeof(r->b));
	strbuf_add(out, &r->c, sizeof(r->c));
	strbuf_add(out, &r->d, sizeof(r->d));
	strbuf_add_varint(out, r->varint);
	strbuf_add(out, r->str, strlen(r->str) + 1);
	strbuf_add(out, r->bytes, sizeof(r->bytes));
}

static void decode(struct cursor *c, struct record *r)
{
	const void *bytes;

	r->a = cursor_u8(c);
	r->b = cursor_u16(c);
	r->c = cursor_u32(c);
	r->d = cursor_u64(c);
	r->varint = cursor_varint(c);
	r->str = cursor_str(c);
	bytes = cursor_bytes(c, sizeof(r->bytes));
	if (bytes)
		memcpy(r->bytes, bytes, sizeof(r->bytes));
	else
		memset(r->bytes, 0, sizeof(r->bytes));
}

static const struct record sample = {
	.a = 0xa1,
	.b = 0xb1b2,
	.c = 0xc1c2c3c4,
	.d = 0xd1d2d3d4d5d6d7d8,
	.varint = 300,
	.str = "text",
	.bytes = { 1, 2, 3 },
};

static void test_round_trip(const struct strbuf *bytes)
{
	struct record got;
	struct cursor c;

	memset(&got, 0xff, sizeof(got));
	cursor_init(&c, bytes->data, bytes->len);
	decode(&c, &got);
	ok(cursor_ok(&c), "a whole record decodes");
	is_u64(cursor_left(&c), 0, "… and nothing is left");
	is_u64(got.a, sample.a, "u8");
	is_u64(got.b, sample.b, "u16");
	is_u64(got.c, sample.c, "u32");
	is_u64(got.d, sample.d, "u64");
	is_u64(got.varint, sample.varint, "varint");
	is_str(got.str, sample.str, "str");
	is_mem(got.bytes, sample.bytes, sizeof(got.bytes), "bytes");
}

/* A copy of exact size, so a sanitizer notices reads beyond it. */
static void test_truncation(const struct strbuf *bytes)
{
	for (size_t len = 0; len < bytes->len; len++) {
		struct strbuf cut = { 0 };
		struct record got;
		struct cursor c;

		memset(&got, 0xff, sizeof(got));
		strbuf_add(&cut, bytes->data, len);
		cursor_init(&c, cut.data, cut.len);
		decode(&c, &got);
		ok(!cursor_ok(&c) && !cursor_left(&c), "cut at byte %zu: it fails", len);
		is_mem(got.bytes, "\0\0\0", 3, "… and later fields are zero");
		is_u64(cursor_u64(&c), 0, "… as is every later number");
		is_str(cursor_str(&c), "", "… and every later text");
		ok(!cursor_bytes(&c, 0), "… and even zero bytes cannot be read");
		strbuf_release(&cut);
	}
}

static void test_varint(void)
{
	struct strbuf bytes = { 0 };
	struct cursor c;

	for (size_t i = 0; i < VARINTS; i++)
		strbuf_add_varint(&bytes, varints[i]);
	cursor_init(&c, bytes.data, bytes.len);
	for (size_t i = 0; i < VARINTS; i++)
		is_u64(cursor_varint(&c), varints[i], "varint %zu round trip", i);
	ok(cursor_ok(&c) && !cursor_left(&c), "… to the last byte");
	strbuf_release(&bytes);

	cursor_init(&c, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
	is_u64(cursor_varint(&c), 0, "a varint of 65 bits gives 0");
	ok(!cursor_ok(&c), "… and fails");
	cursor_init(&c, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11);
	cursor_varint(&c);
	ok(!cursor_ok(&c), "a varint of 11 bytes fails, though its value is 0");
	cursor_init(&c, "\x80\x00", 2);
	is_u64(cursor_varint(&c), 0, "a longer form of 0 is 0");
	ok(cursor_ok(&c), "… and no failure");
}

static void test_swap(void)
{
	struct cursor c, sub;
	const uint32_t word = 0x01020304;

	cursor_init(&c, &word, sizeof(word));
	c.swap = true;
	sub = cursor_sub(&c, 4);
	is_u64(cursor_u32(&sub), 0x04030201, "swap reverses, and a sub-cursor keeps it");
	is_u64(cursor_left(&c), 0, "the outer cursor is behind the inner one");
}

static void test_sub(void)
{
	struct cursor c, sub;

	cursor_init(&c, "abcdef", 6);
	sub = cursor_sub(&c, 2);
	cursor_u32(&sub);
	ok(!cursor_ok(&sub), "a sub-cursor ends at its length");
	ok(cursor_ok(&c), "… and its failure stays its own");
	is_u64(cursor_u8(&c), 'c', "… and the outer one continues behind it");
	sub = cursor_sub(&c, 4);
	ok(!cursor_ok(&sub) && !cursor_ok(&c), "a sub-cursor beyond the end fails both");
	is_u64(cursor_u8(&sub), 0, "… and reads zeros");

	cursor_init(&c, "abc", 3);
	sub = cursor_sub(&c, SIZE_MAX);
	ok(!cursor_ok(&sub) && !cursor_ok(&c), "a length that would wrap fails");
	cursor_init(&c, "abc", 3);
	is_str(cursor_str(&c), "", "text without its NUL fails");
	ok(!cursor_ok(&c), "… and says so");
}

static void test_nothing(void)
{
	struct cursor c;

	cursor_init(&c, NULL, 0);
	ok(cursor_ok(&c) && !cursor_left(&c),
	   "without bytes a cursor is valid and empty");
	is_u64(cursor_u8(&c), 0, "… that yields zero");
	ok(!cursor_ok(&c), "… and then has failed");
}

int main(void)
{
	struct strbuf bytes = { 0 };

	encode(&bytes, &sample);
	test_round_trip(&bytes);
	test_truncation(&bytes);
	strbuf_release(&bytes);
	test_varint();
	test_swap();
	test_sub();
	test_nothing();
	return done_testing();
}
