/* SPDX-License-Identifier: Apache-2.0 */
/* collect -h without a program: the counters of this CPU. */
#ifndef LIST_H
#define LIST_H

#include "options/options.h"
#include "sample/sys.h"

/* Lists the counters that OPT selects.  Returns the exit status. */
int list_counters(const struct options *opt, const struct sys *sys);

#endif
