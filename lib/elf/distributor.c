/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/distributor.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

enum { OS_RELEASE_MAX = 1 << 16 };

static const struct distributor distributors[] = {
	{ "debian", "https://debuginfod.debian.net" },
	{ "ubuntu", "https://debuginfod.ubuntu.com" },
	{ "fedora", "https://debuginfod.fedoraproject.org" },
	{ "centos", "https://debuginfod.centos.org" },
	{ "rhel", NULL },
	{ "opensuse", "https://debuginfod.opensuse.org" },
};

static const struct distributor *find(const char *id)
{
	for (size_t i = 0; i < sizeof(distributors) / sizeof(distributors[0]); i++)
		if (!strncmp(id, distributors[i].id, strlen(distributors[i].id)))
			return &distributors[i];
	return NULL;
}

const struct distributor *distributor_here(const char *root)
{
	char *path = xasprintf("%s/etc/os-release", root);
	const struct distributor *found = NULL;
	struct strbuf text = { 0 };
	const char *id;
	int error;

	strbuf_addch(&text, '\n');
	error = file_read(path, OS_RELEASE_MAX, &text);
	(void)error; /* without the file the system is unknown */
	id = strstr(text.data, "\nID=");
	if (id)
		found = find(id + 4 + (id[4] == '"'));
	strbuf_release(&text);
	free(path);
	return found;
}

bool distributor_may_own(const char *path)
{
	static const char *const dirs[] = { "/usr/", "/lib", "/bin/", "/sbin/", "/opt/" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (!strncmp(path, dirs[i], strlen(dirs[i])))
			return strncmp(path, "/usr/local/", 11) != 0;
	return false;
}
