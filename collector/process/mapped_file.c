/* SPDX-License-Identifier: Apache-2.0 */
#include "process/mapped_file.h"

#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "base/file.h"
#include "process/maps_line.h"

/* The ioctl is declared for a long, but the kernel writes an int. */
static bool other_generation(const struct file_id *file, int fd)
{
	long room = 0;
	uint32_t generation;

	if (!file->generation || ioctl(fd, FS_IOC_GETVERSION, &room) < 0)
		return false;
	memcpy(&generation, &room, sizeof(generation));
	return generation != (uint32_t)file->generation;
}

/* The line of our own mapping at ADDRESS. */
static bool find_line(const void *address, struct file_id *out)
{
	FILE *f = file_fopen("", "/proc/self/maps");
	char *text = NULL;
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&text, &room, f) > 0) {
		struct maps_line line;

		found = maps_line_parse(text, &line) && line.start == (uintptr_t)address;
		if (found)
			*out = line.file;
	}
	if (f)
		fclose(f);
	free(text);
	return found;
}

/* Nothing of it is read: the mapping is not touched. */
static bool is_when_mapped(const struct file_id *file, int fd)
{
	void *address = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	struct file_id own;
	bool is;

	if (address == MAP_FAILED)
		return false;
	is = find_line(address, &own) && own.inode == file->inode &&
	     own.major == file->major && own.minor == file->minor;
	munmap(address, 1);
	return is;
}

bool mapped_file_is(const struct file_id *file, int fd)
{
	struct stat st;

	if (!file->inode || fstat(fd, &st) < 0 || other_generation(file, fd))
		return false;
	if (st.st_ino == file->inode && major(st.st_dev) == file->major &&
	    minor(st.st_dev) == file->minor)
		return true;
	return is_when_mapped(file, fd);
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

bool mapped_file_is_written_since(int fd, uint64_t since_ns)
{
	int64_t now = clock_ns(CLOCK_REALTIME), uptime = clock_ns(CLOCK_MONOTONIC);
	struct stat st;
	int64_t written;

	if (since_ns > (uint64_t)uptime || fstat(fd, &st) < 0 || st.st_mtim.tv_sec < 0 ||
	    st.st_mtim.tv_sec > now / INT64_C(1000000000))
		return false;
	written = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
	return written > now - uptime + (int64_t)since_ns && written <= now;
}
