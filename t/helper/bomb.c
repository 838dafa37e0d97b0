/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bomb DIR TABLE ROWS COLUMNS BLOCKS: adds blocks to the data of the experiment DIR that
 * are as small as they can be for what they claim: ROWS rows of the table with that
 * number, all zero, in COLUMNS columns.  Their checksums are right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "experiment/decode.h"
#include "experiment/format.h"
#include "base/strbuf.h"
#include "base/varint.h"
#include "base/xalloc.h"

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "bomb: %s\n", what);
	exit(1);
}

static void put_le(unsigned char *at, unsigned long value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static void put_varint(struct strbuf *out, uint64_t value)
{
	char bytes[VARINT_MAX];

	strbuf_add(out, bytes, (size_t)(varint_put(bytes, value) - bytes));
}

static void encode(unsigned long rows, unsigned long columns, struct strbuf *raw)
{
	put_varint(raw, columns);
	for (unsigned long c = 0; c < columns; c++)
		put_varint(raw, rows);
	strbuf_pad(raw, 0, rows * columns);
}

static void compress(const struct strbuf *raw, struct strbuf *stored)
{
	size_t bound = ZSTD_compressBound(raw->len);
	size_t size = ZSTD_compress(strbuf_add_room(stored, bound), bound, raw->data,
				    raw->len, 19);

	if (ZSTD_isError(size))
		fail("zstd");
	strbuf_truncate(stored, size);
}

static void write_block(FILE *file, unsigned long table, unsigned long rows,
			const struct strbuf *raw, const struct strbuf *stored)
{
	unsigned char head[EXP_BLOCK_HEADER_SIZE];

	memcpy(head, EXP_BLOCK_MAGIC, 4);
	put_le(head + 4, table, 2);
	put_le(head + 6, EXP_ZSTD, 2);
	put_le(head + 8, rows, 4);
	put_le(head + 12, raw->len, 4);
	put_le(head + 16, stored->len, 4);
	put_le(head + 20, exp_block_checksum(head, stored->data, stored->len), 4);
	fwrite(head, 1, sizeof(head), file);
	fwrite(stored->data, 1, stored->len, file);
}

int main(int argc, char **argv)
{
	struct strbuf raw = { 0 }, stored = { 0 };
	unsigned long rows;
	char *path;
	FILE *file;

	if (argc != 6)
		fail("usage: bomb DIR TABLE ROWS COLUMNS BLOCKS");
	path = xasprintf("%s/%s", argv[1], EXP_DATA_FILE);
	file = fopen(path, "ae");
	if (!file)
		fail(path);
	rows = strtoul(argv[3], NULL, 0);
	encode(rows, strtoul(argv[4], NULL, 0), &raw);
	compress(&raw, &stored);
	for (unsigned long i = strtoul(argv[5], NULL, 0); i; i--)
		write_block(file, strtoul(argv[2], NULL, 0), rows, &raw, &stored);
	if (fclose(file))
		fail(path);
	free(path);
	strbuf_release(&raw);
	strbuf_release(&stored);
	return 0;
}
