/* SPDX-License-Identifier: Apache-2.0 */
#include "series/series.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/folder.h"
#include "base/xalloc.h"
#include "experiment/log.h"
#include "output/exp_remove.h"
#include "series/hook.h"

#define SUFFIX "Z.er"

enum { STAMP = sizeof("20261124T021500") - 1 };

/* ---- names ---- */

void series_name(struct series *s, const char *experiment)
{
	size_t len = experiment ? strlen(experiment) : 0;
	const char *slash;

	while (len && experiment[len - 1] == '/')
		len--;
	s->path = len ? xstrndup(experiment, len - strlen(".er")) : xstrdup("test");
	slash = strrchr(s->path, '/');
	s->name = xstrdup(slash ? slash + 1 : s->path);
}

char *series_path(const struct series *s, time_t time)
{
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y%m%dT%H%M%S", gmtime_r(&time, &tm));
	return xasprintf("%s.%s" SUFFIX, s->path, text);
}

/* Whether NAME is one that series_path makes. */
static bool is_name(const struct series *s, const char *name)
{
	const size_t len = strlen(s->name);
	const char *stamp = name + len + 1;

	if (strncmp(name, s->name, len) != 0 || name[len] != '.' ||
	    strspn(stamp, "0123456789") != 8 || stamp[8] != 'T' ||
	    strspn(stamp + 9, "0123456789") != 6)
		return false;
	return !strcmp(stamp + STAMP, SUFFIX);
}

void series_release(struct series *s)
{
	vec_for_each(struct series_item, item, &s->items) {
		free(item->name);
		free(item->path);
	}
	vec_release(&s->items);
	if (s->folder >= 0)
		close(s->folder);
	free(s->name);
	free(s->path);
	*s = (struct series)SERIES_NONE;
}

/* ---- what is there ---- */

/* Whether nobody records into the directory FD any more: its collect was killed. */
static bool is_abandoned(int fd)
{
	return !flock(fd, LOCK_EX | LOCK_NB);
}

/* Where this fails, others cannot lock it, and leave it. */
void series_hold(int fd)
{
	flock(fd, LOCK_EX | LOCK_NB);
}

/* Whether the directory FD is an experiment of ours and of this series that has ended. */
static bool is_ours(const struct series *s, int fd)
{
	struct strbuf err = { 0 };
	struct exp_log log = { 0 };
	bool is = folder_is_ours(fd) && !exp_log_read_at(&log, fd, s->name, &err) &&
		  !strcmp(log.series, s->name) && (log.complete || is_abandoned(fd));

	exp_log_release(&log);
	strbuf_release(&err);
	return is;
}

static void find_one(void *ctx, int dir, const char *name)
{
	struct series *s = ctx;
	int fd = is_name(s, name) ? folder_enter(dir, name) : -1;

	if (fd < 0)
		return;
	if (is_ours(s, fd))
		*vec_push(&s->items) = (struct series_item){
			.name = xstrdup(name),
			.path = xasprintf("%.*s%s",
					  (int)(strlen(s->path) - strlen(s->name)),
					  s->path, name),
			.state = SERIES_DONE,
			.bytes = exp_bytes(fd),
		};
	close(fd);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct series_item *)a)->name,
		      ((const struct series_item *)b)->name);
}

void series_open(struct series *s, int folder)
{
	s->folder = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	folder_list(s->folder, find_one, s);
	if (s->items.len)
		qsort(s->items.data, s->items.len, sizeof(*s->items.data), by_name);
}

/* ---- the present one ---- */

void series_begin(struct series *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	*vec_push(&s->items) = (struct series_item){
		.name = xstrdup(slash ? slash + 1 : path),
		.path = xstrdup(path),
		.state = SERIES_RECORDING,
	};
}

bool series_is_behind(const struct series *s)
{
	unsigned finishing = 0;

	vec_for_each(const struct series_item, item, &s->items)
		finishing += item->state == SERIES_FINISHING;
	return finishing >= SERIES_FINISHING_MAX;
}

static void drop(struct series *s, size_t index)
{
	struct series_item *item = &s->items.data[index];

	free(item->name);
	free(item->path);
	memmove(item, item + 1, (s->items.len - index - 1) * sizeof(*item));
	s->items.len--;
}

/*
 * Nobody writes it any more.  One that is not WHOLE counts like the others, but the hook does
 * not get it.  False: it was moved away, or is not what it was, so it is none of ours.
 */
static bool settle(const struct series *s, struct series_item *item, bool whole)
{
	int fd = folder_enter(s->folder, item->name);
	bool is = fd >= 0 && is_ours(s, fd);

	item->pid = 0;
	item->state = whole && s->hook ? SERIES_WAITING : SERIES_DONE;
	item->bytes = is ? exp_bytes(fd) : 0;
	if (fd >= 0)
		close(fd);
	return is;
}

void series_finish(struct series *s, pid_t pid)
{
	for (size_t i = 0; i < s->items.len; i++) {
		struct series_item *item = &s->items.data[i];

		if (item->state != SERIES_RECORDING)
			continue;
		item->state = SERIES_FINISHING;
		item->pid = pid;
		if (!pid && !settle(s, item, true))
			drop(s, i);
		return;
	}
}

