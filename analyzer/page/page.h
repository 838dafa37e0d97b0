/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One HTML file with a recording as pictures.  It is complete: the browser asks nobody for
 * anything, and its own policy forbids it to, and to run any other script.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>

#include "render/stream.h"
#include "session/session.h"

/* STRIP: see page/strip.h.  Errors stay with OUT, for the caller to find. */
void page_write(struct session *s, struct stream *out, bool strip);

/* The files of share/page in one: the build makes page_files.c of them. */
extern const char page_style[], page_script[];

#endif
