/* SPDX-License-Identifier: Apache-2.0 */
#include "output/exp_remove.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "elf/object_file.h"
#include "experiment/format.h"

/* The files that an experiment consists of. */
static const char *const files[] = { EXP_DATA_FILE, EXP_LOG_FILE, EXP_LINES_FILE,
				     EXP_SUMS_FILE };

/* Whether NAME is one of those, or its unfinished form, which ends in ".PID" or ".new". */
static bool is_part(const char *name)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		size_t len = strlen(files[i]);
		const char *rest = name + len;

		if (strncmp(name, files[i], len) != 0)
			continue;
		if (!*rest || !strcmp(rest, ".new") ||
		    (*rest == '.' && rest[1] &&
		     !rest[1 + strspn(rest + 1, "0123456789")]))
			return true;
	}
	return false;
}

static void remove_part(void *ctx, int dir, const char *name)
{
	(void)ctx;
	if (is_part(name) && strcmp(name, EXP_LOG_FILE) != 0)
		folder_remove_file(dir, name);
}

void exp_remove(int fd, int parent, const char *name)
{
	folder_remove_tree(fd, EXP_ARCHIVE);
	folder_list(fd, remove_part, NULL);
	folder_remove_file(fd, EXP_LOG_FILE);
	if (folder_is(parent, name, fd))
		unlinkat(parent, name, AT_REMOVEDIR);
}

/* ---- the size ---- */

enum { DEPTH_MAX = 64, BLOCK = 512 };

struct sum {
	uint64_t bytes;
	unsigned depth;
};

static void add_entry(void *ctx, int dir, const char *name)
{
	struct sum *sum = ctx;
	struct stat st;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	sum->bytes += (uint64_t)st.st_blocks * BLOCK;
	if (!S_ISDIR(st.st_mode) || sum->depth == DEPTH_MAX)
		return;
	fd = folder_enter(dir, name);
	if (fd < 0)
		return;
	sum->depth++;
	folder_list(fd, add_entry, sum);
	sum->depth--;
	close(fd);
}

uint64_t exp_bytes(int fd)
{
	struct sum sum = { 0 };

	folder_list(fd, add_entry, &sum);
	return sum.bytes;
}
