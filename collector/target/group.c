/* SPDX-License-Identifier: Apache-2.0 */
#include "target/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cgroup2.h"
#include "base/xalloc.h"

#define LOOK_NS 50000000u

enum { DEPTH_MAX = 128, DIRECTORY = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW };

int target_group_open(struct target_group *g, const char *directory, const char *path)
{
	int fd = open(directory, DIRECTORY);

	if (fd < 0)
		return -errno;
	*g = (struct target_group){ .fd = fd, .path = xstrdup(path) };
	return 0;
}

/* A process of another namespace is 0 here. */
static void add_own(int group, pid_vec *pids)
{
	int fd = openat(group, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	long pid;

	while (f && fscanf(f, "%ld", &pid) == 1)
		if (pid > 0)
			*vec_push(pids) = (pid_t)pid;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
}

/* Closes GROUP. */
static void add_all(int group, int depth, pid_vec *pids)
{
	DIR *dir = fdopendir(group);
	struct dirent *entry;

	if (!dir) {
		close(group);
		return;
	}
	add_own(group, pids);
	while (depth < DEPTH_MAX && (entry = readdir(dir))) {
		int below = -1;

		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
		    strcmp(entry->d_name, ".."))
			below = openat(group, entry->d_name, DIRECTORY);
		if (below >= 0)
			add_all(below, depth + 1, pids);
	}
	closedir(dir);
}

void target_group_processes(const struct target_group *g, pid_vec *pids)
{
	int fd = openat(g->fd, ".", DIRECTORY); /* with a position of its own */

	if (fd >= 0)
		add_all(fd, 0, pids);
}

void target_group_begin(struct target_group *g)
{
	g->has_times = cgroup2_cpu(g->fd, &g->user_before, &g->system_before);
	g->user_ns = g->user_before;
	g->system_ns = g->system_before;
}

/* Whether processes are in it; false once it is gone. */
static bool is_populated(const struct target_group *g, bool *gone)
{
	char text[256];
	int fd = openat(g->fd, "cgroup.events", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	*gone = fd < 0 ? errno == ENOENT || errno == ENODEV : len < 0;
	if (fd >= 0)
		close(fd);
	if (len < 0)
		return false;
	text[len] = '\0';
	return strstr(text, "populated 1") != NULL;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void target_group_poll(struct target_group *g, bool now)
{
	uint64_t time = now_ns();
	bool empty;

	if (g->gone || (!now && time - g->looked_ns < LOOK_NS))
		return;
	g->looked_ns = time;
	empty = !is_populated(g, &g->gone);
	if (!g->gone && g->has_times && cgroup2_cpu(g->fd, &g->user_ns, &g->system_ns))
		g->empty = empty;
}

bool target_group_times(const struct target_group *g, uint64_t *user_ns,
			uint64_t *system_ns)
{
	*user_ns = g->user_ns - g->user_before;
	*system_ns = g->system_ns - g->system_before;
	return g->has_times && (g->empty || !g->gone);
}

void target_group_release(struct target_group *g)
{
	if (g->path)
		close(g->fd);
	free(g->path);
	*g = (struct target_group)TARGET_GROUP_NONE;
}
