/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding records (records.h) and comparing what they all have. */
#ifndef RECORD_CHECK_H
#define RECORD_CHECK_H

#include <stdlib.h>

#include "records.h"
#include "tap.h"

/* The fields of every record that collect requests. */
#define RECORD_BASE                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |  \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* Decodes a copy of LEN bytes, so a sanitizer notices reads beyond it. */
static inline int record_decode_copy(const struct record_format *format,
				     const struct strbuf *bytes, size_t len,
				     struct record *out)
{
	void *copy = malloc(len ? len : 1);
	int error;

	if (!copy)
		exit(99);
	memset(out, 0xa5, sizeof(*out));
	if (len)
		memcpy(copy, bytes->data, len);
	error = record_decode(format, copy, len, out);
	free(copy);
	return error;
}

static inline void record_check_id(const struct record_id *got,
				   const struct record_id *want, uint64_t type,
				   const char *what)
{
	bool tid = type & PERF_SAMPLE_TID;
	bool id = type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);

	is_u64(got->pid, tid ? want->pid : 0, "%s: pid", what);
	is_u64(got->tid, tid ? want->tid : 0, "%s: tid", what);
	is_u64(got->time, type & PERF_SAMPLE_TIME ? want->time : 0, "%s: time", what);
	is_u64(got->cpu, type & PERF_SAMPLE_CPU ? want->cpu : 0, "%s: cpu", what);
	is_u64(got->id, id ? want->id : 0, "%s: id", what);
}

#endif
