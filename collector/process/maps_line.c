/* SPDX-License-Identifier: Apache-2.0 */
#include "process/maps_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool maps_line_parse(char *line, struct maps_line *out)
{
	int at = 0;

	out->file = (struct file_id){ 0 };
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32
		   " %" SCNu64 " %n",
		   &out->start, &out->end, out->perms, &out->offset, &out->file.major,
		   &out->file.minor, &out->file.inode, &at) != 7)
		return false;
	out->name = line + at;
	return at && strlen(out->perms) == 4 && out->end > out->start;
}
