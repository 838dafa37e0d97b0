/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/xalloc.h"

/* O_NONBLOCK: opening a FIFO that took the file's place must not wait for its writer. */
#define OPEN_FLAGS  (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
#define PLACE_FLAGS (O_PATH | O_CLOEXEC)

int file_place(const char *path, int flags)
{
	return fd_or_error(open(path, PLACE_FLAGS | flags));
}

int file_open_place(int place)
{
	char link[32];
	struct stat st;

	if (fstat(place, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	return fd_if_regular(fd_or_error(open(link, OPEN_FLAGS)));
}

/* Takes PLACE, or an error. */
static int open_and_leave(int place)
{
	int fd = place < 0 ? place : file_open_place(place);

	if (place >= 0)
		close(place);
	return fd;
}

/* Without /proc: it was a regular file a moment ago, and must still be one. */
int file_open(const char *path)
{
	int fd = open_and_leave(file_place(path, 0));

	if (fd == -ENOENT && access("/proc/self/fd", F_OK))
		fd = fd_if_regular(fd_or_error(open(path, OPEN_FLAGS)));
	return fd;
}

int file_open_stream(const char *path)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
	int fd = strcmp(path, "-") ? open(path, flags)
				   : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	struct stat st = { 0 };

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) &&
	    (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return fd;
	close(fd);
	return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
}

/* ---- below a root ---- */

/* A walk to a file below ROOT, as by openat2 with RESOLVE_IN_ROOT. */
struct way {
	int root, at;       /* AT: the directory reached; owned */
	struct strbuf gone; /* "/a/b", from ROOT to AT; no part of it is a link */
	struct strbuf left; /* what follows */
	unsigned links;
};

enum { LINKS_MAX = 40, DIRECTORY_FLAGS = PLACE_FLAGS | O_DIRECTORY | O_NOFOLLOW };

/* Goes to AT, a descriptor that it takes, or an error. */
static int way_go(struct way *way, int at)
{
	if (at < 0)
		return at;
	close(way->at);
	way->at = at;
	return 0;
}

static int way_restart(struct way *way)
{
	strbuf_clear(&way->gone);
	return way_go(way, fd_or_error(openat(way->root, ".", DIRECTORY_FLAGS)));
}

/* ".." of a directory may lie outside ROOT by now, so the walk restarts at ROOT. */
static int way_up(struct way *way)
{
	char *slash = strrchr(strbuf_str(&way->gone), '/');
	char *path = xasprintf("%.*s", slash ? (int)(slash - way->gone.data) : 0,
			       strbuf_str(&way->gone));
	char *save = NULL;
	int error = way_restart(way);

	for (char *name = strtok_r(path, "/", &save); name && !error;
	     name = strtok_r(NULL, "/", &save)) {
		strbuf_addf(&way->gone, "/%s", name);
		error = way_go(way, fd_or_error(openat(way->at, name, DIRECTORY_FLAGS)));
	}
	free(path);
	return error;
}

/* Puts the target of the link FD before the rest. */
static int way_take_link(struct way *way, int fd)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(fd, "", target, sizeof(target));
	struct strbuf left = { 0 };

	if (len <= 0)
		return len ? -errno : -ENOENT;
	if ((size_t)len == sizeof(target))
		return -ENAMETOOLONG;
	if (++way->links > LINKS_MAX)
		return -ELOOP;
	strbuf_add(&left, target, (size_t)len);
	strbuf_addstr(&left, strbuf_str(&way->left));
	strbuf_release(&way->left);
	way->left = left;
	return target[0] == '/' ? way_restart(way) : 0;
}

/* Goes to NAME in AT; FLAGS: O_NOFOLLOW, if it is the last. */
static int way_down(struct way *way, const char *name, int flags)
{
	int fd = fd_or_error(openat(way->at, name, PLACE_FLAGS | O_NOFOLLOW)), error;
	bool last = !way->left.len;
	struct stat st;

	if (fd < 0)
		return fd;
	error = fstat(fd, &st) ? -errno : 0;
	if (!error && S_ISLNK(st.st_mode) && !(last && flags & O_NOFOLLOW)) {
		error = way_take_link(way, fd);
	} else if (!error && (last || S_ISDIR(st.st_mode))) {
		strbuf_addf(&way->gone, "/%s", name);
		return way_go(way, fd);
	} else if (!error) {
		error = -ENOTDIR;
	}
	close(fd);
	return error;
}

