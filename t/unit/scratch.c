/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

static void must(int held, const char *what)
{
	if (held)
		return;
	perror(what);
	exit(99);
}

char *scratch_make(void)
{
	const char *tmp = getenv("TMPDIR");
	char *root = xasprintf("%s/ringprof-unit-XXXXXX", tmp ? tmp : "/tmp");

	must(mkdtemp(root) != NULL, root);
	return root;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void scratch_remove(char *root)
{
	must(!nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), root);
	free(root);
}

void scratch_write(const char *root, const char *path, const void *bytes, size_t len)
{
	char *full = xasprintf("%s/%s", root, path);
	FILE *f;

	for (char *slash = full + strlen(root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	f = fopen(full, "we");
	must(f && fwrite(bytes, 1, len, f) == len && !fclose(f), full);
	free(full);
}

void scratch_text(const char *root, const char *path, const char *text)
{
	scratch_write(root, path, text, strlen(text));
}

void scratch_read(const char *root, const char *path, struct strbuf *out)
{
	char *full = xasprintf("%s/%s", root, path);

	must(!file_read(full, (size_t)1 << 30, out), full);
	free(full);
}

size_t scratch_count(const char *root, const char *path)
{
	char *full = xasprintf("%s/%s", root, path);
	DIR *dir = opendir(full);
	struct dirent *entry;
	size_t count = 0;

	while (dir && (entry = readdir(dir)))
		count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (dir)
		closedir(dir);
	free(full);
	return count;
}
