/* SPDX-License-Identifier: Apache-2.0 */
/* A confined process attempts everything that it must not do. */
#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "stand_in.h"
#include "tap.h"

/* Pretends that the kernel has no later version of Landlock. */
static long landlock = LONG_MAX;

static bool old_kernel(long number, const long *args, long *answer)
{
	if (number != 444 || args[2] != 1)
		return false;
	*answer = stand_in_real(number, args);
	if (*answer > landlock)
		*answer = landlock;
	return true;
}

/* In a folder with a file "f" that is open as FD for reading and writing. */
typedef bool attempt_fn(int fd);

static bool opens(int flags)
{
	return open("f", flags, 0600) >= 0;
}

static bool opens2(uint64_t flags)
{
	struct open_how how = { .flags = flags, .resolve = RESOLVE_IN_ROOT };

	return syscall(SYS_openat2, AT_FDCWD, "f", &how, sizeof(how)) >= 0;
}

static int advises(int what)
{
	return madvise(mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1,
		       what);
}

/* clang-format off: a table of one-liners */
#define TRY(name, what)                                                                  \
	static bool try_##name(int fd)                                                   \
	{                                                                                \
		(void)fd;                                                                \
		return what;                                                             \
	}
TRY(write_open, opens(O_WRONLY))
TRY(both_open, opens(O_RDWR))
TRY(append, opens(O_WRONLY | O_APPEND))
TRY(create, open("new", O_RDONLY | O_CREAT, 0600) >= 0)
TRY(truncate_open, opens(O_RDONLY | O_TRUNC))
TRY(temporary, open(".", O_TMPFILE | O_RDWR, 0600) >= 0)
TRY(write_open2, opens2(O_WRONLY))
TRY(truncate_open2, opens2(O_RDONLY | O_TRUNC))
TRY(write, write(fd, "x", 1) == 1)
TRY(read_on, read(fd, &(char){ 0 }, 1) >= 0)
TRY(seek, lseek(fd, 0, SEEK_SET) >= 0)
TRY(pwrite, pwrite(fd, "x", 1, 0) == 1)
TRY(truncate, !ftruncate(fd, 0))
TRY(map, mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED)
TRY(chmod, !fchmod(fd, 0777))
TRY(unlink, !unlink("f"))
TRY(rename, !rename("f", "g"))
TRY(link, !link("f", "g"))
TRY(symlink, !symlink("f", "g"))
TRY(mkdir, !mkdir("d", 0700))
TRY(socket, socket(AF_INET, SOCK_STREAM, 0) >= 0)
TRY(local_socket, socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
TRY(fork, fork() >= 0)
TRY(exec, !execl("/bin/true", "true", (char *)NULL))
TRY(signal, !kill(getppid(), 0))
TRY(owner, !fcntl(fd, F_SETOWN, 1))
TRY(trace, !ptrace(PTRACE_SEIZE, getppid(), 0, 0))
TRY(user, !setuid(geteuid()))
TRY(limits, !prlimit(getppid(), RLIMIT_CORE, NULL, &(struct rlimit){ 0 }))
TRY(mount, !syscall(SYS_unshare, CLONE_NEWNS))
TRY(ring, syscall(425 /* io_uring_setup */, 1, (void *)NULL) >= 0 || errno == EFAULT)
TRY(read_open, opens(O_RDONLY))
TRY(read, pread(fd, &(char){ 0 }, 1, 0) == 1)
TRY(map_private, mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) != MAP_FAILED)
TRY(poison, !advises(100) || errno == EINVAL)
TRY(give_back, !advises(MADV_DONTNEED))
/* clang-format on */

static bool try_poke(int fd)
{
	static char word;
	struct iovec at = { &word, 1 };

	(void)fd;
	return process_vm_writev(getppid(), &at, 1, &at, 1, 0) == 1;
}

static bool try_memory(int fd)
{
	char *much = malloc(64 << 20);
	bool had = much;

	(void)fd;
	if (much)
		memset(much, 1, 64 << 20);
	free(much);
	return had;
}

