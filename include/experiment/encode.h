/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes the data file's header, and rows as the bytes of a block.  decode.h reads them.
 */
#ifndef EXP_ENCODE_H
#define EXP_ENCODE_H

#include "experiment/rows.h"
#include "base/strbuf.h"

/* Appends the header of the file. */
void exp_header_encode(struct strbuf *out);

/* Working memory of encoding, kept from one block to the next.  All zero: none yet. */
struct exp_encoder {
	struct ZSTD_CCtx_s *zstd;
	struct strbuf columns, raw, stored;
};

void exp_encoder_release(struct exp_encoder *encoder);

/* Appends the rows as one block.  0, or -ENOBUFS if they exceed a block's limits. */
int exp_block_encode(struct exp_encoder *encoder, const struct exp_rows *rows,
		     struct strbuf *out) __attribute__((warn_unused_result));

#endif
