/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's own defaults, read before the commands are run; a later file overrides an
 * earlier one:
 *
 *	$XDG_CONFIG_HOME/ringprof/er.rc, or ~/.config/ringprof/er.rc
 *	~/.er.rc
 *	./.er.rc
 *
 * They are scripts with only settings: the current directory may come from anybody, and
 * must not make er_print write files or run other scripts.  Their bytes are hostile: only
 * regular files of bounded size are read.  An error is a warning, with file and line, and
 * the rest is run.
 */
#ifndef RC_H
#define RC_H

#include "session/session.h"

void rc_run(struct session *s);

#endif
