/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that an ordinary user may serve: he mounts a file system of his own (FUSE) in a user
 * namespace, and an overlay over it, which others may read.  Opening, reading and even closing
 * such a file waits for his server, and once that has taken the request not even SIGKILL ends
 * the wait.
 *
 * So a child that nobody waits for opens and copies it into memory.  If it takes too long, it
 * is left behind.  The parent never has a descriptor of such a file, except O_PATH.
 */
#ifndef SERVED_FILE_H
#define SERVED_FILE_H

#include <stdbool.h>
#include <stdint.h>

enum { SERVED_FILE_MAX = 256 << 20, SERVED_FILE_MS = 1000 };

/* What the child does.  It returns a descriptor, or a negative errno. */
struct served_file {
	int (*open)(const void *ctx);
	const void *ctx;
	int keep; /* a descriptor that OPEN needs, or -1 */
};

/*
 * A descriptor of a copy, with the file's owner, mode and time of change; or OPEN's error;
 * -ETIMEDOUT after MS; -EFBIG for more than SERVED_FILE_MAX.
 */
int served_file_copy(const struct served_file *file, unsigned ms)
	__attribute__((warn_unused_result));

/* Whether FD is such a copy.  Nothing else that named_file_open and patient_open give is. */
bool served_file_is_copy(int fd);

/*
 * Whether the file at PLACE, open with O_PATH, is on such a file system: on none with a device
 * of blocks, none that we mounted, and none that was mounted with our rights for process PID.
 * Does not wait for its server.
 */
bool served_file_may_be(int place, int64_t pid);

/* Whether the process with the /proc directory DIR has mounts of another user namespace. */
bool served_file_mounts(int dir);

#endif
