/* SPDX-License-Identifier: Apache-2.0 */
#include "process/proc_list.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

/* Adds the entries of a directory whose names are numbers. */
static int read_numbers(const char *path, pid_vec *out)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			*vec_push(out) = (pid_t)strtol(entry->d_name, NULL, 10);
	closedir(dir);
	return 0;
}

bool proc_is_own(const char *root, pid_t pid)
{
	char *path = xasprintf("%s/proc/%d", root, (int)pid);
	struct stat st;
	bool is = !stat(path, &st) && st.st_uid == geteuid();

	free(path);
	return is;
}

int proc_list_processes(const char *root, pid_vec *out)
{
	char *path = xasprintf("%s/proc", root);
	int error = read_numbers(path, out);

	free(path);
	return error;
}

int proc_list_threads(const char *root, pid_t pid, pid_vec *out)
{
	char *path = xasprintf("%s/proc/%d/task", root, (int)pid);
	int error = read_numbers(path, out);

	free(path);
	return error;
}

static int read_children(const char *root, pid_t pid, pid_t tid, pid_vec *out)
{
	FILE *f = file_fopen(root, "/proc/%d/task/%d/children", (int)pid, (int)tid);
	long child;

	if (!f)
		return -errno;
	while (fscanf(f, "%ld", &child) == 1 && child > 0)
		*vec_push(out) = (pid_t)child;
	fclose(f);
	return 0;
}

int proc_list_children(const char *root, pid_t pid, pid_vec *out)
{
	pid_vec tids = { 0 };
	int error = proc_list_threads(root, pid, &tids);
	size_t read = 0;

	/* a thread that has ended has no children: others inherited them */
	for (size_t i = 0; i < tids.len; i++)
		read += !read_children(root, pid, tids.data[i], out);
	vec_release(&tids);
	return error ? error : read ? 0 : -ENOENT;
}
