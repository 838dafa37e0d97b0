/* SPDX-License-Identifier: Apache-2.0 */
#include "alter_experiment.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/cursor.h"
#include "experiment/decode.h"
#include "experiment/format.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { NEW_ROWS_MAX = 1000 };

/* ---- reading ---- */

static struct strbuf *column_add(struct altered_block *b)
{
	return b->columns < LENGTH(b->column) ? &b->column[b->columns++] : NULL;
}

static void split_columns(struct altered_block *b, const struct strbuf *raw)
{
	size_t lengths[LENGTH(b->column)], count;
	struct cursor c;

	cursor_init(&c, raw->data, raw->len);
	count = (size_t)cursor_varint(&c);
	if (count > LENGTH(lengths))
		campaign_fail("a seed's block has %zu columns", count);
	for (size_t i = 0; i < count; i++)
		lengths[i] = (size_t)cursor_varint(&c);
	for (size_t i = 0; i < count; i++)
		strbuf_add(column_add(b), cursor_bytes(&c, lengths[i]), lengths[i]);
	if (!cursor_ok(&c))
		campaign_fail("a seed's columns are damaged");
}

static void read_block(struct altered_file *file, const struct exp_block_header *header,
		       const void *payload)
{
	struct altered_block *b = vec_push(&file->blocks);
	struct strbuf raw = { 0 };

	*b = (struct altered_block){ .table = header->table,
				     .coding = header->coding,
				     .rows = header->rows };
	if (header->coding == EXP_STORED)
		strbuf_add(&raw, payload, header->stored_size);
	else if (ZSTD_decompress(strbuf_add_room(&raw, header->raw_size),
				 header->raw_size, payload,
				 header->stored_size) != header->raw_size)
		campaign_fail("a seed's block cannot be decompressed");
	split_columns(b, &raw);
	strbuf_release(&raw);
}

void altered_file_read(struct altered_file *file, const struct strbuf *bytes)
{
	struct exp_block_header header;
	struct cursor c;

	*file = (struct altered_file){ 0 };
	cursor_init(&c, bytes->data, bytes->len);
	strbuf_add(&file->head, cursor_bytes(&c, EXP_HEADER_SIZE), EXP_HEADER_SIZE);
	while (cursor_left(&c)) {
		const void *head = cursor_bytes(&c, EXP_BLOCK_HEADER_SIZE), *payload;

		if (!head || exp_block_header_decode(head, &header))
			campaign_fail("a seed's block is damaged");
		payload = cursor_bytes(&c, header.stored_size);
		if (!payload)
			campaign_fail("a seed is cut");
		read_block(file, &header, payload);
	}
}

/* ---- writing ---- */

