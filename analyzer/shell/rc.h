/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's own defaults, read before the commands are run, a later file's over an
 * earlier one's:
 *
 *	$XDG_CONFIG_HOME/ringprof/er.rc, or ~/.config/ringprof/er.rc
 *	~/.er.rc
 *	./.er.rc
 *
 * They are scripts of settings alone: a folder that one happens to be in may come from
 * anybody, and must not make er_print write files or run other scripts.  Their bytes are
 * hostile: only regular files, of bounded size.  What is wrong is a warning, with file
 * and line, and the rest goes on.
 */
#ifndef RC_H
#define RC_H

#include "session/session.h"

void rc_run(struct session *s);

#endif
