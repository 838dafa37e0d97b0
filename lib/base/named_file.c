/* SPDX-License-Identifier: Apache-2.0 */
#include "base/named_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/served_file.h"

#ifndef TRACEFS_MAGIC
#define TRACEFS_MAGIC 0x74726163
#endif
#ifndef BPF_FS_MAGIC
#define BPF_FS_MAGIC 0xcafe4a11
#endif

/* File systems whose contents the kernel generates. */
static const unsigned long answers[] = {
	PROC_SUPER_MAGIC,   SYSFS_MAGIC,   DEBUGFS_MAGIC,      TRACEFS_MAGIC,
	SECURITYFS_MAGIC,   SELINUX_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
	DEVPTS_SUPER_MAGIC, BPF_FS_MAGIC,  EFIVARFS_MAGIC,     PSTOREFS_MAGIC,
};

static bool is_answer(int fd)
{
	struct statfs st;

	if (fstatfs(fd, &st) < 0)
		return true;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		if ((unsigned long)st.f_type == answers[i])
			return true;
	return false;
}

static int find_place(const struct namer_of_files *by, const char *root, const char *path,
		      int flags)
{
	if (root && root[0])
		return file_place_below(root, path, flags);
	if (by && by->root >= 0)
		return file_place_at(by->root, path, flags);
	return file_place(path, flags);
}

static int open_as_we_are(const struct namer_of_files *by, const char *root,
			  const char *path, int flags)
{
	int place = find_place(by, root, path, flags), fd;

	if (place < 0)
		return place;
	fd = is_answer(place) ? -EACCES : file_open_place(place);
	close(place);
	return fd;
}

static int open_here(const struct namer_of_files *by, const char *root, const char *path,
		     int flags)
{
	struct rights_before before;
	int fd;

	if (!by || !by->rights)
		return open_as_we_are(by, root, path, flags);
	fd = rights_take(by->rights, &before);
	if (fd)
		return fd;
	fd = open_as_we_are(by, root, path, flags);
	rights_return(&before);
	return fd;
}

/* ---- in a child ---- */

struct wanted {
	const struct namer_of_files *by;
	const char *root, *path;
	int flags;
};

static int open_wanted(const void *ctx)
{
	const struct wanted *w = ctx;

	return open_here(w->by, w->root, w->path, w->flags);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* A copy that takes less is not slow. */
enum { USUAL_MS = 50 };

/* Once those who may serve files took too long together, no more are opened. */
static int copy_wanted(const struct wanted *w)
{
	const struct served_file file = { open_wanted, w, w->by->root };
	_Atomic int64_t *left = w->by->patience_ms;
	int64_t before = now_ms(), took;
	int fd;

	if (left && *left <= 0)
		return -ETIMEDOUT;
	fd = served_file_copy(&file, SERVED_FILE_MS);
	took = now_ms() - before;
	if (left && took > USUAL_MS)
		*left -= took - USUAL_MS;
	return fd;
}

static int open_by(const struct namer_of_files *by, const char *root, const char *path,
		   int flags)
{
	if (by && by->refused)
		return -EACCES;
	if (by && by->served)
		return copy_wanted(&(struct wanted){ by, root, path, flags });
	return open_here(by, root, path, flags);
}

int named_file_open(const struct namer_of_files *by, const char *root, const char *path)
{
	return open_by(by, root, path, 0);
}

int named_file_open_unlinked(const struct namer_of_files *by, const char *path)
{
	return open_by(by, NULL, path, O_NOFOLLOW);
}
