/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sums of all of an experiment's samples, kept in it: the next answers of a recording
 * of a week take the time of its stacks, not that of its samples.
 */
#ifndef KEPT_TOTALS_H
#define KEPT_TOTALS_H

#include "model/totals.h"

/* Samples from which on this is worth a file: to read so many takes a tenth of a second. */
enum { KEPT_TOTALS_LEAST = 1 << 22 };

/*
 * Whether sums of this experiment's very samples were kept: they are in OUT then, which is
 * overwritten, and the caller's to release.
 */
bool kept_totals_read(struct totals *out, const struct experiment *exp);

/* Keeps them, if the recording is complete and undamaged and its directory ours. */
void kept_totals_write(const struct totals *t, const struct experiment *exp);

#endif
