/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One block of the data file: rows of one table, to and from bytes.  Knows the framing
 * and the codings of ringprof-experiment(5), and nothing of what rows mean.
 */
#ifndef EXP_BLOCK_H
#define EXP_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exp_format.h"
#include "strbuf.h"

/*
 * Rows on their way to or from the disk: a column of numbers each.  A text
 * column has the lengths in its column, and the bytes one after another in text.
 */
struct exp_rows {
	enum exp_table table;
	size_t count, room;
	unsigned columns; /* that there is memory for */
	uint64_t *memory, *column[EXP_COLUMNS_MAX];
	struct strbuf text;
};

/* A row more: as many VALUES as the table has columns. */
void exp_rows_add(struct exp_rows *rows, const uint64_t *values);

void exp_rows_release(struct exp_rows *rows);
void exp_rows_clear(struct exp_rows *rows);

/* Why a block cannot be read; all are negative. */
enum exp_block_error {
	EXP_BLOCK_SHORT = -1,   /* the bytes end within the block */
	EXP_BLOCK_DAMAGED = -2, /* magic, sizes, checksum or coding are wrong */
};

/* What stands in a block's header, checked against the limits. */
struct exp_block_header {
	unsigned table; /* may be one that we do not know */
	uint16_t coding;
	uint32_t rows, raw_size, stored_size, crc;
};

/* Appends the header of the file. */
void exp_header_encode(struct strbuf *out);

/* What encoding takes besides, kept from one block to the next.  All zero: nothing yet.
 */
struct exp_encoder {
	struct ZSTD_CCtx_s *zstd;
	struct strbuf columns, raw, stored;
};

void exp_encoder_release(struct exp_encoder *encoder);

/* Appends the rows as one block.  0, or -ENOBUFS where they exceed a block's limits. */
int exp_block_encode(struct exp_encoder *encoder, const struct exp_rows *rows,
		     struct strbuf *out) __attribute__((warn_unused_result));

/* HEADER from EXP_BLOCK_HEADER_SIZE bytes.  0 or EXP_BLOCK_DAMAGED. */
int exp_block_header_decode(const void *bytes, struct exp_block_header *header)
	__attribute__((warn_unused_result));

/* Whether the checksum is that of HEAD and PAYLOAD; of unknown tables too. */
bool exp_block_intact(const struct exp_block_header *header, const void *head,
		      const void *payload);

/*
 * The payload of a known table into ROWS, which is overwritten.  RAW is scratch memory
 * for the decompressed bytes, kept between calls.  HEAD are the header's own bytes, for
 * the checksum.  0 or EXP_BLOCK_DAMAGED; ROWS is then undefined, but can be released.
 */
int exp_block_decode(const struct exp_block_header *header, const void *head,
		     const void *payload, struct strbuf *raw, struct exp_rows *rows)
	__attribute__((warn_unused_result));

#endif
