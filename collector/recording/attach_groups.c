/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cgroup2.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "recording/attach.h"

/* The kernel's id of a group is the number of its directory's inode. */
static void take_group(struct recording *rec, const char *mount, const char *path)
{
	char *directory = xasprintf("%s%s", mount, path);
	struct stat st;

	if (!lstat(directory, &st))
		details_add_cgroup(&rec->details, &rec->in,
				   &(struct record_cgroup){
					   .id = st.st_ino,
					   .path = *path ? path : "/",
				   });
	free(directory);
}

typedef VEC(char *) path_vec;

static void add_below(const char *mount, const char *path, path_vec *paths)
{
	char *directory = xasprintf("%s%s", mount, path);
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && paths->len < DETAILS_CGROUPS_MAX && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
		    strcmp(entry->d_name, ".."))
			*vec_push(paths) = xasprintf("%s/%s", path, entry->d_name);
	if (dir)
		closedir(dir);
	free(directory);
}

void attach_groups(struct recording *rec, const char *root)
{
	char *mount = cgroup2_mount(root);
	path_vec paths = { 0 };

	if (!mount)
		return;
	*vec_push(&paths) = xstrdup("");
	for (size_t i = 0; i < paths.len; i++) {
		take_group(rec, mount, paths.data[i]);
		add_below(mount, paths.data[i], &paths);
	}
	vec_for_each(char *const, path, &paths)
		free(*path);
	vec_release(&paths);
	free(mount);
}
