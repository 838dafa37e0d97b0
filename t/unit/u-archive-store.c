/* SPDX-License-Identifier: Apache-2.0 */
/* Files of an archive: limited, complete or missing, and never elsewhere. */
#include "output/archive_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

static int open_in(const char *root, const char *name)
{
	char *path = xasprintf("%s/%s", root, name);
	int fd = file_open(path);

	free(path);
	return fd;
}

static void test_names(const char *root)
{
	static const struct {
		const char *name;
		int error;
	} cases[] = {
		{ "a", 0 },         { "b/c/d.dwo", 0 },  { "b/c/d.dwo", 0 },
		{ "..", -EINVAL },  { "../x", -EINVAL }, { "b/../../x", -EINVAL },
		{ "/x", -EINVAL },  { "b//x", -EINVAL }, { "", -EINVAL },
		{ "./x", -EINVAL }, { "a/x", -ENOTDIR }, { "...", 0 },
	};
	struct archive_store store = { .dir = folder_open(root), .limit = 1000 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd = open_in(root, "from");

		is_i64(archive_store_file(&store, cases[i].name, fd), cases[i].error,
		       "\"%s\"", cases[i].name);
		close(fd);
	}
	is_u64(store.bytes, 3 * 10, "an existing file is not counted again");
	close(store.dir);
}

static void test_content(const char *root)
{
	struct strbuf got = { 0 };
	char *path = xasprintf("%s/b/c/d.dwo", root), *from = xasprintf("%s/from", root);
	struct stat a, b;

	scratch_read(root, "b/c/d.dwo", &got);
	is_str(strbuf_str(&got), "0123456789", "its bytes");
	ok(!stat(path, &a) && !stat(from, &b) && a.st_mtime == b.st_mtime,
	   "the time of its last change");
	strbuf_release(&got);
	free(from);
	free(path);
}

static void test_limit(const char *root)
{
	struct archive_store store = { .dir = folder_open(root), .limit = 15 };
	int fd = open_in(root, "from");

	is_i64(archive_store_file(&store, "first", fd), 0, "it fits");
	lseek(fd, 0, SEEK_SET);
	is_i64(archive_store_file(&store, "second", fd), -EDQUOT, "another one does not");
	is_u64(store.bytes, 10, "and is not counted");
	is_i64(open_in(root, "second"), -ENOENT, "nor partly there");
	close(store.dir);
	close(fd);
}

/* Any mode, and the owner if we may set it. */
static void test_modes(const char *root)
{
	struct archive_store store = { .dir = folder_open(root), .limit = UINT64_MAX };
	mode_t mask = umask(022);

	for (unsigned mode = 0; mode < 01000; mode++) {
		char *name = xasprintf("m%03o", mode),
		     *path = xasprintf("%s/%s", root, name);
		int fd = open_in(root, "from");
		struct stat st = { 0 };

		bool given = !fchown(fd, 54321, 54322);

		if (fchmod(fd, mode))
			abort();
		if (archive_store_file(&store, name, fd) || stat(path, &st) ||
		    (st.st_mode & 07777) != (mode & ~022u) ||
		    (given && (st.st_uid != 54321 || st.st_gid != 54322)))
			ok(false, "mode %03o became %03o", mode, st.st_mode & 07777);
		unlink(path);
		close(fd);
		free(path);
		free(name);
	}
	close(store.dir);
	ok(true, "every mode, less the umask");
	umask(mask);
}

/* This program, which is mostly debug information. */
static void test_elf(const char *root)
{
	struct archive_store store = { .dir = folder_open(root), .limit = UINT64_MAX };
	struct elf_image img, copy;
	struct stat like;
	char *path = xasprintf("%s/elf", root);

	ok(!elf_image_open(&img, "/proc/self/exe") && !fstat(img.fd, &like),
	   "an ELF file");
	is_i64(archive_store_elf(&store, "elf", &img, &like), 0, "is copied");
	ok(store.bytes <= img.size, "no more than its size is written");
	ok(!elf_image_open(&copy, path), "the copy is an ELF file");
	is_u64(copy.size, img.size, "of the same size");
	is_u64(copy.sections.len, img.sections.len, "with all sections");
	store.limit = store.bytes;
	is_i64(archive_store_elf(&store, "elf2", &img, &like), -EDQUOT,
	       "no room for another");
	is_i64(open_in(root, "elf2"), -ENOENT, "nothing is left of it");
	close(store.dir);
	elf_image_release(&img);
	elf_image_release(&copy);
	free(path);
}

int main(void)
{
	char *root = scratch_make(), *from = xasprintf("%s/from", root);

	scratch_text(root, "from", "0123456789");
	utimensat(AT_FDCWD, from, (struct timespec[]){ { .tv_sec = 5 }, { .tv_sec = 7 } },
		  0);
	test_names(root);
	test_content(root);
	test_limit(root);
	test_elf(root);
	test_modes(root);
	free(from);
	scratch_remove(root);
	return done_testing();
}
