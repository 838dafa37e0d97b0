/* SPDX-License-Identifier: Apache-2.0 */
/* Files named by others are opened if a process with their rights may open them. */
#include "base/named_file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/file_party.h"
#include "scratch.h"
#include "base/strbuf.h"
#include "random.h"
#include "tap.h"

enum { DRAWS = 400, IDS = 4, FIRST_ID = 54321 };

/* 0 is root; the others are users without a name. */
static unsigned id_of(uint64_t number)
{
	return number ? FIRST_ID + (unsigned)number : 0;
}

/* The truth, from a child that becomes that user. */
static bool child_may(const struct rights *r, const char *path)
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		if (setgroups(r->groups.len, r->groups.data) ||
		    setresgid(r->gid, r->gid, r->gid) ||
		    setresuid(r->uid, r->uid, r->uid))
			_exit(2);
		_exit(open(path, O_RDONLY | O_CLOEXEC) < 0);
	}
	waitpid(child, &status, 0);
	return !status;
}

static bool we_may(const struct rights *r, const char *path)
{
	const struct namer_of_files by = { .rights = r, .root = -1 };
	int fd = named_file_open(&by, NULL, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A folder and its file, of random owners and modes, for a random user. */
static void test_drawn(const char *dir)
{
	char folder[256], path[300];
	uint64_t state = 0x9e3779b97f4a7c15;
	unsigned wrong = 0, may = 0;

	snprintf(folder, sizeof(folder), "%s/d", dir);
	snprintf(path, sizeof(path), "%s/f", folder);
	chmod(dir, 0755);
	for (int i = 0; i < DRAWS; i++) {
		struct rights r = { .uid = id_of(random_below(&state, IDS)),
				    .gid = id_of(random_below(&state, IDS)) };
		bool child;
		int fd;

		for (uint64_t g = random_below(&state, 3); g; g--)
			*vec_push(&r.groups) = id_of(random_below(&state, IDS));
		r.caps = r.uid ? 0 : UINT64_MAX;
		mkdir(folder, 0700);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (fd < 0 ||
		    fchown(fd, id_of(random_below(&state, IDS)),
			   id_of(random_below(&state, IDS))) ||
		    fchmod(fd, (mode_t)random_below(&state, 01000)) || close(fd) ||
		    chown(folder, id_of(random_below(&state, IDS)),
			  id_of(random_below(&state, IDS))) ||
		    chmod(folder, random_below(&state, 2)
					  ? 0755
					  : (mode_t)random_below(&state, 01000)))
			abort();
		child = child_may(&r, path);
		wrong += child != we_may(&r, path);
		may += child;
		unlink(path);
		rights_release(&r);
	}
	rmdir(folder);
	is_u64(wrong, 0,
	       "%d random owners, modes and users: the same as in a child of that user",
	       DRAWS);
	ok(may > DRAWS / 10 && may < DRAWS - DRAWS / 10, "some may, some may not");
	ok(!geteuid() && getgid() == getegid(), "our own rights are unchanged");
}

/* Root without the capabilities that make it root. */
static void test_container_root(const char *dir)
{
	char path[300];
	struct rights r = { 0 };
	int fd;

	snprintf(path, sizeof(path), "%s/secret", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ok(fd >= 0 && !fchown(fd, FIRST_ID, FIRST_ID) && !close(fd), "a user's file");
	ok(!we_may(&r, path), "root without capabilities may not read it");
	r.caps = UINT64_MAX;
	ok(we_may(&r, path), "root may");
	unlink(path);
}

/* In a child, as in a container without CAP_SETUID; 1, 2 or 4 for each that fails. */
static int tries_as_root(const char *path)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	struct rights r = { .uid = FIRST_ID, .gid = FIRST_ID };

	if (syscall(SYS_capget, &head, data))
		return 8;
	data[0].effective &= ~(1u << CAP_SETUID);
	data[0].permitted &= ~(1u << CAP_SETUID);
	if (syscall(SYS_capset, &head, data))
		return 8;
	return (we_may(&r, path) ? 1 : 0) | (party_join(FIRST_ID, NULL) ? 2 : 0) |
	       (party_join(PARTY_OURS, NULL) ? 0 : 4);
}

/* It owns root's files, whatever capabilities it drops. */
static void test_stays_root(const char *dir)
{
	char path[300];
	int fd, status = -1;

	snprintf(path, sizeof(path), "%s/secret", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ok(fd >= 0 && !close(fd), "a file of root's");
	if (!fork())
		_exit(tries_as_root(path));
	while (wait(&status) < 0)
		;
	is_i64(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0,
	       "root that cannot become a user does nothing for him");
	unlink(path);
}

static void test_types(const char *dir)
{
	static const char *const paths[] = { "/dev/null",       "/dev/ptmx",
					     "/proc/self/maps", "/",
					     "/proc/self/exe/", "/sys/kernel/notes" };
	char fifo[300];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		ok(named_file_open(NULL, NULL, paths[i]) < 0, "not %s", paths[i]);
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	ok(!mkfifo(fifo, 0666), "a FIFO without a writer");
	is_i64(named_file_open(NULL, NULL, fifo), -EINVAL, "does not block");
	is_i64(file_open(fifo), -EINVAL, "nor if we chose it");
	unlink(fifo);
	ok(file_open("/proc/self/maps") >= 0, "files of /proc that we chose are opened");
}

static void test_status(void)
{
	struct strbuf text = { 0 };
	struct rights r;

	ok(!file_read("/proc/self/status", 65536, &text), "our own status");
	ok(rights_parse(&r, strbuf_str(&text)), "has our rights");
	is_u64(r.uid, geteuid(), "the user");
	is_u64(r.gid, getegid(), "the group");
	is_i64((int64_t)r.groups.len, getgroups(0, NULL), "the other groups");
	rights_release(&r);
	strbuf_release(&text);
	ok(!rights_parse(&r, "Name:\tx\nUid:\t1\t2\t3\nGid:\t1\n"),
	   "an incomplete one has none");
}

/* The only capabilities that root's child keeps. */
static bool keeps_only_files(void)
{
	struct strbuf text = { 0 };
	const char *permitted;
	int status = -1;

	if (!fork()) {
		rights_keep_files();
		if (file_read("/proc/self/status", 65536, &text))
			_exit(2);
		permitted = strstr(strbuf_str(&text), "CapPrm:");
		_exit(!permitted || strtoull(permitted + 7, NULL, 16) > 0x1f ||
		      (!geteuid() && open("/proc/self/mem", O_RDONLY) < 0));
	}
	while (wait(&status) < 0)
		;
	return !status;
}

int main(void)
{
	char *dir = scratch_make();

	ok(keeps_only_files(), "only the capabilities for files are kept");
	test_status();
	test_types(dir);
	if (geteuid() || chown(dir, FIRST_ID + IDS - 1, FIRST_ID + IDS - 1) ||
	    chown(dir, 0, 0) || setgroups(0, NULL)) {
		skip(8, "only root can become another user");
	} else {
		test_drawn(dir);
		test_container_root(dir);
		test_stays_root(dir);
	}
	scratch_remove(dir);
	return done_testing();
}
