/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples below the loop of an interpreter, whose own functions stand for those of the
 * programs that it runs: how these would get names.
 */
#ifndef INTERPRETED_H
#define INTERPRETED_H

#include "base/strbuf.h"
#include "model/model.h"

/*
 * Adds a sentence to OUT if at least half of SOURCE's samples are below one such loop, and
 * no perf map named functions of it.
 */
void interpreted_advise(const struct model *model, const struct source *source,
			struct strbuf *out);

#endif
