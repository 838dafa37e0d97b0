/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup2.h"
#include "base/xalloc.h"

/* Start of a group's name; the rest is the pid of the collect that made it. */
#define PREFIX "ringprof-"

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
	char *mount = cgroup2_mount(root), *own = cgroup2_own(root);
	int error = 0;

	*g = (struct cgroup)CGROUP_NONE;
	if (!mount || !own) {
		error = -ENOENT;
		goto out;
	}
	g->parent = xasprintf("%s%s", mount, strcmp(own, "/") ? own : "");
	sweep(g->parent);
	g->path = xasprintf("%s/" PREFIX "%ld", g->parent, (long)getpid());
	g->name = xasprintf("%s/" PREFIX "%ld", strcmp(own, "/") ? own : "",
			    (long)getpid());
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

bool cgroup_cpu(const struct cgroup *g, uint64_t *user_ns, uint64_t *system_ns)
{
	return g->fd >= 0 && cgroup2_cpu(g->fd, user_ns, system_ns);
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
	free(g->name);
	*g = (struct cgroup)CGROUP_NONE;
}
