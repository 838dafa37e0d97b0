/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of a tracepoint's data, as text that the kernel wrote
 * (/sys/kernel/tracing/events/SYSTEM/EVENT/format):
 *
 *	field:long prev_state;	offset:32;	size:8;	signed:1;
 *	print fmt: "…", … { 0x00000001, "S" }, { 0x00000002, "D" }, …
 *
 * Text and data are hostile.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number in the data. */
struct trace_field {
	uint32_t offset, size; /* in bytes; 0: there is none */
	bool is_signed;
};

/* The field NAME of FORMAT.  False: there is none, or it is no number. */
bool trace_format_field(const char *format, const char *name, struct trace_field *out);

/*
 * Reads a field of the data RAW of LEN bytes; SWAP: it is of the other byte order.  False:
 * it lies outside.
 */
bool trace_field_read(const struct trace_field *field, const void *raw, size_t len,
		      bool swap, int64_t *out);

/* The flags that print as one of LETTERS, ored; 0: none. */
uint64_t trace_format_flags(const char *format, const char *letters);

#endif
