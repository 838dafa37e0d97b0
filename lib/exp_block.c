/* SPDX-License-Identifier: Apache-2.0 */
#include "exp_block.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "cursor.h"
#include "varint.h"
#include "xalloc.h"

enum { ZSTD_LEVEL = 3, CRC_OFFSET = 20 };

/*
 * Rows are added to all columns at once.  Were these whole pages apart, as memory of
 * their own would be, they would share one set of the CPU's first cache, which has room
 * for 8 or 12: so each begins a cache line further on.
 */
enum { SKEW_WORDS = 8 };

/* Room for COUNT rows of the table; those that are there stay. */
static void reserve_rows(struct exp_rows *rows, size_t count)
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
		reserve_rows(rows, rows->count ? 2 * rows->count : FIRST_ROWS);
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

static void add_u16(struct strbuf *out, uint16_t v)
{
	v = htole16(v);
	strbuf_add(out, &v, sizeof(v));
}

static void add_u32(struct strbuf *out, uint32_t v)
{
	v = htole32(v);
	strbuf_add(out, &v, sizeof(v));
}

static uint32_t get_u32(const unsigned char *bytes)
{
	uint32_t v;

	memcpy(&v, bytes, sizeof(v));
	return le32toh(v);
}

static uint64_t zigzag(uint64_t delta)
{
	return (delta << 1) ^ (delta >> 63 ? UINT64_MAX : 0);
}

static uint64_t unzigzag(uint64_t v)
{
	return (v >> 1) ^ (v & 1 ? UINT64_MAX : 0);
}

void exp_header_encode(struct strbuf *out)
{
	strbuf_add(out, EXP_MAGIC, 8);
	add_u32(out, EXP_VERSION);
	add_u32(out, 0);
}

/* Room for COUNT numbers at the end of OUT; what is not taken of it is cut off again. */
static char *room_for(struct strbuf *out, size_t count)
{
	return strbuf_add_room(out, count * VARINT_MAX);
}

static void took(struct strbuf *out, const char *end)
{
	strbuf_truncate(out, (size_t)(end - out->data));
}

static void encode_delta(const uint64_t *values, size_t count, struct strbuf *out)
{
	char *at = room_for(out, count);
	uint64_t before = 0;

	for (size_t i = 0; i < count; i++) {
		at = varint_put(at, zigzag(values[i] - before));
		before = values[i];
	}
	took(out, at);
}

static void encode_plain(const uint64_t *values, size_t count, struct strbuf *out)
{
	char *at = room_for(out, count);

	for (size_t i = 0; i < count; i++)
		at = varint_put(at, values[i]);
	took(out, at);
}

static void encode_text(const uint64_t *lengths, size_t count, const struct strbuf *text,
			struct strbuf *out)
{
	const char *at = strbuf_str(text);

	for (size_t i = 0; i < count; i++) {
		strbuf_add_varint(out, lengths[i]);
		strbuf_add(out, at, (size_t)lengths[i]);
		at += lengths[i];
	}
}

static bool all_zero(const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i])
			return false;
	return true;
}

/* A reader takes columns that are not there for zeros: the last ones may be left out. */
static unsigned columns_needed(const struct exp_rows *rows)
{
	unsigned columns = exp_tables[rows->table].columns;

	while (columns > 1 && all_zero(rows->column[columns - 1], rows->count))
		columns--;
	return columns;
}

static void encode_column(const struct exp_rows *rows, unsigned c, struct strbuf *out)
{
	switch (exp_tables[rows->table].coding[c]) {
	case EXP_DELTA:
		encode_delta(rows->column[c], rows->count, out);
		break;
	case EXP_PLAIN:
		encode_plain(rows->column[c], rows->count, out);
		break;
	case EXP_TEXT:
		encode_text(rows->column[c], rows->count, &rows->text, out);
		break;
	}
}

