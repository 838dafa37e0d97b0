/* SPDX-License-Identifier: Apache-2.0 */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/xalloc.h"

enum { DEPTH_MAX = 256 }; /* of trees to remove: a descriptor for each level */

#define ENTER (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

void folder_release(struct folder *folder)
{
	if (folder->fd >= 0)
		close(folder->fd);
	free(folder->path);
	*folder = (struct folder)FOLDER_NONE;
}

/* ---- directories ---- */

/* A directory that may be entered but not listed serves for all but folder_list. */
static int open_directory(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags | O_DIRECTORY | O_CLOEXEC | O_RDONLY);

	if (fd < 0 && errno == EACCES)
		fd = openat(dir, name, flags | O_DIRECTORY | O_CLOEXEC | O_PATH);
	return fd_or_error(fd);
}

int folder_open(const char *path)
{
	return open_directory(AT_FDCWD, path, 0);
}

int folder_enter(int dir, const char *name)
{
	int fd = open_directory(dir, name, O_NOFOLLOW);

	return fd == -ELOOP ? -ENOTDIR : fd;
}

int folder_make(int dir, const char *name, mode_t mode)
{
	return mkdirat(dir, name, mode) ? -errno : folder_enter(dir, name);
}

bool folder_is(int dir, const char *name, int fd)
{
	struct stat a, b;

	return !fstatat(dir, name, &a, AT_SYMLINK_NOFOLLOW) && !fstat(fd, &b) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The owner of a file made in DIR; our user if none can be made. */
static uid_t owner_of_new(int dir)
{
	char *probe = xasprintf("owner.%ld", (long)getpid());
	struct stat st = { .st_uid = geteuid() };
	int fd = folder_create_file(dir, probe, 0600);

	if (fd >= 0) {
		if (fstat(fd, &st))
			st.st_uid = geteuid();
		close(fd);
		folder_remove_file(dir, probe);
	}
	free(probe);
	return st.st_uid;
}

bool folder_is_ours(int dir)
{
	struct stat st;

	return !fstat(dir, &st) &&
	       (st.st_uid == geteuid() || st.st_uid == owner_of_new(dir));
}

/* ---- files ---- */

/* As open_below, a step at a time. */
static int walk(int dir, const char *path, int flags)
{
	char *rest = xstrdup(path), *name = rest, *slash;
	int at = dir, next;

	do {
		slash = strchr(name, '/');
		if (slash)
			*slash = '\0';
		next = *name && strcmp(name, "..") != 0
			       ? fd_or_error(
					 openat(at, name, slash ? O_PATH | ENTER : flags))
			       : -EXDEV;
		if (at != dir)
			close(at);
		at = next;
		name = slash ? slash + 1 : NULL;
	} while (name && at >= 0);
	free(rest);
	return at;
}

static int open_below(int dir, const char *path, int flags)
{
	const int all = flags | O_NOFOLLOW | O_CLOEXEC;
	int fd = fd_openat2(dir, path, all, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);

	return fd == -ENOSYS ? walk(dir, path, all) : fd;
}

/* Without /proc: it was a regular file a moment ago, and must still be one. */
int folder_open_file(int dir, const char *path)
{
	int place = fd_if_regular(open_below(dir, path, O_PATH)), fd;

	if (place < 0)
		return place;
	fd = file_open_place(place);
	close(place);
	if (fd == -ENOENT && access("/proc/self/fd", F_OK))
		fd = fd_if_regular(
			open_below(dir, path, O_RDONLY | O_NOCTTY | O_NONBLOCK));
	return fd;
}

const char *folder_error(int error)
{
	return error == -ELOOP    ? "it is a symbolic link, which is not followed here"
	       : error == -EINVAL ? "it is not a regular file"
				  : strerror(-error);
}

/*
 * The umask may deny a file permissions that the directory has from another umask, or
 * from a later chmod.
 */
int folder_create_file(int dir, const char *name, mode_t at_most)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	struct stat st;
	mode_t mode;
	int fd;

	if (fstat(dir, &st))
		return -errno;
	mode = ((st.st_mode & 0444) | 0600) & at_most;
	fd = openat(dir, name, flags, mode);
	if (fd >= 0 && !fstat(fd, &st) && (st.st_mode & 0777) != mode)
		fchmod(fd, mode); /* else it stays as private as it is */
	return fd_or_error(fd);
}

void folder_remove_file(int dir, const char *name)
{
	unlinkat(dir, name, 0);
}

int folder_replace_file(int dir, const char *name, const void *bytes, size_t len)
{
	char *fresh = xasprintf("%s.%ld", name, (long)getpid());
	int fd, error;

	folder_remove_file(dir, fresh); /* of an earlier process with our pid */
	fd = folder_create_file(dir, fresh, 0644);
	error = fd < 0 ? fd : file_write(fd, bytes, len);
	/* some file systems report only now that the disk is full */
	if (fd >= 0 && close(fd) && !error)
		error = -errno;
	if (!error && renameat(dir, fresh, dir, name))
		error = -errno;
	if (fd >= 0 && error)
		folder_remove_file(dir, fresh);
	free(fresh);
	return error;
}

/* ---- all entries ---- */

void folder_list(int dir, void (*visit)(void *ctx, int dir, const char *name), void *ctx)
{
	int fd = openat(dir, ".", O_RDONLY | ENTER);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			visit(ctx, dir, entry->d_name);
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
}

struct removal {
	uid_t owner;
	dev_t device;
	unsigned depth;
};

static void remove_entry(void *ctx, int dir, const char *name)
{
	struct removal *r = ctx;
	int fd = folder_enter(dir, name);
	struct stat st;

	if (fd == -ENOTDIR)
		folder_remove_file(dir, name);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_uid == r->owner && st.st_dev == r->device &&
	    r->depth < DEPTH_MAX) {
		r->depth++;
		folder_list(fd, remove_entry, r);
		r->depth--;
	}
	close(fd);
	unlinkat(dir, name, AT_REMOVEDIR);
}

void folder_remove_tree(int dir, const char *name)
{
	struct removal r = { 0 };
	struct stat st;

	if (fstat(dir, &st))
		return;
	r.owner = st.st_uid;
	r.device = st.st_dev;
	remove_entry(&r, dir, name);
}
