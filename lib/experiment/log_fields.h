/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scalar fields of log.json, as rows: their places in the JSON and in the struct.
 * Writing, reading and releasing a log use the same tables, so they cannot disagree: a
 * new field is a row in log.c, and a member in log.h.
 */
#ifndef EXP_LOG_FIELDS_H
#define EXP_LOG_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* The member's type: char *, int, unsigned, uint64_t, int64_t, double. */
enum exp_log_type { TEXT, INT, UINT, U64, I64, REAL };

struct exp_log_field {
	const char *group; /* the object that holds it; NULL: the document itself */
	const char *key;
	enum exp_log_type type;
	size_t offset; /* in the table's struct */
	bool at_end;   /* known only at the end of the recording */
};

struct exp_log_fields {
	const struct exp_log_field *rows;
	size_t count;
};

/* Of struct exp_log, exp_event and exp_note. */
extern const struct exp_log_fields exp_log_fields, exp_event_fields, exp_note_fields;

#endif
