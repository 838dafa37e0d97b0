/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a file while its owner exchanges it for something that he may not have: a link to
 * a secret, a FIFO, a directory.  Only his own file is opened, or nothing.
 */
#include "base/named_file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/xalloc.h"
#include "races.h"
#include "scratch.h"
#include "tap.h"

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

enum { ROUNDS = 20000, USER = 61001 };

static const char *const others[] = { "link", "fifo", "folder", "same" };

/* Exchanges "name" for each of the others in turn, without end. */
static void swap(int dir)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0;; i++)
		syscall(SYS_renameat2, dir, "name", dir, others[i % 4], RENAME_EXCHANGE);
}

static char *make_folder(void)
{
	char *root = scratch_make(), *fifo = xasprintf("%s/theirs/fifo", root),
	     *folder = xasprintf("%s/theirs/folder", root),
	     *link = xasprintf("%s/theirs/link", root),
	     *secret = xasprintf("%s/secret", root);

	scratch_text(root, "theirs/name", "theirs");
	scratch_text(root, "theirs/same", "theirs");
	scratch_text(root, "secret", "secret");
	if (chmod(root, 0755) || chmod(secret, 0) || mkfifo(fifo, 0666) ||
	    mkdir(folder, 0755) || symlink(secret, link))
		exit(99);
	free(fifo);
	free(folder);
	free(link);
	free(secret);
	return root;
}

/* ---- attempts ---- */

struct attempt {
	char *path; /* of the file that is exchanged */
	int dir;    /* its directory */
	struct rights rights;
};

typedef int open_fn(const struct attempt *a);

static int open_in_folder(const struct attempt *a)
{
	return folder_open_file(a->dir, "name");
}

static int open_named(const struct attempt *a)
{
	const struct namer_of_files by = { .rights = &a->rights, .root = -1 };

	return named_file_open(&by, NULL, a->path);
}

static int open_unlinked(const struct attempt *a)
{
	return named_file_open_unlinked(NULL, a->path);
}

static bool is_theirs(int fd)
{
	char text[16] = "";

	return read(fd, text, sizeof(text) - 1) == 6 && !strcmp(text, "theirs");
}

static void race(const struct attempt *a, open_fn *open, const char *what)
{
	size_t rounds = race_rounds(ROUNDS), opened = 0, wrong = 0;

	for (size_t i = 0; i < rounds; i++) {
		int fd = open(a);

		if (fd < 0)
			continue;
		opened++;
		wrong += !is_theirs(fd);
		close(fd);
	}
	is_u64(wrong, 0, "%s: %zu attempts, %zu opened", what, rounds, opened);
}

int main(void)
{
	char *root = make_folder(), *theirs = xasprintf("%s/theirs", root);
	struct attempt a = { .path = xasprintf("%s/name", theirs),
			     .dir = folder_open(theirs),
			     .rights = { .uid = geteuid() ? geteuid() : USER,
					 .gid = geteuid() ? getegid() : USER } };
	pid_t swapper = fork();

	if (swapper < 0 || a.dir < 0)
		exit(99);
	if (!swapper)
		swap(a.dir);
	race(&a, open_in_folder, "in an experiment no link is followed");
	race(&a, open_unlinked, "nor for a JIT's map");
	race(&a, open_named, "a file that a user names is opened with his rights");
	kill(swapper, SIGKILL);
	waitpid(swapper, NULL, 0);
	close(a.dir);
	free(a.path);
	free(theirs);
	scratch_remove(root);
	return done_testing();
}
