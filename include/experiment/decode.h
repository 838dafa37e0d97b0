/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One block of the data file, from bytes to the rows of one table.  Knows the framing and
 * the codings of ringprof-experiment(5), but not the meaning of rows. encode.h writes
 * such bytes.
 *
 * The bytes are hostile: their claims are checked against the limits, and against the
 * number of bytes, before memory is allocated.
 */
#ifndef EXP_DECODE_H
#define EXP_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/rows.h"
#include "base/strbuf.h"

/* Why a block cannot be read; all are negative. */
enum exp_block_error {
	EXP_BLOCK_SHORT = -1,   /* the bytes end within the block */
	EXP_BLOCK_DAMAGED = -2, /* magic, sizes, checksum or coding are wrong */
	EXP_BLOCK_BEYOND = -3,  /* it needs more than the budget has left */
};

/* The content of a block's header, checked against the limits. */
struct exp_block_header {
	unsigned table; /* may be one that we do not know */
	uint16_t coding;
	uint32_t rows, raw_size, stored_size, crc;
};

/*
 * Limits the total decoded size in proportion to the encoded bytes: a few bytes may claim
 * to be gigabytes.  A recording decodes to some 50 times its size; small ones may have
 * more, as EXP_BUDGET_LEAST is always allowed.
 */
enum { EXP_BUDGET_LEAST = 64 << 20, EXP_BUDGET_RATIO = 200 };

struct exp_budget {
	uint64_t left;
};

/* For a file of BYTES.  UNBOUNDED: without a limit. */
void exp_budget_init(struct exp_budget *budget, uint64_t bytes, bool unbounded);

/* Takes SIZE away; false: less is left. */
bool exp_budget_take(struct exp_budget *budget, uint64_t size);

/* The bytes that a decoded block needs. */
uint64_t exp_block_size(const struct exp_block_header *header);

/* HEADER from EXP_DECODE_HEADER_SIZE bytes.  0 or EXP_BLOCK_DAMAGED. */
int exp_block_header_decode(const void *bytes, struct exp_block_header *header)
	__attribute__((warn_unused_result));

/* The checksum of the header's bytes before it, and the LEN bytes of the payload. */
uint32_t exp_block_checksum(const void *head, const void *payload, size_t len);

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
