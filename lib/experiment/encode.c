/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/encode.h"

#include <endian.h>
#include <errno.h>
#include <zstd.h>

#include "experiment/decode.h"
#include "base/varint.h"
#include "base/program.h"

enum { ZSTD_LEVEL = 3 };

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

void exp_header_encode(struct strbuf *out)
{
	strbuf_add(out, EXP_MAGIC, 8);
	add_u32(out, EXP_VERSION);
	add_u32(out, 0);
}

/* ---- columns ---- */

/* Room for COUNT numbers at the end of OUT; the caller cuts off the unused part. */
static char *room_for(struct strbuf *out, size_t count)
{
	return strbuf_add_room(out, count * VARINT_MAX);
}

static void took(struct strbuf *out, const char *end)
{
	strbuf_truncate(out, (size_t)(end - out->data));
}

static uint64_t zigzag(uint64_t delta)
{
	return (delta << 1) ^ (delta >> 63 ? UINT64_MAX : 0);
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

/* A reader treats missing columns as zeros: the last ones may be left out. */
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

/* ---- blocks ---- */

/* The encoded bytes, compressed if that is a gain; CODING says which. */
static const struct strbuf *compressed(struct exp_encoder *e, enum exp_coding *coding)
{
	const size_t bound = ZSTD_compressBound(e->raw.len);
	size_t size;

	if (!e->zstd)
		e->zstd = ZSTD_createCCtx();
	if (!e->zstd)
		program_die_oom();
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
	add_u32(out, exp_block_checksum(out->data + start, payload->data, payload->len));
	strbuf_add(out, payload->data, payload->len);
	return 0;
}

void exp_encoder_release(struct exp_encoder *e)
{
	ZSTD_freeCCtx(e->zstd);
	strbuf_release(&e->columns);
	strbuf_release(&e->raw);
	strbuf_release(&e->stored);
	*e = (struct exp_encoder){ 0 };
}
