/* SPDX-License-Identifier: Apache-2.0 */
#include "process/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/served_file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

enum { STATUS_MAX = 1 << 16 };

static void origin_free(struct origin *origin)
{
	rights_release(&origin->rights);
	if (origin->by.root >= 0)
		close(origin->by.root);
	free(origin);
}

void origins_init(struct origins *o)
{
	o->patience_ms = ORIGINS_PATIENCE_MS;
}

void origins_release(struct origins *o)
{
	vec_for_each(struct origin *, origin, &o->v)
		origin_free(*origin);
	vec_release(&o->v);
	if (o->own)
		origin_free(o->own);
	if (o->refused)
		origin_free(o->refused);
	o->own = o->refused = NULL;
}

static bool same_rights(const struct rights *a, const struct rights *b)
{
	return a->uid == b->uid && a->gid == b->gid && a->caps == b->caps &&
	       a->groups.len == b->groups.len &&
	       (!a->groups.len || !memcmp(a->groups.data, b->groups.data,
					  a->groups.len * sizeof(*a->groups.data)));
}

static bool same_root(const struct origin *a, const struct origin *b)
{
	return a->root.namespace == b->root.namespace &&
	       a->root.device == b->root.device && a->root.inode == b->root.inode;
}

static bool same(const struct origin *a, const struct origin *b)
{
	return same_rights(&a->rights, &b->rights) && same_root(a, b);
}

static struct origin *new_origin(void)
{
	struct origin *origin = xcalloc(1, sizeof(*origin));

	origin->by.root = -1;
	return origin;
}

static const struct origin *refuse(struct origins *o)
{
	if (!o->refused) {
		o->refused = new_origin();
		o->refused->by.refused = true;
	}
	o->left_out++;
	return o->refused;
}

static bool is_full(const struct origins *o)
{
	struct rlimit files;

	return o->v.len >= ORIGINS_MAX || getrlimit(RLIMIT_NOFILE, &files) ||
	       o->v.len >= files.rlim_cur / ORIGINS_SHARE;
}

/* Takes FOUND; returns the kept equal. */
static const struct origin *keep(struct origins *o, struct origin *found)
{
	vec_for_each(struct origin *, known, &o->v)
		if (same(*known, found)) {
			origin_free(found);
			return *known;
		}
	if (is_full(o)) {
		origin_free(found);
		return refuse(o);
	}
	*vec_push(&o->v) = found;
	return found;
}

/* ---- processes ---- */

/*
 * The directory /proc/PID, or with 0 our own.  It never leads to a later process with the
 * same number.
 */
static int open_proc(int64_t pid)
{
	char *path = pid ? xasprintf("/proc/%" PRId64, pid) : xasprintf("/proc/self");
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(path);
	return dir;
}

static bool read_proc(int dir, const char *name, struct strbuf *out)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	bool done = fd >= 0 && !file_read_fd(fd, STATUS_MAX, out);

	if (fd >= 0)
		close(fd);
	return done;
}

static bool find_root(int dir, struct origin *out)
{
	struct statx root;
	struct stat space;

	/* what is known already: the file system may be its user's, and not answer */
	if (statx(dir, "root", AT_STATX_DONT_SYNC, STATX_INO, &root) ||
	    fstatat(dir, "ns/mnt", &space, 0))
		return false;
	out->root.device = makedev(root.stx_dev_major, root.stx_dev_minor);
	out->root.inode = root.stx_ino;
	out->root.namespace = space.st_ino;
	return true;
}

