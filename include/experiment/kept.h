/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of blocks beside an experiment's data: results that take long to compute again.
 * They stay valid because complete data never changes (ringprof-experiment(5)).
 *
 * A file begins with its key, a string and a row of EXP_LINE_KEY that identify the data.
 * A file of other data, or with any deviation, is ignored.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/encode.h"
#include "experiment/experiment.h"
#include "experiment/rows.h"
#include "base/strbuf.h"

/* ---- reading ---- */

/* Takes the rows of a block, at least one; false: they are invalid. */
typedef bool kept_taker(void *ctx, const struct exp_rows *rows);

/*
 * Reads the experiment's file NAME and passes each block to the taker of its table; a
 * table without one is an error.  The key is checked before any later table is taken.  0,
 * or a negative code: there is no file, it is for other data, or it is damaged, which may
 * show only after some blocks were taken.
 */
int kept_read(const struct experiment *exp, const char *name,
	      kept_taker *const takers[EXP_TABLES], void *ctx)
	__attribute__((warn_unused_result));

/* ---- writing ---- */

/* All zero to start.  STATUS is the first error. */
struct kept_writer {
	struct strbuf out;
	struct exp_encoder encoder;
	struct exp_rows rows;
	int status;
};

/* From now on rows belong to TABLE. */
void kept_begin(struct kept_writer *w, enum exp_table table);

void kept_row(struct kept_writer *w, const uint64_t *values);

/* A row of EXP_STRINGS. */
void kept_string(struct kept_writer *w, const char *text);

/* Writes the key and its string, which is the first; call it before all else. */
void kept_key(struct kept_writer *w, const struct experiment *exp);

/*
 * Replaces the file NAME of the experiment and releases W.  0, or a negative errno and
 * the file unchanged; -EACCES in somebody else's experiment, where root would leave files
 * of its own.
 */
int kept_write(struct kept_writer *w, const struct experiment *exp, const char *name)
	__attribute__((warn_unused_result));

#endif
