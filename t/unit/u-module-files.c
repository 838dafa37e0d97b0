/* SPDX-License-Identifier: Apache-2.0 */
/* More programs than files that may be open, and processes whose files cannot be opened. */
#include "process/module.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"
#include "unwind/regs.h"

enum { LIMIT = 64, PROGRAMS = LIMIT };

/* How many of PROGRAMS, which are links to this one, can be unwound. */
static unsigned unwound(struct module_table *t, const char *folder, const char *own)
{
	unsigned count = 0;

	for (unsigned i = 0; i < PROGRAMS; i++) {
		char *path = xasprintf("%s/%u", folder, i);
		struct module m = { .kind = EXP_KIND_FILE, .path = path };

		if (symlink(own, path))
			exit(99);
		count += module_cfi(t, module_table_add(t, &m)) != NULL;
		free(path);
	}
	return count;
}

static void test_many(const char *folder, const char *own)
{
	struct module_table t;
	struct rlimit was, low;
	unsigned again = 0;
	int fd;

	getrlimit(RLIMIT_NOFILE, &was);
	low = (struct rlimit){ .rlim_cur = LIMIT, .rlim_max = was.rlim_max };
	setrlimit(RLIMIT_NOFILE, &low);
	module_table_init(&t);
	t.elsewhere = t.trust_paths = true;
	is_u64(unwound(&t, folder, own), LIMIT / MODULE_FILES_SHARE,
	       "a share of all files stay open for unwinding");
	is_u64(t.unopened, PROGRAMS - LIMIT / MODULE_FILES_SHARE,
	       "the others are counted");
	module_table_turn(&t);
	is_u64(t.unopened, 0, "another experiment begins without any");
	for (uint32_t i = 0; i < PROGRAMS; i++)
		again += module_cfi(&t, i) != NULL;
	is_u64(again, LIMIT / MODULE_FILES_SHARE, "it has the open ones");
	is_u64(t.unopened, PROGRAMS - LIMIT / MODULE_FILES_SHARE,
	       "and counts the others too");
	is_u64(t.opened, LIMIT / MODULE_FILES_SHARE, "none is opened twice");
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ok(fd >= 0, "other files can still be opened");
	close(fd);
	module_table_release(&t);
	setrlimit(RLIMIT_NOFILE, &was);
}

/* One file that many processes map in turn. */
static void test_once(char *own)
{
	struct module m = { .kind = EXP_KIND_FILE, .path = own };
	struct module_table t;
	struct rlimit was, low;
	bool opened = false;

	getrlimit(RLIMIT_NOFILE, &was);
	low = (struct rlimit){ .rlim_cur = 1, .rlim_max = was.rlim_max };
	setrlimit(RLIMIT_NOFILE, &low);
	module_table_init(&t);
	for (m.pid = 1; m.pid < 9; m.pid++)
		opened |= module_cfi(&t, module_table_add(&t, &m)) != NULL;
	ok(!opened && t.v.len == 1, "one file beyond the limit");
	is_u64(t.unopened, 1, "is counted once for all processes");
	module_table_release(&t);
	setrlimit(RLIMIT_NOFILE, &was);
}

static int gate[2];

/* Blocks as the kernel does while a process keeps its mappings locked. */
static int open_behind_gate(const char *path)
{
	char byte;

	(void)path;
	return read(gate[0], &byte, 1) == 1 ? file_open("/proc/self/exe") : -EIO;
}

static void pass(unsigned count)
{
	while (count--)
		if (write(gate[1], "", 1) != 1)
			exit(99);
}

/* The path of its file is open to all, but may hang too. */
static void test_locked(char *own)
{
	struct module m = { .kind = EXP_KIND_FILE, .path = own, .pid = getpid() };
	struct unwind_module *cfi = NULL;
	struct module_table t;
	struct stat st;
	uint32_t index;

	if (pipe(gate) || stat(own, &st))
		exit(99);
	m.file = (struct file_id){ .inode = st.st_ino,
				   .major = major(st.st_dev),
				   .minor = minor(st.st_dev) };
	module_table_init(&t);
	t.patient.open = open_behind_gate;
	t.patient.wait_ms = 1;
	index = module_table_add(&t, &m);
	for (int i = 0; i < 10; i++)
		ok(!module_cfi(&t, index), "a file that cannot be opened now");
	is_u64(t.patient.given_up, 1, "is counted once");
	module_table_turn(&t);
	is_u64(t.patient.given_up, 0, "another experiment begins without it");
	for (int i = 0; i < 10; i++)
		ok(!module_cfi(&t, index), "which cannot be opened there either");
	is_u64(t.patient.given_up, 1, "and is counted again, once");
	is_u64(t.patient.stuck.len, 1, "and waited for once");
	t.patient.wait_ms = 3600000;
	pass(2);
	for (int i = 0; i < 6000 && !cfi; i++) {
		usleep(10000);
		cfi = module_cfi(&t, index);
	}
	ok(cfi, "and opened once its process unlocks its mappings");
	module_table_release(&t);
}

static int open_nothing(const char *path)
{
	(void)path;
	return -EACCES;
}

static int open_named_behind_gate(const struct namer_of_files *by, const char *path)
{
	(void)by;
	return open_behind_gate(path);
}

/* Its map_files are refused at once, as for ordinary users, and its path hangs. */
static void test_hanging_path(char *own)
{
	struct module m = { .kind = EXP_KIND_FILE, .path = own, .pid = getpid() };
	struct module_table t;
	uint32_t index;
	bool opened = false;

	module_table_init(&t);
	t.patient.open = open_nothing;
	t.patient.open_named = open_named_behind_gate;
	t.patient.wait_ms = 1;
	index = module_table_add(&t, &m);
	for (int i = 0; i < 10; i++)
		opened |= module_cfi(&t, index) != NULL;
	ok(!opened, "a file whose path hangs");
	is_u64(t.patient.given_up, 1, "is counted once");
	is_u64(t.patient.stuck.len, 1, "and waited for once");
	pass(1);
	module_table_release(&t);
}

int main(void)
{
	char *folder = scratch_make(), own[PATH_MAX] = "";

	if (!unwind_arch_host())
		skip_all("this architecture has no stacks to unwind");
	if (readlink("/proc/self/exe", own, sizeof(own) - 1) <= 0)
		skip_all("the program cannot find itself");
	test_many(folder, own);
	test_once(own);
	test_locked(own);
	test_hanging_path(own);
	scratch_remove(folder);
	return done_testing();
}
