/* SPDX-License-Identifier: Apache-2.0 */
#include "render/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

/* Of the same name there can only be what a process of our number left. */
static int create(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags, 0666);

	if (fd < 0 && errno == EEXIST && !unlink(path))
		fd = open(path, flags, 0666);
	return fd < 0 ? -errno : fd;
}

static int create_new(struct whole_file *file)
{
	int fd = create(file->new);
	FILE *stream;

	if (fd < 0)
		return fd;
	stream = fdopen(fd, "w");
	if (!stream) {
		close(fd);
		unlink(file->new);
		return -ENOMEM;
	}
	stream_init_file(&file->out, stream);
	return 0;
}

int whole_file_create(struct whole_file *file, const char *path)
{
	struct stat now;
	int error;

	*file = (struct whole_file){ .path = path };
	if (!stat(path, &now) && !S_ISREG(now.st_mode))
		return stream_create(&file->out, path);
	file->new = xasprintf("%s.new.%ld", path, (long)getpid());
	error = create_new(file);
	if (error)
		free(file->new);
	return error;
}

int whole_file_close(struct whole_file *file)
{
	int error = stream_close(&file->out);

	if (!file->new)
		return error;
	if (!error && rename(file->new, file->path))
		error = -errno;
	if (error)
		unlink(file->new);
	free(file->new);
	return error;
}
