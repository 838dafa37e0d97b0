/* SPDX-License-Identifier: Apache-2.0 */
#include "model/imported.h"

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

#include "base/cache_dir.h"
#include "experiment/read.h"
#include "base/file.h"
#include "base/tree_remove.h"
#include "base/xalloc.h"

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

/* Another content, or another time of change, is another name.  A time that was set back
 * changes the inode's own. */
static char *place_of(const struct stat *st)
{
	char *dir = cache_dir(), *place;

	if (!dir)
		return NULL;
	place = xasprintf("%s/import-%jx-%jx-%jx-%jx.%09ld-%jx.%09ld.er", dir,
			  (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
			  (uintmax_t)st->st_size, (uintmax_t)st->st_mtim.tv_sec,
			  st->st_mtim.tv_nsec, (uintmax_t)st->st_ctim.tv_sec,
			  st->st_ctim.tv_nsec);
	free(dir);
	return place;
}

/* Whether nothing of it is missing: disks fill up, and machines lose power. */
static bool is_whole(const char *place)
{
	struct experiment *exp = NULL;
	struct strbuf why = { 0 };
	bool is = !experiment_open(place, &exp, &why) && exp->log.complete &&
		  !exp->truncated && exp->samples >= exp->log.samples;

	experiment_free(exp);
	strbuf_release(&why);
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
 * Gives OWN the name PLACE.  What is there already is what another made at the same time,
 * and as good; or it is damaged, and gives way.
 */
static void settle(char **own, char **place)
{
	char *kept = *place;

	if (!rename(*own, *place))
		return;
	if (is_whole(*place)) {
		tree_remove(*own);
		return;
	}
	tree_remove(*place);
	if (!rename(*own, *place))
		return;
	*place = *own; /* it cannot be removed */
	*own = kept;
}

/* Made under a name of our own, so that nobody sees half of it. */
static int make(const char *path, char **place)
{
	char *own = xasprintf("%.*s-%ld.er", (int)(strlen(*place) - 3), *place,
			      (long)getpid());
	int error = run_collect(path, own);

	if (!error)
		settle(&own, place);
	free(own);
	return error;
}

static bool cache_is_writable(void)
{
	char *dir = cache_dir();
	bool is = dir && !access(dir, W_OK | X_OK);

	free(dir);
	return is;
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
	else if (!cache_is_writable())
		strbuf_addstr(err,
			      ": the cache cannot be written; set XDG_CACHE_HOME, or "
			      "make an experiment of it with collect --import");
	free(*out);
	*out = NULL;
	return error;
}