static void put_le(unsigned char *at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static void join_columns(const struct altered_block *b, struct strbuf *raw)
{
	strbuf_clear(raw);
	if (!b->raw) {
		strbuf_add_varint(raw, b->columns);
		for (size_t i = 0; i < b->columns; i++)
			strbuf_add_varint(raw, b->column[i].len);
	}
	for (size_t i = 0; i < b->columns; i++)
		strbuf_add(raw, strbuf_str(&b->column[i]), b->column[i].len);
}

static void compress(const struct strbuf *raw, struct strbuf *stored)
{
	size_t bound = ZSTD_compressBound(raw->len);
	size_t size = ZSTD_compress(strbuf_add_room(stored, bound), bound,
				    strbuf_str(raw), raw->len, 1);

	strbuf_truncate(stored, ZSTD_isError(size) ? 0 : size);
}

static void write_block(const struct altered_block *b, struct strbuf *raw,
			struct strbuf *out)
{
	unsigned char head[EXP_BLOCK_HEADER_SIZE] = EXP_BLOCK_MAGIC;
	struct strbuf stored = { 0 };

	join_columns(b, raw);
	if (b->coding == EXP_ZSTD)
		compress(raw, &stored);
	else
		strbuf_add(&stored, strbuf_str(raw), raw->len);
	put_le(head + 4, b->table, 2);
	put_le(head + 6, b->coding, 2);
	put_le(head + 8, b->rows, 4);
	put_le(head + 12, raw->len + b->spoiled, 4);
	put_le(head + 16, stored.len, 4);
	put_le(head + 20, exp_block_checksum(head, strbuf_str(&stored), stored.len), 4);
	strbuf_add(out, head, sizeof(head));
	strbuf_add(out, strbuf_str(&stored), stored.len);
	strbuf_release(&stored);
}

void altered_file_write(const struct altered_file *file, struct strbuf *out)
{
	struct strbuf raw = { 0 };

	strbuf_clear(out);
	strbuf_add(out, strbuf_str(&file->head), file->head.len);
	vec_for_each(const struct altered_block, b, &file->blocks)
		write_block(b, &raw, out);
	strbuf_release(&raw);
}

static void block_release(struct altered_block *b)
{
	for (size_t i = 0; i < b->columns; i++)
		strbuf_release(&b->column[i]);
}

void altered_file_release(struct altered_file *file)
{
	vec_for_each(struct altered_block, b, &file->blocks)
		block_release(b);
	vec_release(&file->blocks);
	strbuf_release(&file->head);
}

/* ---- columns ---- */

static enum exp_column_coding coding_of(const struct altered_block *b, size_t column)
{
	if (b->table >= EXP_TABLES || column >= exp_tables[b->table].columns)
		return EXP_PLAIN;
	return exp_tables[b->table].coding[column];
}

static uint64_t unzigzag(uint64_t v)
{
	return (v >> 1) ^ (v & 1 ? UINT64_MAX : 0);
}

static uint64_t zigzag(uint64_t v)
{
	return (v << 1) ^ (v >> 63 ? UINT64_MAX : 0);
}

struct numbers {
	VEC(uint64_t) values;
};

static void read_numbers(struct strbuf *column, bool delta, struct numbers *out)
{
	uint64_t before = 0;
	struct cursor c;

	cursor_init(&c, strbuf_str(column), column->len);
	while (cursor_left(&c)) {
		uint64_t v = cursor_varint(&c);

		before = delta ? before + unzigzag(v) : v;
		*vec_push(&out->values) = before;
	}
}

static void write_numbers(const struct numbers *n, bool delta, struct strbuf *column)
{
	uint64_t before = 0;

	strbuf_clear(column);
	vec_for_each(const uint64_t, v, &n->values) {
		strbuf_add_varint(column, delta ? zigzag(*v - before) : *v);
		before = *v;
	}
}

/* Some of its values; or all from one on, where others would be out of order. */
static void alter_numbers(struct strbuf *column, bool delta, struct draw *d)
{
	struct numbers n = { 0 };

	read_numbers(column, delta, &n);
	if (n.values.len) {
		size_t at = (size_t)draw_below(d, n.values.len);
		uint64_t new = draw_number(d, n.values.data[at]);
		uint64_t by = new - n.values.data[at];

		n.values.data[at] = new;
		while (draw_one_in(d, 4) ? false : delta && ++at < n.values.len)
			n.values.data[at] += by;
	}
	write_numbers(&n, delta, column);
	vec_release(&n.values);
}

/* One of the texts becomes another. */
static void alter_texts(struct strbuf *column, uint32_t rows, struct draw *d)
{
	uint64_t which = draw_below(d, rows), row = 0;
	struct strbuf out = { 0 };
	struct cursor c;

	cursor_init(&c, strbuf_str(column), column->len);
	for (; cursor_left(&c); row++) {
		size_t len = (size_t)cursor_varint(&c);
		const void *text = cursor_bytes(&c, len);
		struct strbuf new = { 0 };

		if (!text)
			break;
		if (row == which)
			draw_text(d, &new);
		else
			strbuf_add(&new, text, len);
		strbuf_add_varint(&out, new.len);
		strbuf_add(&out, strbuf_str(&new), new.len);
		strbuf_release(&new);
	}
	strbuf_release(column);
	*column = out;
}

static void alter_bytes(struct strbuf *column, struct draw *d)
{
	if (!column->len)
		return;
	if (draw_one_in(d, 3))
		strbuf_truncate(column, (size_t)draw_below(d, column->len));
	else
		column->data[draw_below(d, column->len)] = (char)draw_bits(d);
}

/* ---- blocks ---- */

static void alter_value(struct altered_block *b, struct draw *d)
{
	size_t column = (size_t)draw_below(d, b->columns);
	enum exp_column_coding coding = coding_of(b, column);

	if (!b->columns || b->raw)
		return;
	if (coding == EXP_TEXT)
		alter_texts(&b->column[column], b->rows, d);
	else
		alter_numbers(&b->column[column], coding == EXP_DELTA, d);
}

static void alter_column(struct altered_block *b, struct draw *d)
{
	if (b->columns)
		alter_bytes(&b->column[draw_below(d, b->columns)], d);
}

static void drop_column(struct altered_block *b, struct draw *d)
{
	(void)d;
	if (b->columns)
		strbuf_release(&b->column[--b->columns]);
}

static void add_column(struct altered_block *b, struct draw *d)
{
	struct strbuf *column = column_add(b);

	for (uint32_t i = 0; column && i < b->rows && i < NEW_ROWS_MAX; i++)
		strbuf_add_varint(column, draw_number(d, i));
}

static void swap_columns(struct altered_block *b, struct draw *d)
{
	size_t i = (size_t)draw_below(d, b->columns),
	       j = (size_t)draw_below(d, b->columns);
	struct strbuf other = b->column[i];

	b->column[i] = b->column[j];
	b->column[j] = other;
}

static void alter_rows(struct altered_block *b, struct draw *d)
{
	b->rows = (uint32_t)draw_number(d, b->rows);
}

static void alter_table(struct altered_block *b, struct draw *d)
{
	b->table = (unsigned)draw_below(d, EXP_TABLES + 1);
}

static void alter_coding(struct altered_block *b, struct draw *d)
{
	b->coding = draw_one_in(d, 10) ? (unsigned)draw_number(d, 1) & 0xffff
				       : !b->coding;
}

static void alter_size(struct altered_block *b, struct draw *d)
{
	b->spoiled = (unsigned long)draw_number(d, 0);
}

/* Its payload becomes bytes that are no columns. */
static void alter_payload(struct altered_block *b, struct draw *d)
{
	struct strbuf raw = { 0 };

	join_columns(b, &raw);
	block_release(b);
	b->columns = 1;
	b->column[0] = raw;
	b->raw = true;
	alter_bytes(&b->column[0], d);
}

/* ---- files ---- */

static struct altered_block copy_of(const struct altered_block *b)
{
	struct altered_block copy = *b;

	for (size_t i = 0; i < b->columns; i++) {
		copy.column[i] = (struct strbuf){ 0 };
		strbuf_add(&copy.column[i], strbuf_str(&b->column[i]), b->column[i].len);
	}
	return copy;
}

static void swap_blocks(struct altered_file *file, struct draw *d)
{
	size_t i = (size_t)draw_below(d, file->blocks.len),
	       j = (size_t)draw_below(d, file->blocks.len);
	struct altered_block other = file->blocks.data[i];

	file->blocks.data[i] = file->blocks.data[j];
	file->blocks.data[j] = other;
}

static void repeat_block(struct altered_file *file, struct draw *d)
{
	struct altered_block copy = copy_of(
		&file->blocks.data[draw_below(d, file->blocks.len)]);

	*vec_push(&file->blocks) = copy;
}

static void drop_block(struct altered_file *file, struct draw *d)
{
	swap_blocks(file, d);
	block_release(&file->blocks.data[--file->blocks.len]);
}

static void alter_head(struct altered_file *file, struct draw *d)
{
	if (draw_one_in(d, 8))
		alter_bytes(&file->head, d);
}

typedef void alter_block_fn(struct altered_block *b, struct draw *d);
typedef void alter_file_fn(struct altered_file *file, struct draw *d);

/* Likelier ones are listed more often. */
static alter_block_fn *const of_blocks[] = {
	alter_value,  alter_value, alter_value,  alter_value, alter_value,   alter_value,
	alter_value,  alter_value, alter_column, drop_column, add_column,    alter_rows,
	swap_columns, alter_table, alter_coding, alter_size,  alter_payload,
};
static alter_file_fn *const of_files[] = { swap_blocks, repeat_block, drop_block,
					   alter_head };

void altered_file_alter(struct altered_file *file, struct draw *d)
{
	if (!file->blocks.len)
		return;
	if (draw_one_in(d, 8))
		of_files[draw_below(d, LENGTH(of_files))](file, d);
	else
		of_blocks[draw_below(d, LENGTH(of_blocks))](
			&file->blocks.data[draw_below(d, file->blocks.len)], d);
}

void altered_file_set(struct altered_file *file, unsigned table, size_t column,
		      uint64_t value)
{
	vec_for_each(struct altered_block, b, &file->blocks) {
		bool delta = b->table == table && coding_of(b, column) == EXP_DELTA;
		struct numbers n = { 0 };

		if (b->table != table || b->columns <= column || b->raw)
			continue;
		read_numbers(&b->column[column], delta, &n);
		if (n.values.len)
			n.values.data[0] = value;
		write_numbers(&n, delta, &b->column[column]);
		vec_release(&n.values);
	}
}

/* ---- the log ---- */

/* Puts NEW where [FROM, TO) is. */
static void replace(struct strbuf *text, size_t from, size_t to, const struct strbuf *new)
{
	struct strbuf out = { 0 };

	strbuf_add(&out, text->data, from);
	strbuf_add(&out, strbuf_str(new), new->len);
	strbuf_add(&out, text->data + to, text->len - to);
	strbuf_release(text);
	*text = out;
}

static void add_escaped(struct strbuf *out, const struct strbuf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		unsigned char c = (unsigned char)text->data[i];

		if (c < 0x20 || c == '"' || c == '\\')
			strbuf_addf(out, "\\u%04x", c);
		else
			strbuf_addch(out, (char)c);
	}
}