static const struct {
	const char *what;
	attempt_fn *attempt;
	unsigned needs; /* of enum confined, to be refused; 0: it is allowed */
} cases[] = {
	{ "opening for writing", try_write_open, CONFINED_CALLS },
	{ "opening for both", try_both_open, CONFINED_CALLS },
	{ "appending", try_append, CONFINED_CALLS },
	{ "creating", try_create, CONFINED_CALLS },
	{ "opening with truncation", try_truncate_open, CONFINED_CALLS },
	{ "a temporary file", try_temporary, CONFINED_CALLS },
	{ "openat2 for writing", try_write_open2, CONFINED_CALLS },
	{ "openat2 with truncation", try_truncate_open2, CONFINED_CALLS },
	{ "writing to an open file", try_write, CONFINED_CALLS },
	{ "reading on", try_read_on, CONFINED_CALLS },
	{ "moving a shared file position", try_seek, CONFINED_CALLS },
	{ "writing at an offset", try_pwrite, CONFINED_CALLS },
	{ "truncating", try_truncate, CONFINED_CALLS },
	{ "a shared mapping", try_map, CONFINED_CALLS },
	{ "chmod", try_chmod, CONFINED_CALLS },
	{ "unlink", try_unlink, CONFINED_CALLS },
	{ "rename", try_rename, CONFINED_CALLS },
	{ "link", try_link, CONFINED_CALLS },
	{ "symlink", try_symlink, CONFINED_CALLS },
	{ "mkdir", try_mkdir, CONFINED_CALLS },
	{ "a socket", try_socket, CONFINED_CALLS },
	{ "a local socket", try_local_socket, CONFINED_CALLS },
	{ "another process", try_fork, CONFINED_CALLS },
	{ "another program", try_exec, CONFINED_CALLS },
	{ "a signal", try_signal, CONFINED_CALLS },
	{ "a signal by a file", try_owner, CONFINED_CALLS },
	{ "tracing", try_trace, CONFINED_CALLS },
	{ "another's memory", try_poke, CONFINED_CALLS },
	{ "another user", try_user, CONFINED_CALLS },
	{ "another's limits", try_limits, CONFINED_CALLS },
	{ "a namespace", try_mount, CONFINED_CALLS },
	{ "io_uring", try_ring, CONFINED_CALLS },
	{ "poisoning memory", try_poison, CONFINED_CALLS },
	{ "opening for reading", try_read_open, 0 },
	{ "reading", try_read, 0 },
	{ "a private mapping", try_map_private, 0 },
	{ "memory", try_memory, 0 },
	{ "releasing memory", try_give_back, 0 },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* A child's results: a byte each, after one that says how it is confined. */
static void attempt_all(bool confined, char *out)
{
	int ends[2], fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);

	memset(out, 0, CASES + 1);
	if (fd < 0 || write(fd, "x", 1) != 1 || pipe(ends))
		abort();
	if (!fork()) {
		char done[CASES + 1] = { 0 };

		done[0] = (char)(confined ? confine_to_answer(ends[1]) : 0);
		for (int i = 0; i < CASES; i++)
			if (confined || !cases[i].needs)
				done[i + 1] = (char)cases[i].attempt(fd);
		_exit(write(ends[1], done, sizeof(done)) != sizeof(done));
	}
	close(ends[1]);
	ok(read(ends[0], out, CASES + 1) == CASES + 1, "a child answers");
	wait(NULL);
	close(ends[0]);
	close(fd);
}

static void test_confinement(void)
{
	char done[CASES + 1];

	attempt_all(true, done);
	for (int i = 0; i < CASES; i++) {
		if (!cases[i].needs)
			ok(done[i + 1], "%s is allowed", cases[i].what);
		else if (!(done[0] & (char)cases[i].needs))
			skip(1, "this kernel cannot confine so");
		else
			ok(!done[i + 1], "%s is refused", cases[i].what);
	}
	if (done[0] & CONFINED_CALLS)
		ok(!prctl(PR_GET_SECCOMP), "this process is not confined");
	ok(landlock >= 3 || !(done[0] & CONFINED_FILES),
	   "Landlock %ld does not deny all writing", landlock);
}

int main(void)
{
	static const long versions[] = { LONG_MAX, 3, 2, 1, 0 };
	char *dir = scratch_make();

	stand_in = old_kernel;
	if (chdir(dir))
		abort();
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		landlock = versions[i];
		test_confinement();
	}
	scratch_remove(dir);
	return done_testing();
}
