/* SPDX-License-Identifier: Apache-2.0 */
#include "imported.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache_dir.h"
#include "exp_format.h"
#include "file.h"
#include "xalloc.h"

extern char **environ;

/* The file itself, or of the folder that perf record --kcore writes what is called data.
 */
static int open_recording(const char *path)
{
	int fd = file_open(path);
	char *data;

	if (fd >= 0)
		return fd;
	data = xasprintf("%s/data", path);
	fd = file_open(data);
	free(data);
	return fd;
}

/* Both byte orders. */
static bool is_recording(const char *path, struct stat *st)
{
	char magic[8];
	int fd = open_recording(path);
	bool is = fd >= 0 && !fstat(fd, st) &&
		  pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		  (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));

	if (fd >= 0)
		close(fd);
	return is;
}

/* Another content, or another time of change, is another name. */
static char *place_of(const struct stat *st)
{
	char *dir = cache_dir(), *place;

	if (!dir)
		return NULL;
	place = xasprintf("%s/import-%jx-%jx-%jx-%jx.%09ld.er", dir,
			  (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
			  (uintmax_t)st->st_size, (uintmax_t)st->st_mtim.tv_sec,
			  st->st_mtim.tv_nsec);
	free(dir);
	return place;
}

static bool is_whole(const char *place)
{
	char *log = xasprintf("%s/%s", place, EXP_LOG_FILE);
	bool is = !access(log, R_OK);

	free(log);
	return is;
}

/* The collect that was built or installed with us; else the shell would find one. */
static char *find_collect(void)
{
	char self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash, *beside;

	self[len < 0 ? 0 : len] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return xstrdup("collect");
	beside = xasprintf("%.*s/collect", (int)(slash - self), self);
	if (!access(beside, X_OK))
		return beside;
	free(beside);
	return xstrdup("collect");
}

static int run_collect(const char *path, const char *place)
{
	char *collect = find_collect();
	char *words[] = { collect,       xstrdup("--import"), xstrdup(path),
			  xstrdup("-O"), xstrdup(place),      NULL };
	int status = 0, error;
	pid_t pid;

	error = -posix_spawnp(&pid, collect, NULL, NULL, words, environ);
	while (!error && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			error = -errno;
	if (!error && status)
		error = -EBADMSG;
	for (char **word = words; *word; word++)
		free(*word);
	return error;
}

/*
 * Made under a name of our own, so that nobody sees half of it; of two that make it at
 * the same time the second finds it made, and leaves its own where it is.
 */
static int make(const char *path, char **place)
{
	char *own = xasprintf("%.*s-%ld.er", (int)(strlen(*place) - 3), *place,
			      (long)getpid());
	int error = run_collect(path, own);

	if (!error && rename(own, *place) < 0) {
		free(*place);
		*place = own;
		return 0;
	}
	free(own);
	return error;
}

int imported_find(const char *path, char **out, struct strbuf *err)
{
	struct stat st;
	int error;

	*out = NULL;
	if (!is_recording(path, &st))
		return 0;
	*out = place_of(&st);
	if (!*out) {
		strbuf_addf(err,
			    "there is no place to import %s to: set HOME, or make an "
			    "experiment of it with collect --import",
			    path);
		return -ENOENT;
	}
	if (is_whole(*out))
		return 0;
	error = make(path, out);
	if (!error)
		return 0;
	strbuf_addf(err, "%s was not imported", path);
	if (error != -EBADMSG)
		strbuf_addf(err, ": collect cannot be run: %s", strerror(-error));
	free(*out);
	*out = NULL;
	return error;
}
