/* SPDX-License-Identifier: Apache-2.0 */
/* One recording, from the options to the closing line. */
#ifndef SESSION_H
#define SESSION_H

#include "options/options.h"
#include "sample/sys.h"

/* Records with OPT.  Reports through diag; returns the exit status. */
int session_run(const struct options *opt, const struct sys *sys);

#endif