/* The payload before compression. */
static void encode_columns(struct exp_encoder *e, const struct exp_rows *rows)
{
	const unsigned needed = columns_needed(rows);

	strbuf_clear(&e->raw);
	strbuf_clear(&e->columns);
	strbuf_add_varint(&e->raw, needed);
	for (unsigned c = 0; c < needed; c++) {
		size_t start = e->columns.len;

		encode_column(rows, c, &e->columns);
		strbuf_add_varint(&e->raw, e->columns.len - start);
	}
	strbuf_add(&e->raw, e->columns.data, e->columns.len);
}

/* What was encoded, compressed, or as it is where that is no gain; CODING is which. */
static const struct strbuf *compressed(struct exp_encoder *e, enum exp_coding *coding)
{
	const size_t bound = ZSTD_compressBound(e->raw.len);
	size_t size;

	if (!e->zstd)
		e->zstd = ZSTD_createCCtx();
	if (!e->zstd)
		diag_die_oom();
	strbuf_clear(&e->stored);
	size = ZSTD_compressCCtx(e->zstd, strbuf_add_room(&e->stored, bound), bound,
				 e->raw.data, e->raw.len, ZSTD_LEVEL);
	*coding = EXP_STORED;
	if (ZSTD_isError(size) || size >= e->raw.len)
		return &e->raw;
	*coding = EXP_ZSTD;
	strbuf_truncate(&e->stored, size);
	return &e->stored;
}

void exp_encoder_release(struct exp_encoder *e)
{
	ZSTD_freeCCtx(e->zstd);
	strbuf_release(&e->columns);
	strbuf_release(&e->raw);
	strbuf_release(&e->stored);
	*e = (struct exp_encoder){ 0 };
}

static uint32_t checksum(const void *head, const void *payload, size_t len)
{
	uLong crc = crc32(0, head, CRC_OFFSET);

	return (uint32_t)crc32_z(crc, payload, len);
}

int exp_block_encode(struct exp_encoder *e, const struct exp_rows *rows,
		     struct strbuf *out)
{
	const size_t start = out->len;
	const struct strbuf *payload;
	enum exp_coding coding;

	encode_columns(e, rows);
	if (e->raw.len > EXP_BLOCK_RAW_MAX)
		return -ENOBUFS;
	payload = compressed(e, &coding);
	strbuf_add(out, EXP_BLOCK_MAGIC, 4);
	add_u16(out, (uint16_t)rows->table);
	add_u16(out, (uint16_t)coding);
	add_u32(out, (uint32_t)rows->count);
	add_u32(out, (uint32_t)e->raw.len);
	add_u32(out, (uint32_t)payload->len);
	add_u32(out, checksum(out->data + start, payload->data, payload->len));
	strbuf_add(out, payload->data, payload->len);
	return 0;
}

int exp_block_header_decode(const void *bytes, struct exp_block_header *header)
{
	const unsigned char *head = bytes;

	if (memcmp(head, EXP_BLOCK_MAGIC, 4))
		return EXP_BLOCK_DAMAGED;
	*header = (struct exp_block_header){
		.table = head[4] | (unsigned)head[5] << 8,
		.coding = (uint16_t)(head[6] | head[7] << 8),
		.rows = get_u32(head + 8),
		.raw_size = get_u32(head + 12),
		.stored_size = get_u32(head + 16),
		.crc = get_u32(head + CRC_OFFSET),
	};
	if (header->coding > EXP_ZSTD || header->raw_size > EXP_BLOCK_RAW_MAX ||
	    header->stored_size > EXP_BLOCK_STORED_MAX || header->rows > header->raw_size)
		return EXP_BLOCK_DAMAGED;
	return 0;
}

/*
 * Hot: every sample of a report passes here, so a number of one byte is taken without
 * a call.
 */
static inline uint64_t next_varint(struct cursor *c)
{
	if (c->at < c->end && *c->at < 0x80)
		return *c->at++;
	if (cursor_left(c) >= 3 && c->at[1] < 0x80) {
		uint64_t v = (c->at[0] & 0x7fu) | (uint64_t)c->at[1] << 7;

		c->at += 2;
		return v;
	}
	if (cursor_left(c) >= 3 && c->at[2] < 0x80) {
		uint64_t v = (c->at[0] & 0x7fu) | (c->at[1] & 0x7fu) << 7 |
			     (uint64_t)c->at[2] << 14;

		c->at += 3;
		return v;
	}
	return cursor_varint(c);
}

