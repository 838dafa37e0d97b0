/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a sample, the one record whose layout its event decides: a part of
 * record_decode.c, for it alone.
 */
#ifndef RECORD_SAMPLE_H
#define RECORD_SAMPLE_H

#include <stdint.h>

#include "base/cursor.h"
#include "sample/record.h"

/* What stands behind the header.  C fails where it contradicts itself or the format. */
void record_decode_sample(struct cursor *c, const struct record_format *format,
			  struct record *out);

/* The fields of TYPE among those of struct sample_id, in the order that it has them. */
void record_decode_id(struct cursor *c, uint64_t type, struct record_id *at);

#endif
