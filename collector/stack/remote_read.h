/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading another process's memory without waiting for it for long.
 *
 * A read may wait: for the lock of the target's mappings, for a page that was swapped
 * out, for ever where the target serves its own pages (userfaultfd) and does not.  So a
 * thread of its own reads, and who asked waits REMOTE_WAIT_NS at most.  Nothing more is
 * read then until that read is over.
 */
#ifndef REMOTE_READ_H
#define REMOTE_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { REMOTE_MAX = 16384, REMOTE_WAIT_NS = 4000000 };

struct remote_reader;

/* NULL where there can be no thread. */
struct remote_reader *remote_reader_new(void);

/* Waits for nobody.  NULL is allowed. */
void remote_reader_free(struct remote_reader *p);

/*
 * Reads LEN bytes, up to REMOTE_MAX, at ADDRESS of PID into TO.  How many could be read; or
 * a negative errno: -EAGAIN where it takes too long.
 */
ssize_t remote_read(struct remote_reader *p, pid_t pid, uint64_t address, void *to,
		    size_t len);

#endif
