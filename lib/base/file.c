/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"

/* O_NONBLOCK: opening a FIFO must not wait for its writer. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

static int regular_only(int fd)
{
	struct stat st;
	int ret = fd;

	if (fd < 0 || fstat(fd, &st))
		ret = -errno;
	else if (!S_ISREG(st.st_mode))
		ret = -EINVAL;
	if (ret < 0 && fd >= 0)
		close(fd);
	return ret;
}

int file_open(const char *path)
{
	return regular_only(open(path, OPEN_FLAGS));
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

/* Old kernels have no openat2, and some containers' filters refuse it. */
static bool openat2_missing(int error)
{
	return error == ENOSYS || error == EPERM;
}

int file_open_below(const char *root, const char *path)
{
	struct open_how how = { .flags = OPEN_FLAGS, .resolve = RESOLVE_IN_ROOT };
	int dir, fd;
	char *joined;

	if (!root || !root[0])
		return file_open(path);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0 && openat2_missing(errno)) {
		joined = xasprintf("%s/%s", root, path);
		fd = open(joined, OPEN_FLAGS);
		free(joined);
	}
	fd = regular_only(fd);
	close(dir);
	return fd;
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
	setrlimit(RLIMIT_NOFILE, &limit); /* else we stay within what there is */
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
	int fd = file_open(path), ret;

	if (fd < 0)
		return fd;
	ret = file_read_fd(fd, max, out);
	close(fd);
	return ret;
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

int file_replace(const char *path, const void *bytes, size_t len, mode_t mode)
{
	char *fresh = xasprintf("%s.%ld", path, (long)getpid());
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	int error = fd < 0 ? -errno : file_write(fd, bytes, len);

	/* some file systems tell only now that the disk is full */
	if (fd >= 0 && close(fd) && !error)
		error = -errno;
	if (!error && rename(fresh, path))
		error = -errno;
	if (fd >= 0 && error)
		unlink(fresh);
	free(fresh);
	return error;
}
