/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cgroup2.h"

#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

/* Whether a mount is the one to look for. */
typedef bool wanted_fn(const struct mntent *mount, const char *directory);

/* The directory of the first wanted mount: proc(5), /proc/PID/mounts. */
static char *find_mount(const char *root, wanted_fn *wanted, const char *directory)
{
	FILE *f = file_fopen(root, "/proc/self/mounts");
	char line[8192];
	struct mntent mount;
	char *found = NULL;

	while (f && !found && getmntent_r(f, &mount, line, sizeof(line)))
		if (wanted(&mount, directory))
			found = xstrdup(mount.mnt_dir);
	if (f)
		fclose(f);
	return found;
}

static bool is_unified(const struct mntent *mount, const char *directory)
{
	(void)directory;
	return !strcmp(mount->mnt_type, "cgroup2");
}

char *cgroup2_mount(const char *root)
{
	return find_mount(root, is_unified, NULL);
}

static bool is_of_version_1(const struct mntent *mount, const char *directory)
{
	size_t len = strlen(mount->mnt_dir);

	return !strcmp(mount->mnt_type, "cgroup") &&
	       !strncmp(directory, mount->mnt_dir, len) &&
	       (!directory[len] || directory[len] == '/');
}

bool cgroup1_has(const char *root, const char *directory)
{
	char *mount = find_mount(root, is_of_version_1, directory);

	free(mount);
	return mount != NULL;
}

/* "9:cpu,perf_event:/path" */
static bool names_controller(char *line, const char *controller)
{
	char *names = strchr(line, ':'), *end = names ? strchr(names + 1, ':') : NULL;

	if (!end)
		return false;
	*end = '\0';
	for (char *rest, *name = strtok_r(names + 1, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest))
		if (!strcmp(name, controller))
			return true;
	return false;
}

bool cgroup1_has_controller(const char *root, const char *controller)
{
	FILE *f = file_fopen(root, "/proc/self/cgroup");
	char line[4096];
	bool has = false;

	while (f && !has && fgets(line, sizeof(line), f))
		has = names_controller(line, controller);
	if (f)
		fclose(f);
	return has;
}

/* The group in /proc/PID/cgroup, which is closed. */
static char *read_group(FILE *f)
{
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

char *cgroup2_own(const char *root)
{
	return read_group(file_fopen(root, "/proc/self/cgroup"));
}

char *cgroup2_of(const char *root, pid_t pid, pid_t tid)
{
	return read_group(
		file_fopen(root, "/proc/%d/task/%d/cgroup", (int)pid, (int)tid));
}

bool cgroup2_is_within(const char *group, const char *whole)
{
	size_t len = strlen(whole);

	return !strcmp(whole, "/") ||
	       (!strncmp(group, whole, len) && (!group[len] || group[len] == '/'));
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

bool cgroup2_cpu(int group, uint64_t *user_ns, uint64_t *system_ns)
{
	char text[4096];
	int fd = openat(group, "cpu.stat", O_RDONLY | O_CLOEXEC);
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
