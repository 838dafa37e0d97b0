/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: its results go into the log, and what a person must know to
 * stderr as well: a warning for each doubt, and one closing line.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdint.h>

#include "finish/figures.h"

/* Fills the fields of the log that are known only now, and adds its warnings. */
void summary_fill(const struct summary *c);

/* "test.1.er: 2013 samples, …"; BYTES: of the experiment. */
void summary_line(const struct summary *c, const char *path, uint64_t bytes);

#endif
