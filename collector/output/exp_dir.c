/* SPDX-License-Identifier: Apache-2.0 */
#include "output/exp_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiment/format.h"
#include "base/folder.h"
#include "output/exp_remove.h"
#include "base/xalloc.h"

/* ---- making ---- */

static int fail(struct strbuf *err, const char *path, int error)
{
	strbuf_addf(err, "cannot create the experiment %s: %s", path,
		    error == -ENOENT ? "the folder does not exist; make it first"
				     : strerror(-error));
	if (error != -ENOENT)
		strbuf_addstr(err, "; -d DIR puts it elsewhere");
	return error;
}

static void see_entry(void *ctx, int dir, const char *name)
{
	(void)dir;
	(void)name;
	*(bool *)ctx = true;
}

/*
 * -EEXIST: the name is taken.  Anyone who may rename entries of PARENT can put another
 * directory there before we enter it: an empty one of ours is as good as our own.
 */
static int make(struct exp_dir *d, mode_t mode, struct strbuf *err)
{
	int fd = folder_make(d->parent, d->name, mode);
	bool used = false;

	if (fd == -EEXIST)
		return fd;
	if (fd < 0)
		return fail(err, d->path, fd);
	folder_list(fd, see_entry, &used);
	if (!used && folder_is_ours(fd)) {
		d->fd = fd;
		return 0;
	}
	close(fd);
	strbuf_addf(err, "another directory replaced %s; -d DIR puts it elsewhere",
		    d->path);
	return -ESTALE;
}

static void see_number(void *ctx, int dir, const char *name)
{
	unsigned *top = ctx, n;
	int begin = 0, end = 0;

	(void)dir;
	/* %u alone takes signs and blanks too */
	if (sscanf(name, "test.%n%9u.er%n", &begin, &n, &end) == 1 &&
	    name[begin] >= '0' && name[begin] <= '9' && end && !name[end] && n > *top)
		*top = n;
}

static int create_numbered(struct exp_dir *d, const char *directory, mode_t mode,
			   struct strbuf *err)
{
	unsigned n = 0;
	int error;

	folder_list(d->parent, see_number, &n);
	do {
		free(d->name);
		free(d->path);
		d->name = xasprintf("test.%u.er", ++n);
		d->path = strcmp(directory, ".") ? xasprintf("%s/%s", directory, d->name)
						 : xstrdup(d->name);
		error = make(d, mode, err);
	} while (error == -EEXIST);
	return error;
}

/* ---- overwriting ---- */

static bool is_experiment(int fd)
{
	struct stat st;

	return !fstatat(fd, EXP_LOG_FILE, &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISREG(st.st_mode);
}

/* Only our own experiment is replaced: another user may have put one there. */
static int open_old(struct exp_dir *d, struct strbuf *err)
{
	int fd = folder_enter(d->parent, d->name);
	const char *why = NULL;

	if (fd >= 0 && !folder_is_ours(fd))
		why = "belongs to another user; remove it as that user";
	else if (fd < 0 || !is_experiment(fd))
		why = "exists and is not an experiment; remove it";
	if (!why) {
		d->saved_fd = fd;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	strbuf_addf(err, "%s %s, or choose another name", d->path, why);
	return -EEXIST;
}

/* Moves the old one aside, so it can be restored. */
static int set_aside(struct exp_dir *d, struct strbuf *err)
{
	char *saved = xasprintf("%s.old-%ld", d->name, (long)getpid());
	int error = open_old(d, err);

	if (!error && renameat(d->parent, d->name, d->parent, saved))
		error = fail(err, d->path, -errno);
	if (!error)
		d->saved = saved;
	else
		free(saved);
	return error;
}

static int create_named(struct exp_dir *d, const struct exp_place *place,
			struct strbuf *err)
{
	int error = make(d, place->mode, err);

	if (error == -EEXIST && !place->overwrite)
		strbuf_addf(err,
			    "%s exists; overwrite it with -O, or choose another name",
			    d->path);
	if (error != -EEXIST || !place->overwrite)
		return error;
	error = set_aside(d, err);
	if (!error) {
		error = make(d, place->mode, err);
		if (error == -EEXIST)
			fail(err, d->path, error);
	}
	return error;
}

/* ---- where ---- */

mode_t exp_dir_mode(bool everyone)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3] = { 0 };
	bool able = syscall(SYS_capget, &head, caps) || caps[0].effective ||
		    caps[1].effective;

	return everyone || able || !geteuid() ? 0700 : 0777;
}

static char *join(const char *directory, const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	if (name[0] == '/' || !strcmp(directory, "."))
		return xstrndup(name, len);
	return xasprintf("%s/%.*s", directory, (int)len, name);
}

/* The directory of the path that the user named: its links are followed, once. */
static int open_parent(struct exp_dir *d, const char *directory, const int *folder)
{
	const char *slash = d->path ? strrchr(d->path, '/') : NULL;
	char *own = NULL;

	if (folder) {
		d->parent = fcntl(*folder, F_DUPFD_CLOEXEC, 0);
		return d->parent < 0 ? -errno : 0;
	}
	if (slash) {
		own = slash == d->path ? xstrdup("/")
				       : xstrndup(d->path, (size_t)(slash - d->path));
		directory = own;
	} else if (d->path) {
		directory = ".";
	}
	d->parent = folder_open(directory);
	free(own);
	return d->parent < 0 ? d->parent : 0;
}

int exp_dir_create(struct exp_dir *d, const struct exp_place *place, struct strbuf *err)
{
	const char *directory = place->directory ? place->directory : ".";
	const char *slash;
	int error;

	*d = (struct exp_dir)EXP_DIR_NONE;
	if (place->name) {
		d->path = join(directory, place->name);
		slash = strrchr(d->path, '/');
		d->name = xstrdup(slash && slash[1] ? slash + 1 : d->path);
	}
	error = open_parent(d, directory, place->folder);
	if (error)
		fail(err, d->path ? d->path : directory, error);
	else if (place->name)
		error = create_named(d, place, err);
	else
		error = create_numbered(d, directory, place->mode, err);
	if (error)
		exp_dir_release(d);
	return error;
}

static void close_saved(struct exp_dir *d)
{
	if (d->saved_fd >= 0)
		close(d->saved_fd);
	d->saved_fd = -1;
	free(d->saved);
	d->saved = NULL;
}

void exp_dir_commit(struct exp_dir *d)
{
	if (d->saved)
		exp_remove(d->saved_fd, d->parent, d->saved);
	close_saved(d);
	d->committed = true;
}

/* If the old one cannot get its name back, it keeps the other. */
void exp_dir_release(struct exp_dir *d)
{
	if (d->fd >= 0 && !d->committed)
		exp_remove(d->fd, d->parent, d->name);
	if (d->saved && folder_is(d->parent, d->saved, d->saved_fd))
		renameat(d->parent, d->saved, d->parent, d->name);
	close_saved(d);
	if (d->fd >= 0)
		close(d->fd);
	if (d->parent >= 0)
		close(d->parent);
	free(d->name);
	free(d->path);
	*d = (struct exp_dir)EXP_DIR_NONE;
}
