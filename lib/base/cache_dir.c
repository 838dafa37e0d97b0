/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cache_dir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

/* The part of PATH before its last slash. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash != path ? xstrndup(path, (size_t)(slash - path))
				      : xstrdup("/");
}

bool cache_is_own_place(const char *path)
{
	char *at = parent_of(path), *up;
	struct stat st = { 0 };
	int missing;

	while ((missing = stat(at, &st)) && errno == ENOENT && at[1]) {
		up = parent_of(at);
		free(at);
		at = up;
	}
	free(at);
	return !missing && (st.st_uid == geteuid() || !st.st_uid);
}

static bool is_own(int dir, mode_t others)
{
	struct stat st;

	return !fstat(dir, &st) && st.st_uid == geteuid() && !(st.st_mode & others);
}

/* Takes DIR, or an error. */
static int only_own(int dir, mode_t others)
{
	if (dir < 0 || is_own(dir, others))
		return dir;
	close(dir);
	return -EACCES;
}

/* Follows links on the way: a home may have its cache on another disk. */
static int open_base(const char *base)
{
	char *parent = parent_of(base);
	int fd = folder_open(base), above;

	if (fd == -ENOENT && !cache_is_own_place(base)) {
		fd = -EACCES;
	} else if (fd == -ENOENT) {
		above = folder_open(parent);
		fd = above < 0 ? above : folder_make(above, strrchr(base, '/') + 1, 0700);
		if (above >= 0)
			close(above);
	}
	free(parent);
	return only_own(fd, 0);
}

/* Opens ours in the base, where others may be able to make links and directories too. */
static int open_own(int base)
{
	int fd = folder_make(base, "ringprof", 0700);

	if (fd == -EEXIST)
		fd = folder_enter(base, "ringprof");
	fd = only_own(fd, S_IWGRP | S_IWOTH);
	if (fd >= 0)
		fchmod(fd, 0700); /* its files reveal the kernel's addresses */
	return fd;
}

static char *base_path(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	size_t len = xdg && xdg[0] == '/' ? strlen(xdg) : 0;

	while (len > 1 && xdg[len - 1] == '/')
		len--;
	if (len)
		return xstrndup(xdg, len);
	return home && home[0] == '/' ? xasprintf("%s/.cache", home) : NULL;
}

int cache_open(struct folder *out)
{
	char *base = base_path();
	int at = base ? open_base(base) : -ENOENT;

	*out = (struct folder)FOLDER_NONE;
	out->fd = at < 0 ? at : open_own(at);
	if (at >= 0)
		close(at);
	at = out->fd;
	if (at < 0)
		out->fd = -1;
	else
		out->path = xasprintf("%s/ringprof", base);
	free(base);
	return at < 0 ? at : 0;
}
