/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: its results go into the log, and the important ones to stderr
 * too: a warning for each doubt, and the closing line.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdint.h>

#include "finish/figures.h"

/* Fills the log's fields that are known only now, and adds warnings. */
void summary_fill(const struct summary *c);

/* "test.1.er: 2013 samples, …"; BYTES: of the experiment. */
void summary_line(const struct summary *c, const char *path, uint64_t bytes);

#endif
