/* SPDX-License-Identifier: Apache-2.0 */
/* Our own files are complete or missing; others may end early. */
#include "base/file.h"
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scratch.h"
#include "stand_in.h"
#include "tap.h"
#include "base/xalloc.h"

static void is_content(const char *root, const char *want, const char *what)
{
	struct strbuf got = { 0 };

	scratch_read(root, "file", &got);
	is_str(strbuf_str(&got), want, "%s", what);
	strbuf_release(&got);
}

static void test_replace(const char *root)
{
	char *path = xasprintf("%s/file", root);
	int dir = folder_open(root);
	struct stat st = { 0 };

	is_i64(folder_replace_file(dir, "file", "first", 5), 0, "a new file");
	is_content(root, "first", "the new file");
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0600,
	   "only its owner has access, as with its folder");
	is_i64(folder_replace_file(dir, "file", "second", 6), 0,
	       "a file that replaces another");
	is_content(root, "second", "the second file");
	is_i64(folder_replace_file(dir, "no/file", "third", 5), -ENOENT,
	       "a missing folder");
	is_u64(scratch_count(root, ""), 1, "there is no other file");
	close(dir);
	free(path);
}

static void test_read_at(const char *root)
{
	char *path = xasprintf("%s/file", root);
	int fd = file_open(path);
	char bytes[8] = { 0 };

	ok(fd >= 0, "opens");
	is_i64(file_read_at(fd, 2, bytes, 4), 0, "the last four bytes");
	is_str(bytes, "cond", "are read");
	is_i64(file_read_at(fd, 2, bytes, 5), -ENODATA, "five are too many");
	is_i64(file_read_at(fd, 1000, bytes, 1), -ENODATA,
	       "nothing lies far behind the end");
	is_i64(file_read_at(-1, 0, bytes, 1), -EBADF, "an invalid descriptor");
	close(fd);
	free(path);
}

static void test_write(void)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	is_i64(file_write(-1, "x", 1), -EBADF, "an invalid descriptor cannot be written");
	is_i64(file_write(-1, "x", 0), 0, "unless nothing is written");
	if (full < 0) {
		skip(1, "no /dev/full here");
		return;
	}
	is_i64(file_write(full, "x", 1), -ENOSPC, "a full disk");
	close(full);
}

static void test_fopen(const char *root)
{
	FILE *file = file_fopen(root, "/%s", "file");
	char line[16] = "";

	ok(file && fgets(line, sizeof(line), file), "a stream below a root");
	is_str(line, "second", "has its content");
	if (file)
		fclose(file);
	errno = 0;
	ok(!file_fopen(root, "/%d", 7) && errno == ENOENT, "a missing file");
}

/* ---- below a root ---- */

/* Pretends that a filter refuses openat2. */
static bool is_filtered;

static bool filter(long number, const long *args, long *answer)
{
	(void)args;
	if (number != SYS_openat2 || !is_filtered)
		return false;
	errno = EPERM;
	*answer = -1;
	return true;
}

/* The number of the file that PATH leads to, or an error. */
static int64_t place(int root, const char *path, int flags)
{
	int fd = file_place_at(root, path, flags);
	struct stat st = { 0 };

	if (fd < 0)
		return fd;
	if (fstat(fd, &st))
		abort();
	close(fd);
	return (int64_t)st.st_ino;
}

static void make_tree(void)
{
	static const char *const links[][2] = {
		{ "/sub/file", "absolute" },
		{ "../file", "sub/up" },
		{ "../../../../file", "sub/out" },
		{ "sub", "folder" },
		{ "/", "sub/top" },
		{ "loop", "loop" },
		{ "/sub/deep/..", "parent" },
		{ "nowhere", "dangling" },
	};

	if (mkdir("sub", 0700) || mkdir("sub/deep", 0700) ||
	    close(open("sub/file", O_CREAT | O_WRONLY, 0600)))
		abort();
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (symlink(links[i][0], links[i][1]))
			abort();
}

static void test_below(const char *root)
{
	static const char *const paths[] = {
		"file",
		"/file",
		"//sub//file",
		"sub/./file",
		"sub/../file",
		"..",
		"../../file",
		"absolute",
		"sub/up",
		"sub/out",
		"folder/file",
		"folder/up",
		"folder/../file",
		"sub/top/file",
		"sub/top/sub/top/absolute",
		"loop",
		"loop/file",
		"parent/file",
		"parent/deep/../../file",
		"dangling",
		"none",
		"none/file",
		"file/",
		"file/x",
		"sub/",
		".",
		"/",
		"",
		"sub/deep",
		"sub/deep/../file",
		"/etc/passwd",
		"parent",
		"folder",
	};
	int dir = folder_open(root);

	if (chdir(root))
		abort();
	make_tree();
	for (size_t i = 0; i < 2 * sizeof(paths) / sizeof(paths[0]); i++) {
		int flags = i % 2 ? O_NOFOLLOW : 0;
		int64_t want = place(dir, paths[i / 2], flags);

		is_filtered = true;
		is_i64(place(dir, paths[i / 2], flags), want,
		       "\"%s\" without openat2, flags %d", paths[i / 2], flags);
		is_filtered = false;
	}
	close(dir);
}

int main(void)
{
	char *root = scratch_make();

	stand_in = filter;
	test_replace(root);
	test_read_at(root);
	test_write();
	test_fopen(root);
	test_below(root);
	scratch_remove(root);
	return done_testing();
}
