/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap DIR PREFIX* NAME: exchanges what begins with PREFIX in DIR for NAME, and back, again
 * and again, until it is killed.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

int main(int argc, char **argv)
{
	DIR *dir = argc == 4 ? opendir(argv[1]) : NULL;
	size_t len = argc == 4 ? strcspn(argv[2], "*") : 0;
	struct dirent *entry;

	if (!dir) {
		fputs("usage: swap DIR PREFIX* NAME\n", stderr);
		return 2;
	}
	for (;; rewinddir(dir))
		while ((entry = readdir(dir)))
			if (!strncmp(entry->d_name, argv[2], len))
				syscall(SYS_renameat2, dirfd(dir), entry->d_name,
					dirfd(dir), argv[3], RENAME_EXCHANGE);
}
