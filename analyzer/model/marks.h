/* SPDX-License-Identifier: Apache-2.0 */
/* What programs say at an instant, in words. */
#ifndef MARKS_H
#define MARKS_H

#include "base/strbuf.h"
#include "experiment/experiment.h"

/* "marker", "counter", "note" */
const char *mark_kind(const struct exp_mark *mark);

/* Its value as a text: numbers of 64 bits do not fit a double.  Nothing if it has none. */
void mark_put_value(const struct experiment *exp, const struct exp_mark *mark,
		    struct strbuf *out);

#endif
