/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overwrites an experiment while an attacker exchanges it for his links and directories,
 * under each of its names: none of our files is removed or written.  If this is root, the
 * attacker is another user, and owns the folder.
 */
#include "output/exp_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiment/log.h"
#include "experiment/write.h"
#include "base/folder.h"
#include "races.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

enum { ROUNDS = 1000, CALM = 20, FILES = 5, USER = 61001 };

/* The files of an experiment, and of the directory that must not change. */
static const char *const files[FILES] = { "data", "log.json", "lines", "archive/a/object",
					  "archive/src/b.c" };

/* Exchanges the names of the old experiment and the new one for a link to it. */
static void swap(const char *root, long pid)
{
	char *saved = xasprintf("a.er.old-%ld", pid);
	const char *names[] = { saved, "a.er" };
	int dir = folder_open(root);

	if (!geteuid() && setresuid(USER, USER, USER))
		exit(99);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		for (size_t i = 0; i < 2; i++)
			for (int times = 0; times < 9; times++)
				syscall(SYS_renameat2, dir, names[i], dir, "link",
					RENAME_EXCHANGE);
}

static void fill(const char *root, const char *name)
{
	for (size_t i = 0; i < FILES; i++) {
		char *path = xasprintf("%s/%s", name, files[i]);

		scratch_text(root, path, "precious");
		free(path);
	}
}

/* How many files in NAME exist and are unchanged. */
static size_t count_whole(const char *root, const char *name)
{
	size_t whole = 0;

	for (size_t i = 0; i < FILES; i++) {
		char *path = xasprintf("%s/%s/%s", root, name, files[i]);
		char text[16] = "";
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		whole += fd >= 0 && read(fd, text, sizeof(text) - 1) == 8 &&
			 !strcmp(text, "precious");
		if (fd >= 0)
			close(fd);
		free(path);
	}
	return whole;
}

/* Makes a recording as collect does.  *MADE counts completed ones. */
static void overwrite(const char *root, bool commit, size_t *made)
{
	const struct exp_place place = {
		.directory = root,
		.name = "a.er",
		.overwrite = true,
		.mode = 0777,
	};
	struct strbuf err = { 0 };
	struct exp_log log = { 0 };
	struct exp_writer *w;
	struct exp_dir d;

	if (!exp_dir_create(&d, &place, &err)) {
		*made += !exp_writer_open_at(d.fd, &w) && !exp_writer_close(w) &&
			 !exp_log_write_at(&log, d.fd);
		if (commit)
			exp_dir_commit(&d);
		exp_dir_release(&d);
	}
	strbuf_release(&err);
}

/* folder_remove_tree leaves what belongs to others. */
static void clear(const char *root)
{
	int dir = folder_open(root);

	if (fchownat(dir, "theirs", geteuid(), getegid(), AT_SYMLINK_NOFOLLOW) < 0)
		exit(99);
	folder_remove_tree(dir, "theirs");
	close(dir);
}

int main(void)
{
	char *root = scratch_make(), *theirs = xasprintf("%s/theirs", root),
	     *vault = xasprintf("%s/vault", root), *link = xasprintf("%s/link", theirs),
	     *ours = xasprintf("%s/ours", root);
	size_t rounds = race_rounds(ROUNDS), made = 0, harmed = 0, calm = 0;

	fill(root, "vault");
	for (size_t i = 0; i < rounds; i++) {
		pid_t swapper;

		fill(root, "theirs/a.er");
		if (symlink(vault, link) < 0 && errno != EEXIST)
			exit(99);
		if (!geteuid() && chown(theirs, USER, USER))
			exit(99);
		swapper = fork();
		if (swapper < 0)
			exit(99);
		if (!swapper)
			swap(theirs, (long)getppid());
		if (i % 3)
			usleep(200); /* without this it has rarely begun */
		overwrite(theirs, i % 2, &made);
		kill(swapper, SIGKILL);
		waitpid(swapper, NULL, 0);
		harmed += count_whole(root, "vault") != FILES;
		clear(root);
	}
	is_u64(harmed, 0, "%zu attempts do not harm the link's target", rounds);
	is_u64(count_whole(root, "vault"), FILES, "every file is there");
	is_u64(scratch_count(root, "vault"), 4, "and no other");
	fill(root, "ours/another");
	for (size_t i = 0; i < CALM; i++)
		overwrite(ours, true, &calm);
	is_u64(calm, CALM, "where nobody swaps all are recorded; of those %zu were",
	       made);
	free(ours);
	free(link);
	free(vault);
	free(theirs);
	scratch_remove(root);
	return done_testing();
}
