/* SPDX-License-Identifier: Apache-2.0 */
#include "output/reserve.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* At most half of the free space: with all of it nothing could be recorded. */
static size_t room(int dir, size_t bytes)
{
	struct statvfs fs;

	if (fstatvfs(dir, &fs) || fs.f_bavail / 2 >= bytes / fs.f_frsize)
		return bytes;
	return fs.f_bavail / 2 * fs.f_frsize;
}

void reserve_take(struct reserve *r, int dir, size_t bytes)
{
	bytes = room(dir, bytes);
	r->fd = -1;
	if (!bytes)
		return;
	r->fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (r->fd >= 0 && posix_fallocate(r->fd, 0, (off_t)bytes))
		reserve_release(r);
}

void reserve_release(struct reserve *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}
