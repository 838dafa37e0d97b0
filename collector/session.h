/* SPDX-License-Identifier: Apache-2.0 */
/* One recording, from the options to the closing line. */
#ifndef SESSION_H
#define SESSION_H

#include "collector/options.h"
#include "sample/sys.h"

/* What collect exits with: the target's status, or a failure of its own. */
enum {
	EXIT_FAILED = 1, /* the recording could not be made, or not kept */
	EXIT_USAGE = 2,
};

/* Records as OPT says.  Speaks through diag; gives the exit status. */
int session_run(const struct options *opt, const struct sys *sys);

/* Lists the counters as OPT says.  Gives the exit status. */
int session_list(const struct options *opt, const struct sys *sys);

/* Tells what can be recorded here.  0 where a profile of some kind can, else EXIT_FAILED.
 */
int session_check(const struct options *opt, const struct sys *sys);

#endif