/* ---- processes that ended ---- */

/* False: the item is none of ours any more. */
static bool take_end(const struct series *s, struct series_item *item, int status)
{
	const bool well = WIFEXITED(status) && !WEXITSTATUS(status);

	if (item->state == SERIES_HOOK) {
		if (!well)
			hook_tell_failure(item->path, status, item->told);
		item->state = SERIES_DONE;
		item->pid = 0;
		return true;
	}
	if (!well)
		diag_warn("%s is incomplete: the process that finished it failed",
			  item->path);
	return settle(s, item, well);
}

static void reap(struct series *s)
{
	for (size_t i = s->items.len; i--;) {
		struct series_item *item = &s->items.data[i];
		int status;

		if (item->pid && waitpid(item->pid, &status, WNOHANG) == item->pid &&
		    !take_end(s, item, status))
			drop(s, i);
	}
}

/* ---- the hook ---- */

static void limit_hook(const struct series *s, struct series_item *item, uint64_t now_ns)
{
	const uint64_t ran = now_ns - item->since_ns;

	if (ran < s->limit_ns)
		return;
	if (!item->told)
		kill(-item->pid, SIGTERM);
	else if (ran >= s->limit_ns + HOOK_GRACE_NS)
		kill(-item->pid, SIGKILL);
	item->told = true;
}

/* One at a time, in the order of the recordings. */
static void run_hook(struct series *s, uint64_t now_ns)
{
	vec_for_each(struct series_item, item, &s->items)
		if (item->state == SERIES_HOOK) {
			limit_hook(s, item, now_ns);
			return;
		}
	vec_for_each(struct series_item, item, &s->items) {
		if (item->state != SERIES_WAITING)
			continue;
		item->pid = hook_start(s->hook, item->path, s->mask);
		item->since_ns = now_ns;
		item->state = item->pid > 0 ? SERIES_HOOK : SERIES_DONE;
		if (item->pid > 0)
			return;
		item->pid = 0;
		diag_warn("the hook cannot be started for %s", item->path);
	}
}

/* ---- removing ---- */

static void remove_one(struct series *s, const struct series_item *item)
{
	int fd = folder_enter(s->folder, item->name);

	if (fd < 0)
		return;
	if (is_ours(s, fd))
		exp_remove(fd, s->folder, item->name);
	close(fd);
}

static bool has_too_many(const struct series *s, uint64_t bytes)
{
	uint64_t complete = 0;

	vec_for_each(const struct series_item, item, &s->items) {
		complete += item->state >= SERIES_WAITING;
		bytes += item->bytes;
	}
	return complete > s->keep || (complete > 1 && bytes > s->keep_bytes);
}

/* The one that the hook has stays, and those before it unless they are too many or large. */
static bool is_held(const struct series *s, const struct series_item *item,
		    uint64_t bytes)
{
	size_t waiting = 0;

	if (item->state != SERIES_WAITING)
		return item->state != SERIES_DONE;
	vec_for_each(const struct series_item, other, &s->items) {
		waiting += other->state == SERIES_WAITING;
		bytes += other->bytes;
	}
	return waiting <= SERIES_WAITING_MAX && bytes <= s->keep_bytes;
}

/* The index of the newest complete one, which stays however large it is, or 0. */
static size_t newest_complete(const struct series *s)
{
	size_t i = s->items.len;

	while (i && s->items.data[i - 1].state < SERIES_WAITING)
		i--;
	return i ? i - 1 : 0;
}

static void remove_oldest(struct series *s, uint64_t bytes)
{
	for (size_t i = 0; i < newest_complete(s) && has_too_many(s, bytes);) {
		const struct series_item *item = &s->items.data[i];

		if (is_held(s, item, bytes)) {
			i++;
			continue;
		}
		if (item->state == SERIES_WAITING)
			diag_warn("%s is removed before the hook had it: the hook is too "
				  "slow",
				  item->path);
		remove_one(s, item);
		drop(s, i);
	}
}

void series_look(struct series *s, uint64_t now_ns, uint64_t bytes)
{
	reap(s);
	if (s->hook)
		run_hook(s, now_ns);
	remove_oldest(s, bytes);
}

bool series_is_busy(const struct series *s)
{
	vec_for_each(const struct series_item, item, &s->items)
		if (item->state != SERIES_DONE && item->state != SERIES_RECORDING)
			return true;
	return false;
}

void series_leave(struct series *s)
{
	const char *first = NULL;
	size_t left = 0;

	vec_for_each(struct series_item, item, &s->items) {
		if (item->state == SERIES_HOOK) {
			kill(-item->pid, SIGTERM);
			diag_warn("the hook was sent SIGTERM before it was done with %s",
				  item->path);
		} else if (s->hook && item->state != SERIES_DONE) {
			first = first ? first : item->path;
			left++;
		}
	}
	if (left > 1)
		diag_warn("the hook did not get %zu recordings, from %s on", left, first);
	else if (left)
		diag_warn("the hook did not get %s", first);
}
