/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/hole_read.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/file.h"
#include "process/maps_line.h"

enum { SPAN = 1 << 20, PAGES_MAX = 256 };

/* Stacks are private and have no file, wherever they were allocated. */
static bool is_stack(const struct maps_line *line)
{
	return !strncmp(line->perms, "rw", 2) && line->perms[3] == 'p' &&
	       !line->file.inode;
}

/* The end of the mapping of SP and HOLE; 0: there is none that may be read. */
static int find_end(const char *root, pid_t pid, uint64_t sp, uint64_t hole,
		    uint64_t *end)
{
	FILE *f = file_fopen(root, "/proc/%d/maps", (int)pid);
	int error = f ? 0 : -errno;
	char *text = NULL;
	size_t room = 0;

	*end = 0;
	while (f && !*end && getline(&text, &room, f) > 0) {
		struct maps_line line;

		if (maps_line_parse(text, &line) && line.start <= sp && sp < line.end &&
		    line.start <= hole && hole < line.end && is_stack(&line))
			*end = line.end;
	}
	if (f)
		fclose(f);
	free(text);
	return error;
}

static ssize_t read_pages(pid_t pid, uint64_t from, uint64_t end, size_t page)
{
	char bytes[PAGES_MAX];
	struct iovec here = { .iov_base = bytes }, there[PAGES_MAX];
	unsigned long pages = 0;
	ssize_t got;

	for (uint64_t at = from; at < end && at - from < SPAN && pages < PAGES_MAX;
	     at += page)
		there[pages++] = (struct iovec){
			.iov_base = (void *)(uintptr_t)at,
			.iov_len = 1,
		};
	here.iov_len = pages;
	got = process_vm_readv(pid, &here, 1, there, pages, 0);
	return got < 0 ? -errno : got;
}

ssize_t hole_read(const char *root, pid_t pid, uint64_t sp, uint64_t hole, size_t page)
{
	uint64_t end;
	int error = find_end(root, pid, sp, hole, &end);

	if (error || !end)
		return error;
	return read_pages(pid, hole, end, page);
}
