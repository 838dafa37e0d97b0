/* SPDX-License-Identifier: Apache-2.0 */
#include "exp_block.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "cursor.h"
#include "varint.h"

enum { ZSTD_LEVEL = 3, CRC_OFFSET = 20 };

void exp_rows_release(struct exp_rows *rows)
{
	for (size_t c = 0; c < EXP_COLUMNS_MAX; c++)
		vec_release(&rows->column[c]);
	strbuf_release(&rows->text);
}

void exp_rows_clear(struct exp_rows *rows)
{
	rows->count = 0;
	for (size_t c = 0; c < EXP_COLUMNS_MAX; c++)
		vec_clear(&rows->column[c]);
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

static void encode_delta(const u64_vec *values, struct strbuf *out)
{
	char *at = room_for(out, values->len);
	uint64_t before = 0;

	vec_for_each(uint64_t, v, values) {
		at = varint_put(at, zigzag(*v - before));
		before = *v;
	}
	took(out, at);
}

static void encode_plain(const u64_vec *values, struct strbuf *out)
{
	char *at = room_for(out, values->len);

	vec_for_each(uint64_t, v, values)
		at = varint_put(at, *v);
	took(out, at);
}

static void encode_text(const u64_vec *lengths, const struct strbuf *text,
			struct strbuf *out)
{
	const char *at = strbuf_str(text);

	vec_for_each(uint64_t, len, lengths) {
		strbuf_add_varint(out, *len);
		strbuf_add(out, at, (size_t)*len);
		at += *len;
	}
}

static bool all_zero(const u64_vec *values)
{
	vec_for_each(const uint64_t, v, values)
		if (*v)
			return false;
	return true;
}

/* A reader takes columns that are not there for zeros: the last ones may be left out. */
static unsigned columns_needed(const struct exp_rows *rows)
{
	unsigned columns = exp_tables[rows->table].columns;

	while (columns > 1 && all_zero(&rows->column[columns - 1]))
		columns--;
	return columns;
}

static void encode_column(const struct exp_rows *rows, unsigned c, struct strbuf *out)
{
	switch (exp_tables[rows->table].coding[c]) {
	case EXP_DELTA:
		encode_delta(&rows->column[c], out);
		break;
	case EXP_PLAIN:
		encode_plain(&rows->column[c], out);
		break;
	case EXP_TEXT:
		encode_text(&rows->column[c], &rows->text, out);
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

static int decode_columns(struct cursor *in, struct exp_rows *rows)
{
	const struct exp_table_desc *desc = &exp_tables[rows->table];
	size_t lengths[EXP_COLUMNS_MAX] = { 0 };
	uint64_t columns = cursor_varint(in);

	if (columns > cursor_left(in) || (rows->count && !columns))
		return EXP_BLOCK_DAMAGED;
	for (uint64_t c = 0; c < columns; c++) {
		uint64_t len = cursor_varint(in);

		if (c < EXP_COLUMNS_MAX)
			lengths[c] = (size_t)len;
	}
	for (unsigned c = 0; c < desc->columns && rows->count; c++) {
		u64_vec *column = &rows->column[c];
		struct cursor sub;

		/* a number has a byte at least: what is claimed is not yet allocated */
		if (c < columns && lengths[c] < rows->count)
			return EXP_BLOCK_DAMAGED;
		vec_clear(column);
		vec_reserve(column, rows->count);
		column->len = rows->count;
		if (c >= columns) {
			memset(column->data, 0, rows->count * sizeof(*column->data));
			continue;
		}
		sub = cursor_sub(in, lengths[c]);
		if (desc->coding[c] == EXP_DELTA)
			decode_delta(&sub, column->data, rows->count);
		else if (desc->coding[c] == EXP_PLAIN)
			decode_plain(&sub, column->data, rows->count);
		else
			decode_text(&sub, column->data, rows->count, &rows->text);
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
	rows->count = header->rows;
	return decode_columns(&in, rows);
}
