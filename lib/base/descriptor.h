/* SPDX-License-Identifier: Apache-2.0 */
/* What opening a file gives: a descriptor, or a negative errno. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <errno.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of what open(2) and its like return. */
static inline int fd_or_error(int fd)
{
	return fd < 0 ? -errno : fd;
}

/* FD, or the error that it is, if it is of a regular file.  Closes any other. */
static inline int fd_if_regular(int fd)
{
	struct stat st;
	int error = -EINVAL;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st))
		error = -errno;
	else if (S_ISREG(st.st_mode))
		return fd;
	else if (S_ISLNK(st.st_mode))
		error = -ELOOP;
	close(fd);
	return error;
}

/*
 * openat2(2).  -ENOSYS: go the way step by step.  Old kernels have no openat2, and some
 * containers' filters refuse it.  EAGAIN: behind a ".." it cannot rule out a rename that
 * happened anywhere meanwhile.
 */
static inline int fd_openat2(int dir, const char *path, int flags, uint64_t resolve)
{
	struct open_how how = { .flags = (uint64_t)flags, .resolve = resolve };
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	if (fd < 0 && (errno == EPERM || errno == EAGAIN))
		return -ENOSYS;
	return fd_or_error(fd);
}

#endif
