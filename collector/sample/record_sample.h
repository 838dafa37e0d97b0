/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a sample, the only record whose layout depends on its event; used only by
 * record_decode.c.
 */
#ifndef RECORD_SAMPLE_H
#define RECORD_SAMPLE_H

#include <stdint.h>

#include "base/cursor.h"
#include "sample/record.h"

/*
 * Decodes the bytes behind the header.  C fails if they contradict themselves or the
 * format.
 */
void record_decode_sample(struct cursor *c, const struct record_format *format,
			  struct record *out);

/* Decodes the fields of TYPE that are in struct sample_id, in its order. */
void record_decode_id(struct cursor *c, uint64_t type, struct record_id *at);

#endif
