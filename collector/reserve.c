/* SPDX-License-Identifier: Apache-2.0 */
#include "reserve.h"

#include <fcntl.h>
#include <unistd.h>

void reserve_take(struct reserve *r, const char *dir, size_t bytes)
{
	r->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (r->fd >= 0 && posix_fallocate(r->fd, 0, (off_t)bytes))
		reserve_release(r);
}

void reserve_release(struct reserve *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}
