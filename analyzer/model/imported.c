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
#include "base/folder.h"
#include "base/xalloc.h"

extern char **environ;

/* Opens the file itself, or "data" in the directory that perf record --kcore writes. */
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

/*
 * Other content, or another time of change, gives another name.  Setting a time back
 * changes the inode's own.
 */
static char *name_of(const struct stat *st)
{
	return xasprintf("import-%jx-%jx-%jx-%jx.%09ld-%jx.%09ld.er",
			 (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
			 (uintmax_t)st->st_size, (uintmax_t)st->st_mtim.tv_sec,
			 st->st_mtim.tv_nsec, (uintmax_t)st->st_ctim.tv_sec,
			 st->st_ctim.tv_nsec);
}

/* By path: only this user can write in the cache. */
static char *path_in(const struct folder *cache, const char *name)
{
	return xasprintf("%s/%s", cache->path, name);
}

/* Whether it is complete: disks fill up, and machines lose power. */
static bool is_whole(const struct folder *cache, const char *name)
{
	struct experiment *exp = NULL;
	struct strbuf why = { 0 };
	char *place = path_in(cache, name);
	bool is = !experiment_open(place, &exp, &why) && exp->log.complete &&
		  !exp->truncated && exp->samples >= exp->log.samples;

	experiment_free(exp);
	strbuf_release(&why);
	free(place);
	return is;
}

/* The collect that was built or installed with us; else the one in PATH. */
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
 * Gives OWN the name NAME.  An existing one was made at the same time and is as good; or
 * it is damaged, and is replaced.
 */
static void settle(const struct folder *cache, char **own, char **name)
{
	char *kept = *name;

	if (!renameat(cache->fd, *own, cache->fd, *name))
		return;
	if (is_whole(cache, *name)) {
		folder_remove_tree(cache->fd, *own);
		return;
	}
	folder_remove_tree(cache->fd, *name);
	if (!renameat(cache->fd, *own, cache->fd, *name))
		return;
	*name = *own; /* it cannot be removed */
	*own = kept;
}

/* Made under a name of our own, so nobody sees half of it. */
static int make(const char *path, const struct folder *cache, char **name)
{
	char *own = xasprintf("%.*s-%ld.er", (int)(strlen(*name) - 3), *name,
			      (long)getpid());
	char *place = path_in(cache, own);
	int error = run_collect(path, place);

	if (!error)
		settle(cache, &own, name);
	free(place);
	free(own);
	return error;
}

static int no_cache(const char *path, int error, struct strbuf *err)
{
	strbuf_addf(err, "there is no place to import %s to", path);
	if (error == -EACCES)
		strbuf_addstr(err, ", since the cache is another user's, or others may "
				   "write there");
	else if (error != -ENOENT)
		strbuf_addf(err, ", since the cache cannot be opened: %s",
			    strerror(-error));
	strbuf_addf(err, ": set %s, or make an experiment of it with collect --import",
		    error == -ENOENT ? "HOME" : "XDG_CACHE_HOME");
	return error;
}

static void not_imported(const char *path, const struct folder *cache, int error,
			 struct strbuf *err)
{
	strbuf_addf(err, "%s was not imported", path);
	if (error != -EBADMSG)
		strbuf_addf(err, ": collect cannot be run: %s", strerror(-error));
	else if (faccessat(cache->fd, ".", W_OK | X_OK, 0))
		strbuf_addstr(err,
			      ": the cache cannot be written; set XDG_CACHE_HOME, or "
			      "make an experiment of it with collect --import");
}

int imported_find(const char *path, char **out, struct strbuf *err)
{
	struct folder cache;
	struct stat st;
	char *name;
	int error;

	*out = NULL;
	if (!is_recording(path, &st))
		return 0;
	error = cache_open(&cache);
	if (error)
		return no_cache(path, error, err);
	name = name_of(&st);
	if (!is_whole(&cache, name))
		error = make(path, &cache, &name);
	if (error)
		not_imported(path, &cache, error, err);
	else
		*out = path_in(&cache, name);
	free(name);
	folder_release(&cache);
	return error;
}
