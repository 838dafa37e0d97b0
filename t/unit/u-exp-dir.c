/* SPDX-License-Identifier: Apache-2.0 */
/* The place of a new experiment, the one that it replaces, and its removal. */
#include "output/exp_dir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

static bool there(const char *root, const char *path)
{
	char *full = xasprintf("%s/%s", root, path);
	struct stat st;
	bool yes = !lstat(full, &st);

	free(full);
	return yes;
}

static int create(struct exp_dir *d, const char *directory, const char *name,
		  bool overwrite, struct strbuf *err)
{
	return exp_dir_create(d,
			      &(struct exp_place){
				      .directory = directory,
				      .name = name,
				      .overwrite = overwrite,
				      .mode = 0777,
			      },
			      err);
}

/* ---- numbers ---- */

static const struct {
	const char *what;
	const char *present[4]; /* files; any entry takes its number */
	const char *want;
} numbers[] = {
	{ "an empty folder", { NULL }, "test.1.er" },
	{ "one more", { "test.1.er" }, "test.2.er" },
	{ "above a gap", { "test.1.er", "test.7.er" }, "test.8.er" },
	{ "by number, not by letter", { "test.9.er", "test.10.er" }, "test.11.er" },
	{ "what only looks alike",
	  { "test.5.er.old", "mytest.6.er", "test..er", "test.x.er" },
	  "test.1.er" },
	{ "signs and blanks are no digits",
	  { "test.-1.er", "test.+5.er", "test. 6.er" },
	  "test.1.er" },
	{ "a number too long", { "test.99999999999.er" }, "test.1.er" },
};

static void test_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char *root = scratch_make(), *want;
		struct strbuf err = { 0 };
		struct exp_dir d;

		for (size_t n = 0; n < 4 && numbers[i].present[n]; n++)
			scratch_text(root, numbers[i].present[n], "");
		want = xasprintf("%s/%s", root, numbers[i].want);
		ok(!create(&d, root, NULL, false, &err), "%s", numbers[i].what);
		is_str(d.path, want, "%s: name", numbers[i].what);
		exp_dir_release(&d);
		ok(!there(root, numbers[i].want), "%s: taken back", numbers[i].what);
		free(want);
		strbuf_release(&err);
		scratch_remove(root);
	}
}

/* ---- names ---- */

/* The number of entries afterwards shows that nothing else was left behind. */
static void test_new(void)
{
	char *root = scratch_make();
	struct strbuf err = { 0 };
	struct exp_dir d;

	ok(!create(&d, root, "a.er/", false, &err), "a new one: %s", strbuf_str(&err));
	scratch_text(root, "a.er/data", "x");
	scratch_text(root, "a.er/log.json", "x");
	scratch_text(root, "a.er/log.json.new", "x");
	exp_dir_release(&d);
	is_u64(scratch_count(root, "."), 0, "is removed with its files");

	ok(!create(&d, root, "a.er", false, &err), "again");
	scratch_text(root, "a.er/log.json", "x");
	exp_dir_commit(&d);
	exp_dir_release(&d);
	ok(there(root, "a.er/log.json"), "and stays once it is committed");

	is_i64(create(&d, root, "a.er", false, &err), -EEXIST, "-o over it");
	ok(strstr(strbuf_str(&err), "a.er exists; overwrite it with -O"), "%s",
	   strbuf_str(&err));
	exp_dir_release(&d);
	ok(there(root, "a.er/log.json"), "leaves it unharmed");
	strbuf_release(&err);
	scratch_remove(root);
}

