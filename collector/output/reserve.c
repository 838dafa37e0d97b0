/* SPDX-License-Identifier: Apache-2.0 */
#include "output/reserve.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The reserve must not be all free space: then nothing could be recorded. */
static bool has_room(int dir, size_t bytes)
{
	struct statvfs fs;

	return !fstatvfs(dir, &fs) && fs.f_bavail / 2 >= bytes / fs.f_frsize;
}

void reserve_take(struct reserve *r, int dir, size_t bytes)
{
	r->fd = -1;
	if (!has_room(dir, bytes))
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
