/* SPDX-License-Identifier: Apache-2.0 */
#include "events/tracepoint_match.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/sysfs.h"
#include "base/xalloc.h"

bool tracepoint_is_pattern(const char *name)
{
	size_t sys = strcspn(name, ":");

	return sys && name[sys] && !strpbrk(name, "/.=") && strcspn(name, "*?[") > sys &&
	       strpbrk(name + sys + 1, "*?[") && !strchr(name + sys + 1, ':');
}

void tracepoint_names_release(struct tracepoint_names *names)
{
	vec_for_each(char *, name, &names->v)
		free(*name);
	vec_release(&names->v);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads FOLDER, a subsystem's: the tracepoints with a matching name and an id. */
static int read_folder(const char *folder, const char *pattern,
		       struct tracepoint_names *names)
{
	size_t sys = strcspn(pattern, ":");
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		char *id = xasprintf("%s/%s/id", folder, entry->d_name);

		if (!fnmatch(pattern + sys + 1, entry->d_name, FNM_PERIOD) &&
		    !access(id, F_OK))
			*vec_push(&names->v) = xasprintf("%.*s:%s", (int)sys, pattern,
							 entry->d_name);
		free(id);
	}
	closedir(dir);
	return 0;
}

static int fail(const char *pattern, size_t count, int error, struct strbuf *err)
{
	if (error && error != -ENOENT) {
		strbuf_addf(err,
			    "cannot see the tracepoints that match %s: %s; try as root",
			    pattern, strerror(-error));
		return -EACCES;
	}
	if (!count) {
		strbuf_addf(err, "no tracepoint matches %s", pattern);
		return -ENOENT;
	}
	strbuf_addf(err,
		    "%s matches %zu tracepoints, and %d can be recorded together; say "
		    "which",
		    pattern, count, TRACEPOINTS_MAX);
	return -E2BIG;
}

int tracepoint_match(const struct events *events, const char *pattern,
		     struct tracepoint_names *names, struct strbuf *err)
{
	int error = -ENOENT;

	for (size_t i = 0; i < SYSFS_TRACING_DIRS && error == -ENOENT; i++) {
		char *folder = xasprintf("%s%s/events/%.*s", events->root,
					 sysfs_tracing_dirs[i],
					 (int)strcspn(pattern, ":"), pattern);

		error = read_folder(folder, pattern, names);
		free(folder);
	}
	if (error || !names->v.len || names->v.len > TRACEPOINTS_MAX)
		return fail(pattern, names->v.len, error, err);
	qsort(names->v.data, names->v.len, sizeof(*names->v.data), by_name);
	return 0;
}
