/* SPDX-License-Identifier: Apache-2.0 */
#include "process/maps_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool maps_line_parse(char *line, struct maps_line *out)
{
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n",
		   &out->start, &out->end, out->perms, &out->offset, &out->inode,
		   &at) != 5)
		return false;
	out->name = line + at;
	return at && strlen(out->perms) == 4 && out->end > out->start;
}
