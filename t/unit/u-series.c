/* SPDX-License-Identifier: Apache-2.0 */
/* Which recordings of a series are removed, while others are being finished or handed over. */
#include "series/series.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/xalloc.h"
#include "experiment/log.h"
#include "scratch.h"
#include "tap.h"

enum { KB = 1000 };

static char *root;
static sigset_t mask;

/* The recording NAME, of KILOBYTES. */
static void record(const char *name, size_t kilobytes, bool complete)
{
	char *path = xasprintf("%s/%s", root, name), *data = xasprintf("%s/data", name);
	char *bytes = xcalloc(kilobytes, KB);
	struct exp_log log = { .series = xstrdup("web"), .complete = complete };

	scratch_write(root, data, bytes, kilobytes * KB);
	ok(!exp_log_write(&log, path), "%s", name);
	exp_log_release(&log);
	free(bytes);
	free(data);
	free(path);
}

/* A process that finishes the present recording, NAME, as far as it comes. */
static void finish(struct series *s, const char *name, size_t kilobytes, bool well)
{
	char *path = xasprintf("%s/%s", root, name);
	siginfo_t info;
	pid_t pid;

	series_begin(s, path);
	record(name, kilobytes, well);
	pid = fork();
	if (!pid)
		_exit(well ? 0 : 1);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	series_finish(s, pid);
	free(path);
}

static void begin(struct series *s, const char *hook)
{
	char *path;
	int folder;

	root = scratch_make();
	path = xasprintf("%s/web.er", root);
	*s = (struct series)SERIES_NONE;
	series_name(s, path);
	s->keep = UINT64_MAX;
	s->keep_bytes = UINT64_MAX;
	s->limit_ns = UINT64_MAX / 2;
	s->hook = hook;
	s->mask = &mask;
	folder = folder_open(root);
	series_open(s, folder);
	close(folder);
	free(path);
}

static void end(struct series *s)
{
	series_release(s);
	scratch_remove(root);
}

static bool is_there(const char *name)
{
	char *path = xasprintf("%s/%s", root, name);
	struct stat st;
	bool is = !stat(path, &st);

	free(path);
	return is;
}

static void test_failed_to_finish(void)
{
	struct series s;

	begin(&s, "exit 1");
	s.keep = 2;
	for (unsigned i = 0; i < 5; i++) {
		char *name = xasprintf("web.20260101T00000%uZ.er", i);

		finish(&s, name, 1, false);
		series_look(&s, 1, 0);
		free(name);
	}
	is_u64(scratch_count(root, ""), 2, "those that could not be finished count too");
	ok(is_there("web.20260101T000004Z.er"), "the newest are left");
	ok(!series_is_busy(&s), "the hook does not get them");
	end(&s);
}

/* The hook is busy with the oldest; size alone would remove the others. */
static void test_newest_stays(void)
{
	struct series s;

	begin(&s, "trap '' TERM; exec sleep 1000");
	s.keep_bytes = 150 * KB;
	finish(&s, "web.20260101T000000Z.er", 100, true);
	series_look(&s, 1, 0);
	finish(&s, "web.20260101T000001Z.er", 100, true);
	finish(&s, "web.20260101T000002Z.er", 100, true);
	series_look(&s, 2, 0);
	series_look(&s, 3, 0);
	ok(is_there("web.20260101T000000Z.er"), "the one that the hook has");
	ok(!is_there("web.20260101T000001Z.er"), "not one that is too much");
	ok(is_there("web.20260101T000002Z.er"), "but the newest");
	vec_for_each(struct series_item, item, &s.items)
		if (item->state == SERIES_HOOK) {
			kill(-item->pid, SIGKILL);
			waitpid(item->pid, NULL, 0);
		}
	end(&s);
}

int main(void)
{
	test_failed_to_finish();
	test_newest_stays();
	return done_testing();
}
