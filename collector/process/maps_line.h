/* SPDX-License-Identifier: Apache-2.0 */
/* A line of /proc/PID/maps; proc(5). */
#ifndef MAPS_LINE_H
#define MAPS_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file_id.h"

struct maps_line {
	uint64_t start, end; /* addresses, END not included, and above START */
	char perms[5];       /* "rwxp", - for a right that is missing, s for shared */
	uint64_t offset;
	struct file_id file; /* inode 0: none; the line lacks its generation */
	const char *name;    /* in the line; "": none */
};

/* LINE becomes the name's owner, and loses its newline.  False for anything else. */
bool maps_line_parse(char *line, struct maps_line *out);

#endif
