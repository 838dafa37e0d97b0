/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads another process's memory without a long wait.
 *
 * A read may wait: for the lock of the target's mappings, for a swapped page, or for ever
 * if the target should serve its own pages (userfaultfd) and does not.  So a thread of
 * its own reads, and the caller waits at most REMOTE_WAIT_NS.  After that nothing more is
 * read until that read is over.
 */
#ifndef REMOTE_READ_H
#define REMOTE_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { REMOTE_MAX = 65536, REMOTE_WAIT_NS = 4000000 };

struct remote_reader;

/* NULL: there can be no thread. */
struct remote_reader *remote_reader_new(void);

/* Does not wait.  NULL is allowed. */
void remote_reader_free(struct remote_reader *p);

/*
 * Reads LEN bytes, up to REMOTE_MAX, at ADDRESS of PID into TO.  Returns the number read,
 * or a negative errno: -EAGAIN if it takes too long.
 */
ssize_t remote_read(struct remote_reader *p, pid_t pid, uint64_t address, void *to,
		    size_t len);

#endif
