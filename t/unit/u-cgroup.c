/* SPDX-License-Identifier: Apache-2.0 */
/* Groups for a run, in a folder that simulates the file system of groups. */
#include "sample/cgroup.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

static void make_group(const char *root, const char *name)
{
	char *path = xasprintf("%s/my groups/%s", root, name);

	if (mkdir(path, 0755) < 0)
		exit(99);
	free(path);
}

static bool there(const char *root, const char *name)
{
	char *path = xasprintf("%s/my groups/%s", root, name);
	bool yes = access(path, F_OK) == 0;

	free(path);
	return yes;
}

/* No process has a number as large as that: PID_MAX_LIMIT is 4194304. */
static void test_make(const char *root)
{
	char *mounts = xasprintf("none %s/my\\040groups cgroup2 rw 0 0\n", root);
	struct cgroup g;

	scratch_text(root, "proc/self/mounts", mounts);
	scratch_text(root, "proc/self/cgroup", "1:cpu:/\n0::/\n");
	scratch_text(root, "my groups/ringprof-1000000000/pid", "it still runs\n");
	make_group(root, "ringprof-1000000001");
	make_group(root, "ringprof-1");
	make_group(root, "ringprof-x");
	is_i64(cgroup_make(&g, root), 0, "a group is made");
	ok(access(g.path, F_OK) == 0, "%s", g.path);
	ok(!there(root, "ringprof-1000000001"),
	   "the group of a killed collect is removed");
	ok(there(root, "ringprof-1000000000"), "not if something runs in it");
	ok(there(root, "ringprof-1"), "not a living collect's");
	ok(there(root, "ringprof-x"), "and no other group");
	cgroup_release(&g);
	is_u64(scratch_count(root, "my groups"), 3, "after the run its group is removed");
	free(mounts);
}

static void test_none(const char *root)
{
	struct cgroup g;

	scratch_text(root, "proc/self/mounts", "none /tmp tmpfs rw 0 0\n");
	is_i64(cgroup_make(&g, root), -ENOENT, "no file system of groups");
	cgroup_release(&g);
}

int main(void)
{
	char *root = scratch_make();

	test_make(root);
	test_none(root);
	scratch_remove(root);
	return done_testing();
}
