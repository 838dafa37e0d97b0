/* SPDX-License-Identifier: Apache-2.0 */
/* Directories for a fuzzer's files, in memory if possible: a disk may stall. */
#ifndef FUZZ_SCRATCH_H
#define FUZZ_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_PATH_MAX = 64 };

/* Makes one, and gives its path. */
static inline void scratch_make(char path[SCRATCH_PATH_MAX])
{
	snprintf(path, SCRATCH_PATH_MAX, "%s/ringprof-fuzz-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(path))
		abort();
}

/* Removes it with the one file in it that is called NAME. */
static inline void scratch_remove(const char *path, const char *name)
{
	char file[SCRATCH_PATH_MAX + 64];

	snprintf(file, sizeof(file), "%s/%s", path, name);
	unlink(file);
	rmdir(path);
}

#endif
