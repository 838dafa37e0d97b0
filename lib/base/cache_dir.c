/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cache_dir.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/xalloc.h"

char *cache_dir(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *base, *dir;

	if (xdg && xdg[0] == '/')
		base = xstrdup(xdg);
	else if (home && home[0] == '/')
		base = xasprintf("%s/.cache", home);
	else
		return NULL;
	dir = xasprintf("%s/ringprof", base);
	mkdir(base, 0700);
	mkdir(dir, 0700);
	free(base);
	return dir;
}
