/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens and reads, within bounds, files that others write (other programs, /proc).
 * folder.h makes our own.
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
 * files that we chose; see named_file.h for those that others named.
 */
int file_open(const char *path) __attribute__((warn_unused_result));

/*
 * In two steps: find a place (O_PATH), without any effect on the file there, then open it
 * if it is a regular file.  Below ROOT, or the directory DIR, as in file_open_below.
 * FLAGS: O_NOFOLLOW, or 0.
 */
int file_place(const char *path, int flags) __attribute__((warn_unused_result));
int file_place_below(const char *root, const char *path, int flags)
	__attribute__((warn_unused_result));
int file_place_at(int dir, const char *path, int flags)
	__attribute__((warn_unused_result));
int file_open_place(int place)
	__attribute__((warn_unused_result)); /* leaves PLACE open */

/* The same; or a pipe, a FIFO's writer being waited for; or standard input, for "-". */
int file_open_stream(const char *path) __attribute__((warn_unused_result));

/*
 * Opens PATH as a process whose root is ROOT sees it: absolute symbolic links and ".."
 * stay below ROOT.  ROOT NULL or "": file_open.
 */
int file_open_below(const char *root, const char *path)
	__attribute__((warn_unused_result));

/*
 * How a file looked: enough to see whether one without a build-id changed.  All-zero:
 * unknown.
 */
struct file_mark {
	uint64_t inode, size;
	uint64_t mtime_ns; /* of the last change, since the epoch */
};

void file_mark_of(int fd, struct file_mark *out); /* all-zero where fstat fails */
bool file_mark_is_known(const struct file_mark *mark);
bool file_mark_is(const struct file_mark *mark, int fd); /* false if unknown */

/* Raises our limit of open files to the hard one, which is ours to use. */
void file_allow_many(void);

/*
 * A file of /proc or /sys, to be read line by line: ROOT, "" for this machine's own, is
 * put in front of the path that FMT makes.  NULL: it cannot be opened, and errno says
 * why.
 */
FILE *file_fopen(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Appends the content, of which st_size may say nothing (/proc), to OUT.  0 or a negative
 * errno; -EFBIG for more than MAX bytes, of which OUT then holds the first MAX.
 */
int file_read(const char *path, size_t max, struct strbuf *out)
	__attribute__((warn_unused_result));
int file_read_fd(int fd, size_t max, struct strbuf *out)
	__attribute__((warn_unused_result)); /* leaves FD open */

/* The LEN bytes at OFFSET.  0 or a negative errno; -ENODATA: the file ends before. */
int file_read_at(int fd, uint64_t offset, void *out, size_t len)
	__attribute__((warn_unused_result));

/* Writes all LEN bytes.  0 or a negative errno, after which some may stand there. */
int file_write(int fd, const void *bytes, size_t len) __attribute__((warn_unused_result));

#endif
