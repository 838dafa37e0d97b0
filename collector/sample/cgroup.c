/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

/* Start of a group's name; the rest is the pid of the collect that made it. */
#define PREFIX "ringprof-"

/* Where the unified hierarchy is mounted; NULL: nowhere.  proc(5), /proc/PID/mounts. */
static char *find_mount(const char *root)
{
	FILE *f = file_fopen(root, "/proc/self/mounts");
	char line[8192];
	struct mntent mount;
	char *found = NULL;

	while (f && !found && getmntent_r(f, &mount, line, sizeof(line)))
		if (!strcmp(mount.mnt_type, "cgroup2"))
			found = xstrdup(mount.mnt_dir);
	if (f)
		fclose(f);
	return found;
}

/* Our own group in it, "/…"; NULL: unknown. */
static char *find_own(const char *root)
{
	FILE *f = file_fopen(root, "/proc/self/cgroup");
	char line[4096];
	char *found = NULL;

	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::/", 4))
			found = xstrdup(line + 3);
	}
	if (f)
		fclose(f);
	return found;
}

/*
 * Removes groups of killed collects.  Those with running processes cannot be removed, and
 * stay until another look.
 */
static void sweep(const char *parent)
{
	DIR *dir = opendir(parent);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *end;
		long pid;

		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
			continue;
		pid = strtol(entry->d_name + strlen(PREFIX), &end, 10);
		if (pid > 0 && !*end && kill((pid_t)pid, 0) < 0 && errno == ESRCH)
			unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
}

int cgroup_make(struct cgroup *g, const char *root)
{
	char *mount = find_mount(root), *own = find_own(root);
	int error = 0;

	*g = (struct cgroup)CGROUP_NONE;
	if (!mount || !own) {
		error = -ENOENT;
		goto out;
	}
	g->parent = xasprintf("%s%s", mount, strcmp(own, "/") ? own : "");
	sweep(g->parent);
	g->path = xasprintf("%s/" PREFIX "%ld", g->parent, (long)getpid());
	if (mkdir(g->path, 0755) < 0) {
		error = -errno;
		free(g->path);
		g->path = NULL;
		goto out;
	}
	g->fd = open(g->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (g->fd < 0)
		error = -errno;
out:
	free(mount);
	free(own);
	return error;
}

/* Writes PID to a group's list of processes, which moves it there. */
static int move(const char *group, pid_t pid)
{
	char *path = xasprintf("%s/cgroup.procs", group);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int error = fd < 0 ? -errno : 0;

	free(path);
	if (error)
		return error;
	if (dprintf(fd, "%ld\n", (long)pid) < 0)
		error = -errno;
	close(fd);
	return error;
}

int cgroup_add(const struct cgroup *g, pid_t pid)
{
	return move(g->path, pid);
}

/* "KEY NUMBER" among the lines of TEXT. */
static bool find_us(const char *text, const char *key, uint64_t *ns)
{
	const char *at = strstr(text, key);
	char *end;
	uint64_t us;

	if (!at)
		return false;
	at += strlen(key);
	us = strtoull(at, &end, 10);
	*ns = us * 1000;
	return end > at && us <= UINT64_MAX / 1000;
}

bool cgroup_cpu(const struct cgroup *g, uint64_t *user_ns, uint64_t *system_ns)
{
	char text[4096];
	int fd = g->fd >= 0 ? openat(g->fd, "cpu.stat", O_RDONLY | O_CLOEXEC) : -1;
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len < 0)
		return false;
	text[len] = '\0';
	return find_us(text, "user_usec ", user_ns) &&
	       find_us(text, "system_usec ", system_ns);
}

/* Moves one process after another; another look finds those born meanwhile. */
static void empty(const struct cgroup *g)
{
	char *path = xasprintf("%s/cgroup.procs", g->path);

	for (int look = 0; look < 100; look++) {
		FILE *f = fopen(path, "re");
		long pid;
		int met = 0;

		while (f && fscanf(f, "%ld", &pid) == 1 && pid > 0)
			met += !move(g->parent, (pid_t)pid);
		if (f)
			fclose(f);
		if (!met)
			break;
	}
	free(path);
}

void cgroup_release(struct cgroup *g)
{
	if (g->path) {
		empty(g);
		rmdir(g->path);
	}
	if (g->fd >= 0)
		close(g->fd);
	free(g->path);
	free(g->parent);
	*g = (struct cgroup)CGROUP_NONE;
}
