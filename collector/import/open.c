/* SPDX-License-Identifier: Apache-2.0 */
#include "import/open.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "import/perf_layout.h"
#include "base/xalloc.h"

/* The most CPUs that Linux can have: a file with a higher number is not perf's. */
enum { PARTS_MAX = 8192 };

static int open_in(const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	int fd = file_open(path);

	free(path);
	return fd;
}

int import_open(const char *path, struct strbuf *err)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	int fd = file_open_stream(path), data;

	if (fd == -EISDIR) {
		data = open_in(path, "data");
		fd = data == -ENOENT ? fd : data;
	}
	if (fd < 0)
		strbuf_addf(err, "%s cannot be read: %s", name, strerror(-fd));
	return fd;
}

/* ---- the other files of a folder ---- */

typedef VEC(uint32_t) numbers;

/* data.0, data.1, …: never with a leading zero. */
static bool is_part(const char *name, uint32_t *number)
{
	char again[32];

	if (sscanf(name, "data.%" SCNu32, number) != 1 || *number >= PARTS_MAX)
		return false;
	snprintf(again, sizeof(again), "data.%" PRIu32, *number);
	return !strcmp(name, again);
}

/* Empty if PATH is no directory. */
static void list(const char *path, numbers *out)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		uint32_t number;

		if (is_part(entry->d_name, &number))
			*vec_push(out) = number;
	}
	if (dir)
		closedir(dir);
}

static int compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int open_part(const char *path, uint32_t number, struct perf_file *f,
		     import_fds *fds, struct strbuf *err)
{
	char name[32];
	int fd, error;

	snprintf(name, sizeof(name), "data.%" PRIu32, number);
	fd = open_in(path, name);
	if (fd >= 0)
		*vec_push(fds) = fd;
	error = fd < 0 ? fd : perf_file_add_part(f, fd, name);
	if (error == -EINVAL)
		strbuf_addf(err, "%s in it is not a file", name);
	else if (error)
		strbuf_addf(err, "%s in it cannot be read: %s", name, strerror(-error));
	return error;
}

static int open_numbers(const char *path, const numbers *v, struct perf_file *f,
			import_fds *fds, struct strbuf *err)
{
	int error = 0;

	file_allow_many();
	for (size_t i = 0; i < v->len && !error; i++)
		error = open_part(path, v->data[i], f, fds, err);
	f->missing = v->len ? v->data[v->len - 1] + 1 - v->len : 0;
	return error;
}

int import_open_parts(const char *path, struct perf_file *f, import_fds *fds,
		      struct strbuf *err)
{
	numbers v = { 0 };
	int error;

	if (f->info.folder > PERF_FOLDER_RINGS) {
		strbuf_addf(err, "it is a folder of layout %" PRIu64 ", which is unknown",
			    f->info.folder);
		return -ENOTSUP;
	}
	/* a killed perf did not write the layout */
	if (f->pipe || (!f->info.folder && !f->unfinished && !f->own.truncated))
		return 0;
	list(path, &v);
	if (v.len)
		qsort(v.data, v.len, sizeof(*v.data), compare);
	error = open_numbers(path, &v, f, fds, err);
	vec_release(&v);
	return error;
}