/* Walks the next part of the path; 1: there is none. */
static int way_step(struct way *way, int flags)
{
	const char *left = strbuf_str(&way->left), *begin = left + strspn(left, "/");
	size_t len = strcspn(begin, "/");
	char *name, *rest;
	int error;

	if (!len)
		return 1;
	name = xasprintf("%.*s", (int)len, begin);
	rest = xstrdup(begin + len);
	strbuf_clear(&way->left);
	strbuf_addstr(&way->left, rest);
	if (!strcmp(name, "."))
		error = 0;
	else if (!strcmp(name, ".."))
		error = way_up(way);
	else
		error = way_down(way, name, flags);
	free(name);
	free(rest);
	return error;
}

static int go_below(int root, const char *path, int flags)
{
	struct way way = { .root = root, .at = -1 };
	int error;

	way.at = fd_or_error(openat(root, ".", DIRECTORY_FLAGS));
	strbuf_addstr(&way.left, path);
	error = way.at < 0 ? way.at : *path ? 0 : -ENOENT;
	while (!error)
		error = way_step(&way, flags);
	strbuf_release(&way.gone);
	strbuf_release(&way.left);
	if (error > 0)
		return way.at;
	if (way.at >= 0)
		close(way.at);
	return error;
}

int file_place_at(int dir, const char *path, int flags)
{
	int fd = fd_openat2(dir, path, PLACE_FLAGS | flags, RESOLVE_IN_ROOT);

	return fd == -ENOSYS ? go_below(dir, path, flags) : fd;
}

int file_place_below(const char *root, const char *path, int flags)
{
	int dir = fd_or_error(open(root, O_PATH | O_DIRECTORY | O_CLOEXEC)), fd;

	if (dir < 0)
		return dir;
	fd = file_place_at(dir, path, flags);
	close(dir);
	return fd;
}

void file_mark_of(int fd, struct file_mark *out)
{
	struct stat st;

	*out = (struct file_mark){ 0 };
	if (fstat(fd, &st) < 0)
		return;
	out->inode = st.st_ino;
	out->size = (uint64_t)st.st_size;
	out->mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
			(uint64_t)st.st_mtim.tv_nsec;
}

bool file_mark_is_known(const struct file_mark *mark)
{
	return mark->inode || mark->size || mark->mtime_ns;
}

bool file_mark_is(const struct file_mark *mark, int fd)
{
	struct file_mark now;

	file_mark_of(fd, &now);
	return file_mark_is_known(mark) && mark->inode == now.inode &&
	       mark->size == now.size && mark->mtime_ns == now.mtime_ns;
}

FILE *file_fopen(const char *root, const char *fmt, ...)
{
	struct strbuf path = { 0 };
	va_list ap;
	FILE *file;
	int error;

	strbuf_addstr(&path, root);
	va_start(ap, fmt);
	strbuf_addfv(&path, fmt, ap);
	va_end(ap);
	file = fopen(strbuf_str(&path), "re");
	error = errno;
	strbuf_release(&path);
	errno = error;
	return file;
}

void file_allow_many(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* else the old limit stays */
}

int file_read_fd(int fd, size_t max, struct strbuf *out)
{
	size_t end = out->len + max, chunk = 1 << 16;

	for (;;) {
		size_t before = out->len, room = end - before;
		ssize_t got;
		char probe;

		if (!room) {
			got = read(fd, &probe, 1);
			return got < 0 ? -errno : got ? -EFBIG : 0;
		}
		room = room < chunk ? room : chunk;
		got = read(fd, strbuf_add_room(out, room), room);
		strbuf_truncate(out, before + (got > 0 ? (size_t)got : 0));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : 0;
	}
}

int file_read(const char *path, size_t max, struct strbuf *out)
{
	int fd = file_open(path), error;

	if (fd < 0)
		return fd;
	error = file_read_fd(fd, max, out);
	close(fd);
	return error;
}

int file_read_at(int fd, uint64_t offset, void *out, size_t len)
{
	char *at = out;

	while (len) {
		ssize_t got = pread(fd, at, len, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ENODATA;
		at += got;
		offset += (uint64_t)got;
		len -= (size_t)got;
	}
	return 0;
}

int file_write(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t put = write(fd, at, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -ENOSPC;
		at += put;
		len -= (size_t)put;
	}
	return 0;
}
