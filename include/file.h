/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that others write (other programs, /proc), read whole and bounded.
 */
#ifndef FILE_H
#define FILE_H

#include <stddef.h>

#include "strbuf.h"

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

/*
 * Appends the content, of which st_size may say nothing (/proc), to OUT.  0 or a negative
 * errno; -EFBIG for more than MAX bytes, of which OUT then holds the first MAX.
 */
int file_read(const char *path, size_t max, struct strbuf *out);
int file_read_fd(int fd, size_t max, struct strbuf *out); /* leaves FD open */

#endif
