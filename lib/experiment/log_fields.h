/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scalar fields of log.json, as rows: where they stand in the JSON and where in the
 * struct.  What writes, reads and releases a log walks the same tables, so that they
 * cannot disagree: a field more is a row more in exp_log.c, and its place in exp_log.h.
 */
#ifndef EXP_LOG_FIELDS_H
#define EXP_LOG_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* What the member is: char *, int, unsigned, uint64_t, int64_t, double. */
enum exp_log_type { TEXT, INT, UINT, U64, I64, REAL };

struct exp_log_field {
	const char *group; /* the object that holds it; NULL: the document itself */
	const char *key;
	enum exp_log_type type;
	size_t offset; /* in the struct that the table is of */
	bool at_end;   /* only known when the recording ended */
};

struct exp_log_fields {
	const struct exp_log_field *rows;
	size_t count;
};

/* Of struct exp_log, exp_event and exp_note. */
extern const struct exp_log_fields exp_log_fields, exp_event_fields, exp_note_fields;

#endif