/* The value at [FROM, TO), which is a number, a text or a word. */
static void draw_json_value(struct strbuf *out, bool is_text, struct draw *d)
{
	static const char *const others[] = { "null", "[]",      "{}",   "true",
					      "-1",   "1e308",   "1e-9", "-1e400",
					      "0.5",  "[[[[]]]]" };
	struct strbuf text = { 0 };

	if (draw_one_in(d, 4)) {
		strbuf_addstr(out, others[draw_below(d, LENGTH(others))]);
	} else if (is_text) {
		draw_text(d, &text);
		strbuf_addch(out, '"');
		add_escaped(out, &text);
		strbuf_addch(out, '"');
	} else {
		strbuf_addf(out, "%llu", (unsigned long long)draw_number(d, 1));
	}
	strbuf_release(&text);
}

static size_t end_of_value(const struct strbuf *text, size_t at)
{
	if (text->data[at] != '"') {
		while (at < text->len && !strchr(",]}\n", text->data[at]))
			at++;
		return at;
	}
	for (at++; at < text->len && text->data[at] != '"'; at++)
		at += text->data[at] == '\\';
	return at < text->len ? at + 1 : text->len;
}

void alter_json(struct strbuf *text, struct draw *d)
{
	struct strbuf new = { 0 };
	size_t at = (size_t)draw_below(d, text->len), end;

	if (!text->len || draw_one_in(d, 20)) {
		alter_bytes(text, d);
		return;
	}
	/* The next member's value. */
	while (at < text->len && text->data[at] != ':')
		at++;
	while (at < text->len && strchr(": [{\n\t", text->data[at]))
		at++;
	if (at < text->len) {
		end = end_of_value(text, at);
		if (!draw_one_in(d, 20))
			draw_json_value(&new, text->data[at] == '"', d);
		replace(text, at, end, &new);
	}
	strbuf_release(&new);
}
