/* SPDX-License-Identifier: Apache-2.0 */
#include "import_open.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "xalloc.h"

static bool is_there(const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	bool is = !access(path, F_OK);

	free(path);
	return is;
}

static int open_in(const char *folder)
{
	char *path = xasprintf("%s/data", folder);
	int fd = file_open(path);

	free(path);
	return fd;
}

int import_open(const char *path, struct strbuf *err)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	int fd = file_open_stream(path);

	if (fd == -EISDIR && is_there(path, "data.0")) {
		strbuf_addf(err,
			    "%s cannot be imported: it has a file for each thread of "
			    "perf record --threads; record without that option",
			    name);
		return -ENOTSUP;
	}
	if (fd == -EISDIR && is_there(path, "data"))
		fd = open_in(path);
	if (fd < 0)
		strbuf_addf(err, "%s cannot be read: %s", name, strerror(-fd));
	return fd;
}
