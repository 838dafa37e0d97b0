/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of blocks beside an experiment's data, which never changes once it is complete:
 * what was found for it, and would take long to find again (ringprof-experiment(5)).
 *
 * Such a file says which data it is for, by a string and a row of EXP_LINE_KEY before all
 * that is for it; a file of other data, and one with any deviation, is as good as none.
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

/* Takes the rows of a block, one or more; false: they cannot be. */
typedef bool kept_taker(void *ctx, const struct exp_rows *rows);

/*
 * The file NAME of the experiment through TAKERS, by table number, of which NULL ones may
 * not be there.  Whether it is of this experiment is checked before a table behind the
 * key is taken.  0, or a negative code: there is none, or it is not for this data, or it
 * is damaged, which may show after blocks of it were taken.
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

/* Rows are of TABLE from now on. */
void kept_begin(struct kept_writer *w, enum exp_table table);

void kept_row(struct kept_writer *w, const uint64_t *values);

/* A row of EXP_STRINGS. */
void kept_string(struct kept_writer *w, const char *text);

/* The key, behind the STRINGS strings that were written, and before all else. */
void kept_key(struct kept_writer *w, const struct experiment *exp, uint32_t strings);

/*
 * Replaces the file NAME of the experiment and releases W.  0, or a negative errno and
 * the file unchanged; -EACCES in somebody else's experiment, where root would leave files
 * of its own.
 */
int kept_write(struct kept_writer *w, const struct experiment *exp, const char *name)
	__attribute__((warn_unused_result));

#endif