static void test_overwrite(void)
{
	char *root = scratch_make();
	struct strbuf err = { 0 }, text = { 0 };
	struct exp_dir d;

	scratch_text(root, "a.er/log.json", "old");
	ok(!create(&d, root, "a.er", true, &err), "-O over an experiment: %s",
	   strbuf_str(&err));
	is_u64(scratch_count(root, "a.er"), 0, "the new one is empty");
	scratch_text(root, "a.er/log.json", "new");
	exp_dir_release(&d);
	scratch_read(root, "a.er/log.json", &text);
	is_str(strbuf_str(&text), "old", "after a removal the old one is back");
	is_u64(scratch_count(root, "."), 1, "and nothing else");

	strbuf_clear(&text);
	ok(!create(&d, root, "a.er", true, &err), "again");
	scratch_text(root, "a.er/log.json", "new");
	exp_dir_commit(&d);
	exp_dir_release(&d);
	scratch_read(root, "a.er/log.json", &text);
	is_str(strbuf_str(&text), "new", "after a commit the new one stays");
	is_u64(scratch_count(root, "."), 1, "and the old one is gone");
	ok(!create(&d, root, "b.er", true, &err), "-O of a new name");
	exp_dir_release(&d);
	strbuf_release(&text);
	strbuf_release(&err);
	scratch_remove(root);
}

/* Files that are no experiment are a user's work, and stay. */
static void test_other(void)
{
	static const char *const others[] = { "file.er", "dir.er/notes.txt",
					      "odd.er/log.json/x" };
	static const char *const names[] = { "file.er", "dir.er", "odd.er" };
	char *root = scratch_make();
	struct strbuf err = { 0 };

	for (size_t i = 0; i < 3; i++) {
		struct exp_dir d;

		scratch_text(root, others[i], "precious");
		is_i64(create(&d, root, names[i], true, &err), -EEXIST, "-O over %s",
		       others[i]);
		ok(strstr(strbuf_str(&err), "is not an experiment"), "%s",
		   strbuf_str(&err));
		exp_dir_release(&d);
		ok(there(root, others[i]), "%s is still there", others[i]);
		strbuf_clear(&err);
	}
	is_u64(scratch_count(root, "."), 3, "and nothing else");
	strbuf_release(&err);
	scratch_remove(root);
}

static void test_no_place(void)
{
	char *root = scratch_make(), *file = xasprintf("%s/file", root),
	     *none = xasprintf("%s/none", root);
	const char *const places[] = { file, none };
	struct strbuf err = { 0 };

	scratch_text(root, "file", "x");
	for (size_t i = 0; i < 2; i++)
		for (size_t named = 0; named < 2; named++) {
			struct exp_dir d;

			is_i64(create(&d, places[i], named ? "a.er" : NULL, false, &err),
			       i ? -ENOENT : -ENOTDIR, "in %s",
			       i ? "no folder" : "a file");
			ok(strstr(strbuf_str(&err),
				  i ? "make it first" : "-d DIR puts it elsewhere"),
			   "%s", strbuf_str(&err));
			ok(!d.path, "there is nothing to remove");
			exp_dir_release(&d);
			strbuf_clear(&err);
		}
	is_u64(scratch_count(root, "."), 1, "nothing was made");
	free(file);
	free(none);
	strbuf_release(&err);
	scratch_remove(root);
}

/* -d does not apply to a path. */
static void test_absolute(void)
{
	char *root = scratch_make(), *name = xasprintf("%s/a.er", root);
	struct strbuf err = { 0 };
	struct exp_dir d;

	ok(!create(&d, "/nonexistent", name, false, &err), "an absolute name: %s",
	   strbuf_str(&err));
	is_str(d.path, name, "stays as it is");
	exp_dir_release(&d);
	if (chdir(root))
		exit(99);
	ok(!create(&d, NULL, NULL, false, &err), "no name and no folder");
	is_str(d.path, "test.1.er", "is here");
	exp_dir_release(&d);
	is_u64(scratch_count(root, "."), 0, "everything is removed");
	free(name);
	strbuf_release(&err);
	scratch_remove(root);
}

int main(void)
{
	test_numbers();
	test_new();
	test_overwrite();
	test_other();
	test_no_place();
	test_absolute();
	return done_testing();
}
