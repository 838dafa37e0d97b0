/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files: opening and reading those that others write (other programs, /proc), bounded;
 * and writing whole ones of our own.
 */
#ifndef FILE_H
#define FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/strbuf.h"

/*
 * Opens a regular file (those of /proc are) for reading; anything else, a FIFO that
 * would make us wait or a device, is -EINVAL.  A file descriptor or a negative errno.
 */
int file_open(const char *path);

/* The same; or a pipe, a FIFO's writer being waited for; or standard input, for "-". */
int file_open_stream(const char *path);

/*
 * Opens PATH as a process whose root is ROOT sees it: absolute symbolic links and ".."
 * stay below ROOT, where the kernel and its filters allow openat2; else ROOT is merely
 * put in front.  ROOT NULL or "": file_open.
 */
int file_open_below(const char *root, const char *path);

/* Raises our limit of open files to the hard one, which is ours to use. */
void file_allow_many(void);

/*
 * A file of /proc or /sys, to be read line by line: ROOT, "" for this machine's own, is
 * put in front of the path that FMT makes.  NULL: it cannot be opened, and errno says
 * why.
 */
FILE *file_fopen(const char *root, const char *fmt, ...) DIAG_PRINTF(2, 3);

/*
 * Appends the content, of which st_size may say nothing (/proc), to OUT.  0 or a negative
 * errno; -EFBIG for more than MAX bytes, of which OUT then holds the first MAX.
 */
int file_read(const char *path, size_t max, struct strbuf *out);
int file_read_fd(int fd, size_t max, struct strbuf *out); /* leaves FD open */

/* The LEN bytes at OFFSET.  0 or a negative errno; -ENODATA: the file ends before. */
int file_read_at(int fd, uint64_t offset, void *out, size_t len)
	__attribute__((warn_unused_result));

/* Writes all LEN bytes.  0 or a negative errno, after which some may stand there. */
int file_write(int fd, const void *bytes, size_t len) __attribute__((warn_unused_result));

/*
 * Gives PATH this content, as a whole or not at all, by way of a file beside it that only
 * this process has.  0, or a negative errno and PATH as it was.
 */
int file_replace(const char *path, const void *bytes, size_t len, mode_t mode)
	__attribute__((warn_unused_result));

#endif
