/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tree_remove.h"

#include <ftw.h>
#include <stdio.h>

enum { DESCRIPTORS = 16 };

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	remove(path);
	return 0;
}

void tree_remove(const char *path)
{
	nftw(path, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}
