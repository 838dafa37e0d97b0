/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of /proc/PID/maps, as a kernel writes them and others. */
#include "process/maps_line.h"

#include <stdio.h>

#include "tap.h"

static const struct {
	const char *text;
	bool is;
	struct maps_line want;
} rows[] = {
	{ "7f01000-7f03000 r-xp 00001000 fe:00 1234                       /lib/l.so\n",
	  true,
	  { 0x7f01000, 0x7f03000, "r-xp", 0x1000, { 0xfe, 0, 1234, 0 }, "/lib/l.so" } },
	{ "7ffd000-7fff000 rw-p 00000000 00:00 0                          [stack]\n",
	  true,
	  { 0x7ffd000, 0x7fff000, "rw-p", 0, { 0 }, "[stack]" } },
	{ "1000-2000 ---p 00000000 00:00 0 \n",
	  true,
	  { 0x1000, 0x2000, "---p", 0, { 0 }, "" } },
	{ "1000-2000 rw-s 00000000 00:05 9  /a file (deleted)",
	  true,
	  { 0x1000, 0x2000, "rw-s", 0, { 0, 5, 9, 0 }, "/a file (deleted)" } },
	{ "2000-2000 rw-p 00000000 00:00 0 \n", false, { 0 } },
	{ "2000-1000 rw-p 00000000 00:00 0 \n", false, { 0 } },
	{ "1000-2000 rw 00000000 00:00 0 \n", false, { 0 } },
	{ "1000-2000 rw-p 00000000 00:00\n", false, { 0 } },
	{ "Size: 4 kB\n", false, { 0 } },
	{ "\n", false, { 0 } },
	{ "", false, { 0 } },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct maps_line *want = &rows[i].want;
		struct maps_line got;
		char line[128];

		snprintf(line, sizeof(line), "%s", rows[i].text);
		if (!ok(maps_line_parse(line, &got) == rows[i].is, "line %zu", i) ||
		    !rows[i].is)
			continue;
		is_u64(got.start, want->start, "line %zu: its start", i);
		is_u64(got.end, want->end, "line %zu: its end", i);
		is_str(got.perms, want->perms, "line %zu: its protection", i);
		is_u64(got.offset, want->offset, "line %zu: its offset", i);
		is_u64(got.file.inode, want->file.inode, "line %zu: its file", i);
		is_u64(got.file.major, want->file.major, "line %zu: its device", i);
		is_u64(got.file.minor, want->file.minor, "line %zu: … and which", i);
		is_str(got.name, want->name, "line %zu: its name", i);
	}
	return done_testing();
}
