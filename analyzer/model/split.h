/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics that are parts of a recorded one: user and system divide CPU time by where the
 * stack of a sample ends, in the program's code or in the kernel's.  What ends in no known
 * code, such as <Unsampled>, is in neither.
 *
 * So are sums (metric_sum.h).
 *
 * They are the last of the model's metrics, and have columns of their own behind those of
 * the events in the sums of a source (totals.h).  They are made when a command first names
 * one, because that reads the samples again.  A recorded metric of the same name takes
 * precedence: a clock that could count only one level is user or system itself.
 */
#ifndef SPLIT_H
#define SPLIT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/metric_sum.h"
#include "model/model.h"

/*
 * Makes all of them if NAME, in any case, is one that the model lacks and can have.
 * Returns whether it did: then the sums of a filter must be made again.
 */
bool splits_make(struct model *model, const char *name);

/* Before another experiment is added, whose metrics precede them. */
void splits_remove(struct model *model);

/* Gives each of them to OFFER. */
void splits_possible(const struct model *model,
		     void (*offer)(void *ctx, const struct split_offer *split),
		     void *ctx);

/* Whether NAME is one; then ERR says why this recording cannot have it. */
bool split_explain(const struct model *model, const char *name, struct strbuf *err);

#endif
