/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a page says of the machine and its user, left out on request: folders, arguments of
 * commands, names of the host and of users.
 */
#ifndef PAGE_STRIP_H
#define PAGE_STRIP_H

#include <stdbool.h>

#include "base/strtab.h"
#include "base/vec.h"
#include "model/model.h"

struct page_strip {
	bool on;
	struct strtab texts; /* what was stripped */
	VEC(char *) words;   /* names of hosts and users */
};

/* Overwrites OUT, which the caller releases. */
void page_strip_init(struct page_strip *out, const struct model *model, bool on);
void page_strip_release(struct page_strip *strip);

/*
 * All of these return TEXT if nothing is to be stripped; else a text that lives as long as
 * STRIP.  Of each path in a text its last part stays: from its first slash on up to the
 * last before one of ,:;"'()<>[]|= or the end, so blanks in folders do no harm.  So it is
 * of Windows' paths (C:\, \\host\).
 */
const char *page_strip_name(struct page_strip *strip, const char *text); /* a function */
const char *page_strip_path(struct page_strip *strip, const char *path);
/* A sentence, or a thread's name: names of hosts and users too, and HOST: before a path. */
const char *page_strip_text(struct page_strip *strip, const char *text);
/* Of a command line its program. */
const char *page_strip_command(struct page_strip *strip, const char *command);

#endif
