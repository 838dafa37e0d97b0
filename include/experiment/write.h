/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes an experiment's data file: rows go in, blocks come out.
 *
 * Rows of each table are kept until a flush, which appends the tables in the order of
 * their numbers, so a row follows those it refers to.  The caller interns: each
 * exp_write_row adds a row, and ids count up from the table's first.
 *
 * The first failed write sticks: later calls do nothing and return the same code, so a
 * caller may check only exp_writer_status.  Data flushed before stays readable.
 */
#ifndef EXP_WRITE_H
#define EXP_WRITE_H

#include <stdint.h>

#include "experiment/format.h"

struct exp_writer;

/*
 * Starts the data file, which must not exist, in the existing directory DIR, a descriptor
 * or a path.  0 or a negative errno.  The caller owns *OUT and passes it to
 * exp_writer_close.
 */
int exp_writer_open_at(int dir, struct exp_writer **out)
	__attribute__((warn_unused_result));
int exp_writer_open(const char *dir, struct exp_writer **out)
	__attribute__((warn_unused_result));

/* Adds a row: as many values as the table has columns (EXP_STRINGS is not for this). */
void exp_write_row(struct exp_writer *w, enum exp_table table, const uint64_t *values);

/* The number of rows added to TABLE, which is the next row's. */
uint64_t exp_writer_rows(const struct exp_writer *w, enum exp_table table);

/* Adds a row of EXP_STRINGS.  TEXT is cut at 64 KiB. */
void exp_write_string(struct exp_writer *w, const char *text);

/* Appends all rows that wait.  0 or the negative errno that stuck. */
int exp_writer_flush(struct exp_writer *w) __attribute__((warn_unused_result));

int exp_writer_status(const struct exp_writer *w) __attribute__((warn_unused_result));

/* The time of the first sample that could not be written; UINT64_MAX: all could. */
uint64_t exp_writer_missing_ns(const struct exp_writer *w);

/* Bytes written to the file. */
uint64_t exp_writer_bytes(const struct exp_writer *w);

/* Flushes, closes and frees; NULL is nothing.  0 or the negative errno that stuck. */
int exp_writer_close(struct exp_writer *w) __attribute__((warn_unused_result));

#endif
