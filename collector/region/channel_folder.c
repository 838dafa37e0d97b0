/* SPDX-License-Identifier: Apache-2.0 */
#include "region/channel_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/program.h"
#include "base/xalloc.h"
#include "channel/layout.h"

#define LIBRARY "libringprof.so"

static int make_in(const char *parent, struct folder *folder)
{
	folder->path = xasprintf("%s/ringprof-regions-XXXXXX", parent);
	if (mkdtemp(folder->path)) {
		folder->fd = folder_open(folder->path);
		if (folder->fd >= 0)
			return 0;
		errno = -folder->fd;
		rmdir(folder->path);
	}
	free(folder->path);
	*folder = (struct folder)FOLDER_NONE;
	return -errno;
}

int channel_folder_make(struct folder *folder, struct strbuf *err)
{
	const char *own = secure_getenv("TMPDIR");
	const char *const parents[] = { "/dev/shm", own && *own == '/' ? own : "/tmp",
					"/tmp" };
	int error = 0;

	*folder = (struct folder)FOLDER_NONE;
	for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++) {
		error = make_in(parents[i], folder);
		if (!error)
			return 0;
	}
	strbuf_addf(err, "cannot make a folder for --regions in /dev/shm or %s: %s",
		    parents[1], strerror(-error));
	return error;
}

/* Open for writing too, so that it never has an end. */
int channel_folder_wake(const struct folder *folder, struct strbuf *err)
{
	int fd = -1;

	if (!mkfifoat(folder->fd, CHANNEL_WAKE, 0600))
		fd = openat(folder->fd, CHANNEL_WAKE,
			    O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0)
		return fd;
	fd = -errno;
	strbuf_addf(err, "cannot make a FIFO for --regions in %s: %s", folder->path,
		    strerror(-fd));
	return fd;
}

/* In the folder of collect itself (not installed), beside it, or where it was installed. */
static char *find_library(void)
{
	static const char *const places[] = { "", "/../lib/ringprof" };
	char own[4096];
	ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (len > 0) {
		own[len] = '\0';
		slash = strrchr(own, '/');
		*(slash ? slash : own) = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
			char *path = xasprintf("%s%s/" LIBRARY, own, places[i]);

			if (!access(path, R_OK))
				return path;
			free(path);
		}
	}
	return access(RP_LIBRARY_FOLDER "/" LIBRARY, R_OK) < 0
		       ? NULL
		       : xstrdup(RP_LIBRARY_FOLDER "/" LIBRARY);
}

/* What is in our environment while children are started. */
struct variable {
	const char *name, *value; /* NULL: not set */
};

enum { VARIABLES = 8 };

static void list_variables(struct variable out[VARIABLES], const char *folder,
			   const char *library, const char *namespace,
			   const struct channel_terms *terms)
{
	const struct variable all[VARIABLES] = {
		{ CHANNEL_FOLDER, folder },
		{ CHANNEL_LIBRARY, library },
		{ CHANNEL_ITT, library },
		{ CHANNEL_MAY_TICK, terms->ticks ? "1" : NULL },
		{ CHANNEL_NAMESPACE, namespace },
		{ CHANNEL_DOMAINS, terms->domains },
		{ CHANNEL_FROM, terms->from },
		{ CHANNEL_TO, terms->to },
	};

	memcpy(out, all, sizeof(all));
}

static void set_variables(const struct variable *variables)
{
	for (int i = 0; i < VARIABLES; i++)
		if (variables[i].value ? setenv(variables[i].name, variables[i].value, 1)
				       : unsetenv(variables[i].name))
			program_die_oom();
}

int channel_folder_announce(const struct folder *folder,
			    const struct channel_terms *terms, struct strbuf *err)
{
	struct variable variables[VARIABLES];
	char *library = find_library(), *namespace = NULL;
	struct stat st;

	if (!library) {
		strbuf_addf(err, "--regions: %s is missing in %s", LIBRARY,
			    RP_LIBRARY_FOLDER);
		return -ENOENT;
	}
	if (!stat("/proc/self/ns/pid", &st))
	namespace = xasprintf("%llu", (unsigned long long)st.st_ino);
	list_variables(variables, folder->path, library, namespace, terms);
	set_variables(variables);
	free(library);
	free(namespace);
	return 0;
}

void channel_folder_withdraw(void)
{
	struct variable variables[VARIABLES];

	list_variables(variables, NULL, NULL, NULL, &(struct channel_terms){ 0 });
	set_variables(variables);
}

void channel_folder_remove(struct folder *folder)
{
	int fd = folder->fd < 0 ? -1 : dup(folder->fd);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (dir) {
		rewinddir(dir);
		while ((entry = readdir(dir)))
			if (unlinkat(fd, entry->d_name, 0) < 0)
				unlinkat(fd, entry->d_name, AT_REMOVEDIR);
		closedir(dir);
	} else if (fd >= 0) {
		close(fd);
	}
	if (folder->path)
		rmdir(folder->path);
	folder_release(folder);
	*folder = (struct folder)FOLDER_NONE;
}