static bool open_root(int dir, struct origin *out)
{
	out->by.root = openat(dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return out->by.root >= 0;
}

/* A kernel may have only one; false if it is unknown. */
static bool is_our_user_namespace(int dir)
{
	struct stat own, its;

	if (stat("/proc/self/ns/user", &own))
		return errno == ENOENT;
	return !fstatat(dir, "ns/user", &its, 0) && own.st_dev == its.st_dev &&
	       own.st_ino == its.st_ino;
}

/*
 * Capabilities in another user namespace do not apply to our files: anybody can create
 * one and has them all there; user_namespaces(7).  We look up the namespace after reading
 * the capabilities, as no process can return to ours from its own.
 */
static bool read_rights(int dir, const char *status, struct rights *out)
{
	if (!rights_parse(out, status))
		return false;
	if (!is_our_user_namespace(dir))
		out->caps = 0;
	return true;
}

static bool read_own(struct origin *own)
{
	struct strbuf status = { 0 };
	int dir = open_proc(0);
	bool known = dir >= 0 && read_proc(dir, "status", &status) &&
		     read_rights(dir, strbuf_str(&status), &own->rights) &&
		     find_root(dir, own);

	if (dir >= 0)
		close(dir);
	strbuf_release(&status);
	return known;
}

/* Our own, which does not change. */
static const struct origin *own_origin(struct origins *o)
{
	struct origin *own;

	if (o->own)
		return o->own;
	own = new_origin();
	if (read_own(own))
		return o->own = own;
	origin_free(own);
	return NULL;
}

/* Sets root and rights if they differ from ours: equal ones need no change. */
static bool tell_apart(struct origins *o, int dir, struct origin *origin)
{
	const struct origin *own = own_origin(o);

	if (!own || !find_root(dir, origin))
		return false;
	if (!same_rights(&own->rights, &origin->rights))
		origin->by.rights = &origin->rights;
	origin->by.served = origin->rights.uid != own->rights.uid &&
			    served_file_mounts(dir);
	origin->by.patience_ms = &o->patience_ms;
	return same_root(own, origin) || open_root(dir, origin);
}

/* The last number of "NSpid:\t4711\t12", the innermost one; else PID. */
static int inner_pid(const char *status, int64_t pid)
{
	const char *found = strstr(status, "\nNSpid:");
	const char *end = found ? strchrnul(found + 1, '\n') : NULL;
	const char *last = found ? memrchr(found, '\t', (size_t)(end - found)) : NULL;
	long inner = last ? strtol(last + 1, NULL, 10) : 0;

	return inner > 0 && inner <= INT_MAX ? (int)inner : (int)pid;
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Field 22, in ticks since the boot; the name, which ends in ")", may have blanks. */
static int64_t born_ns(int dir)
{
	struct strbuf text = { 0 };
	const char *at = read_proc(dir, "stat", &text) ? strrchr(text.data, ')') : NULL;
	long hz = sysconf(_SC_CLK_TCK);
	int64_t ticks = 0;

	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoll(at, NULL, 10);
	strbuf_release(&text);
	if (ticks <= 0 || hz <= 0)
		return 0;
	return clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME) +
	       ticks * (1000000000 / hz);
}

/* Reads the directory DIR of /proc for PID. */
static bool look_at(struct origins *o, int dir, int64_t pid, struct origin_task *out)
{
	struct origin *found = new_origin();
	struct strbuf status = { 0 };
	bool known = read_proc(dir, "status", &status) &&
		     read_rights(dir, strbuf_str(&status), &found->rights) &&
		     tell_apart(o, dir, found);

	if (known)
		*out = (struct origin_task){
			.origin = keep(o, found),
			.inner_pid = inner_pid(strbuf_str(&status), pid),
			.born_ns = born_ns(dir),
		};
	else
		origin_free(found);
	strbuf_release(&status);
	return known;
}

bool origins_of_task(struct origins *o, int64_t pid, struct origin_task *out)
{
	int dir;
	bool known;

	errno = 0;
	dir = pid > 0 ? open_proc(pid) : -1;
	*out = (struct origin_task){ 0 };
	known = dir >= 0 && look_at(o, dir, pid, out);
	if (!known && (errno == EMFILE || errno == ENFILE)) {
		out->origin = refuse(o);
		known = true;
	}
	if (dir >= 0)
		close(dir);
	return known;
}

/* ---- files ---- */

const struct origin *origins_of_file(struct origins *o, int fd)
{
	struct origin *found;
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_uid == geteuid() ||
	    (!st.st_uid && !(st.st_mode & (S_IWGRP | S_IWOTH))))
		return NULL;
	found = new_origin();
	found->rights.uid = st.st_uid;
	found->rights.gid = st.st_gid;
	found->by.rights = &found->rights;
	return keep(o, found);
}