static void decode_delta(struct cursor *c, uint64_t *out, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		out[i] = value += unzigzag(next_varint(c));
}

static void decode_plain(struct cursor *c, uint64_t *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = next_varint(c);
}

static void decode_text(struct cursor *c, uint64_t *lengths, size_t count,
			struct strbuf *text)
{
	for (size_t i = 0; i < count && cursor_ok(c); i++) {
		const void *bytes;

		lengths[i] = cursor_varint(c);
		bytes = cursor_bytes(c, (size_t)lengths[i]);
		if (bytes)
			strbuf_add(text, bytes, (size_t)lengths[i]);
	}
}

static void decode_column(struct cursor *in, struct exp_rows *rows, unsigned c)
{
	switch (exp_tables[rows->table].coding[c]) {
	case EXP_DELTA:
		decode_delta(in, rows->column[c], rows->count);
		break;
	case EXP_PLAIN:
		decode_plain(in, rows->column[c], rows->count);
		break;
	case EXP_TEXT:
		decode_text(in, rows->column[c], rows->count, &rows->text);
		break;
	}
}

/*
 * How long the columns are, and how many of ours there are.  A number has a byte at
 * least: what a block claims to have is not allocated before.
 */
static int column_lengths(struct cursor *in, enum exp_table table, size_t count,
			  size_t *lengths, unsigned *present)
{
	const unsigned ours = exp_tables[table].columns;
	uint64_t columns = cursor_varint(in);

	if (columns > cursor_left(in) || (count && !columns))
		return EXP_BLOCK_DAMAGED;
	*present = columns < ours ? (unsigned)columns : ours;
	for (uint64_t c = 0; c < columns; c++) {
		uint64_t len = cursor_varint(in);

		if (c < ours && len < count)
			return EXP_BLOCK_DAMAGED;
		if (c < ours)
			lengths[c] = (size_t)len;
	}
	return 0;
}

static int decode_columns(struct cursor *in, size_t count, struct exp_rows *rows)
{
	size_t lengths[EXP_COLUMNS_MAX] = { 0 };
	unsigned present = 0;

	if (column_lengths(in, rows->table, count, lengths, &present) < 0)
		return EXP_BLOCK_DAMAGED;
	reserve_rows(rows, count);
	rows->count = count;
	for (unsigned c = 0; c < exp_tables[rows->table].columns && count; c++) {
		struct cursor sub;

		if (c >= present) {
			memset(rows->column[c], 0, count * sizeof(*rows->column[c]));
			continue;
		}
		sub = cursor_sub(in, lengths[c]);
		decode_column(&sub, rows, c);
		if (!cursor_ok(&sub))
			return EXP_BLOCK_DAMAGED;
	}
	return cursor_ok(in) ? 0 : EXP_BLOCK_DAMAGED;
}

bool exp_block_intact(const struct exp_block_header *header, const void *head,
		      const void *payload)
{
	return header->crc == checksum(head, payload, header->stored_size);
}

int exp_block_decode(const struct exp_block_header *header, const void *head,
		     const void *payload, struct strbuf *raw, struct exp_rows *rows)
{
	struct cursor in;

	exp_rows_clear(rows);
	if (header->table < EXP_STRINGS || header->table >= EXP_TABLES ||
	    !exp_block_intact(header, head, payload))
		return EXP_BLOCK_DAMAGED;
	cursor_init(&in, payload, header->stored_size);
	if (header->coding == EXP_ZSTD) {
		size_t size;

		strbuf_clear(raw);
		strbuf_pad(raw, 0, header->raw_size);
		size = ZSTD_decompress(raw->data, raw->len, payload, header->stored_size);
		if (ZSTD_isError(size) || size != header->raw_size)
			return EXP_BLOCK_DAMAGED;
		cursor_init(&in, raw->data, size);
	}
	rows->table = header->table;
	return decode_columns(&in, header->rows, rows);
}
