/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens and reads, within bounds, files that others write (programs, /proc). folder.h
 * creates our own.
 */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/printf_like.h"
#include "base/strbuf.h"

/*
 * Opens a regular file (those of /proc are) for reading.  Anything else, such as a FIFO
 * or a device, is -EINVAL and stays unopened.  A descriptor or a negative errno.  For
 * files that we chose; named_file.h opens those that others named.
 */
int file_open(const char *path) __attribute__((warn_unused_result));

/*
 * In two steps: find a place (O_PATH), without any effect on the file there, then open it
 * if it is a regular file.  Below ROOT, or the directory DIR: as a process with that root
 * sees PATH, so absolute symbolic links and ".." stay below it.  FLAGS: O_NOFOLLOW, or 0.
 */
int file_place(const char *path, int flags) __attribute__((warn_unused_result));
int file_place_below(const char *root, const char *path, int flags)
	__attribute__((warn_unused_result));
int file_place_at(int dir, const char *path, int flags)
	__attribute__((warn_unused_result));
int file_open_place(int place)
	__attribute__((warn_unused_result)); /* leaves PLACE open */

/* The same; also a pipe, a FIFO (waits for its writer), or standard input, for "-". */
int file_open_stream(const char *path) __attribute__((warn_unused_result));

/*
 * How a file looked: enough to see whether one without a build-id changed.  All-zero:
 * unknown.
 */
struct file_mark {
	uint64_t inode, size;
	uint64_t mtime_ns; /* of the last change, since the epoch */
};

void file_mark_of(int fd, struct file_mark *out); /* all-zero if fstat fails */
bool file_mark_is_known(const struct file_mark *mark);
bool file_mark_is(const struct file_mark *mark, int fd); /* false if unknown */

/* Raises our limit of open files to the hard limit. */
void file_allow_many(void);

/*
 * Opens a file of /proc or /sys for reading by line: ROOT, "" for this machine, precedes
 * the path that FMT makes.  NULL: it cannot be opened, and errno says why.
 */
FILE *file_fopen(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Appends the content to OUT, whatever st_size is (0 in /proc).  0 or a negative errno;
 * -EFBIG for more than MAX bytes: OUT then holds the first MAX.
 */
int file_read(const char *path, size_t max, struct strbuf *out)
	__attribute__((warn_unused_result));
int file_read_fd(int fd, size_t max, struct strbuf *out)
	__attribute__((warn_unused_result)); /* leaves FD open */

/* The LEN bytes at OFFSET.  0 or a negative errno; -ENODATA: the file ends before. */
int file_read_at(int fd, uint64_t offset, void *out, size_t len)
	__attribute__((warn_unused_result));

/* Writes all LEN bytes.  0 or a negative errno; some may then be written. */
int file_write(int fd, const void *bytes, size_t len) __attribute__((warn_unused_result));

#endif
