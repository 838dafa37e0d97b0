/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/decode.h"

#include <endian.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/cursor.h"

enum { CRC_OFFSET = 20 };

/* ---- the header ---- */

static uint32_t get_u32(const unsigned char *bytes)
{
	uint32_t v;

	memcpy(&v, bytes, sizeof(v));
	return le32toh(v);
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

void exp_budget_init(struct exp_budget *budget, uint64_t bytes, bool unbounded)
{
	*budget = (struct exp_budget){ UINT64_MAX };
	if (!unbounded && bytes < UINT64_MAX / (2 * EXP_BUDGET_RATIO))
		budget->left = EXP_BUDGET_LEAST + bytes * EXP_BUDGET_RATIO;
}

bool exp_budget_take(struct exp_budget *budget, uint64_t size)
{
	if (size > budget->left)
		return false;
	budget->left -= size;
	return true;
}

uint64_t exp_block_size(const struct exp_block_header *header)
{
	uint64_t columns = header->table < EXP_TABLES ? exp_tables[header->table].columns
						      : 0;

	return header->raw_size + header->rows * columns * sizeof(uint64_t);
}

uint32_t exp_block_checksum(const void *head, const void *payload, size_t len)
{
	uLong crc = crc32(0, head, CRC_OFFSET);

	return (uint32_t)crc32_z(crc, payload, len);
}

bool exp_block_intact(const struct exp_block_header *header, const void *head,
		      const void *payload)
{
	return header->crc == exp_block_checksum(head, payload, header->stored_size);
}

/* ---- columns ---- */

static uint64_t unzigzag(uint64_t v)
{
	return (v >> 1) ^ (v & 1 ? UINT64_MAX : 0);
}

/* A cursor whose address no other function gets can stay in registers. */
static uint64_t long_varint(struct cursor *c)
{
	struct cursor copy = *c;
	uint64_t v = cursor_varint(&copy);

	*c = copy;
	return v;
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
	return long_varint(c);
}

static void decode_delta(struct cursor *c, uint64_t *out, size_t count)
{
	struct cursor in = *c;
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		out[i] = value += unzigzag(next_varint(&in));
	*c = in;
}

static void decode_plain(struct cursor *c, uint64_t *out, size_t count)
{
	struct cursor in = *c;

	for (size_t i = 0; i < count; i++)
		out[i] = next_varint(&in);
	*c = in;
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
 * Reads the lengths and the number of our columns.  A number takes at least a byte, so no
 * memory is allocated for a false claim.
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
	exp_rows_reserve(rows, count);
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

/* ---- the block ---- */

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
