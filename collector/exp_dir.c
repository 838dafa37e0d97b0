/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/exp_dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/format.h"
#include "elf/object_file.h"
#include "base/tree_remove.h"
#include "base/xalloc.h"

/* The files that an experiment consists of. */
static const char *const files[] = { EXP_DATA_FILE, EXP_LOG_FILE, EXP_LOG_FILE ".new",
				     EXP_LINES_FILE };

static void remove_archive(const char *path)
{
	char *archive = xasprintf("%s/%s", path, EXP_ARCHIVE);

	tree_remove(archive);
	free(archive);
}

static void remove_experiment(const char *path)
{
	remove_archive(path);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *file = xasprintf("%s/%s", path, files[i]);

		unlink(file);
		free(file);
	}
	rmdir(path);
}

/* One above the highest N of a test.N.er in DIRECTORY. */
static unsigned next_number(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	unsigned top = 0;

	while (dir && (entry = readdir(dir))) {
		unsigned n;
		int begin = 0, end = 0;

		/* %u alone takes signs and blanks too */
		if (sscanf(entry->d_name, "test.%n%9u.er%n", &begin, &n, &end) == 1 &&
		    entry->d_name[begin] >= '0' && entry->d_name[begin] <= '9' && end &&
		    !entry->d_name[end] && n > top)
			top = n;
	}
	if (dir)
		closedir(dir);
	return top + 1;
}

static int fail(struct strbuf *err, const char *path, int error)
{
	strbuf_addf(err, "cannot make the experiment %s: %s; -d DIR puts it elsewhere",
		    path, strerror(-error));
	return error;
}

static int create_numbered(struct exp_dir *d, const char *directory, struct strbuf *err)
{
	for (unsigned n = next_number(directory);; n++) {
		int error;

		free(d->path);
		d->path = strcmp(directory, ".")
				  ? xasprintf("%s/test.%u.er", directory, n)
				  : xasprintf("test.%u.er", n);
		if (!mkdir(d->path, 0777))
			return 0;
		error = -errno;
		if (error != -EEXIST)
			return fail(err, d->path, error);
	}
}

static bool is_experiment(const char *path)
{
	char *log = xasprintf("%s/%s", path, EXP_LOG_FILE);
	struct stat st;
	bool yes = !stat(log, &st) && S_ISREG(st.st_mode);

	free(log);
	return yes;
}

/* Moves the old one aside, so that it can come back. */
static int set_aside(struct exp_dir *d, struct strbuf *err)
{
	if (!is_experiment(d->path)) {
		strbuf_addf(err,
			    "%s is there and is not an experiment; remove it, or choose "
			    "another name",
			    d->path);
		return -EEXIST;
	}
	d->saved = xasprintf("%s.old-%ld", d->path, (long)getpid());
	if (!rename(d->path, d->saved))
		return 0;
	free(d->saved);
	d->saved = NULL;
	return fail(err, d->path, -errno);
}

static int create_named(struct exp_dir *d, bool overwrite, struct strbuf *err)
{
	int error = 0;

	if (!mkdir(d->path, 0777))
		return 0;
	if (errno != EEXIST)
		return fail(err, d->path, -errno);
	if (!overwrite) {
		strbuf_addf(err,
			    "%s exists; overwrite it with -O, or choose another name",
			    d->path);
		return -EEXIST;
	}
	error = set_aside(d, err);
	if (!error && mkdir(d->path, 0777) < 0)
		error = fail(err, d->path, -errno);
	return error;
}

static char *join(const char *directory, const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	if (name[0] == '/' || !strcmp(directory, "."))
		return xstrndup(name, len);
	return xasprintf("%s/%.*s", directory, (int)len, name);
}

int exp_dir_create(struct exp_dir *d, const char *directory, const char *name,
		   bool overwrite, struct strbuf *err)
{
	int error;

	*d = (struct exp_dir){ 0 };
	if (!directory)
		directory = ".";
	if (!name)
		error = create_numbered(d, directory, err);
	else {
		d->path = join(directory, name);
		error = create_named(d, overwrite, err);
	}
	if (error && !d->saved) { /* nothing is ours to remove */
		free(d->path);
		d->path = NULL;
	}
	return error;
}

void exp_dir_commit(struct exp_dir *d)
{
	if (d->saved)
		remove_experiment(d->saved);
	free(d->saved);
	d->saved = NULL;
	free(d->path);
	d->path = NULL;
}

void exp_dir_release(struct exp_dir *d)
{
	if (d->path)
		remove_experiment(d->path);
	if (d->saved && rename(d->saved, d->path) < 0)
		d->saved = NULL; /* it waits under its other name */
	free(d->saved);
	free(d->path);
	*d = (struct exp_dir){ 0 };
}
