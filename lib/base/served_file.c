/* SPDX-License-Identifier: Apache-2.0 */
#include "base/served_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_limits.h"
#include "base/program.h"

#ifndef NS_GET_USERNS
#define NS_GET_USERNS _IO(0xb7, 0x1)
#endif

enum { SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

/* ---- the child ---- */

static int copy_bytes(int fd, int memory)
{
	static char chunk[1 << 17];
	off_t at = 0;

	for (;;) {
		ssize_t got = pread(fd, chunk, sizeof(chunk), at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : 0;
		if (at + got > SERVED_FILE_MAX)
			return -EFBIG;
		if (pwrite(memory, chunk, (size_t)got, at) != got)
			return -ENOSPC;
		at += got;
	}
}

/* The owner is charged for what the file makes us read: whoever cannot say who, pays. */
static int copy(int fd, int memory)
{
	struct stat st;
	int error = fstat(fd, &st) ? -errno : copy_bytes(fd, memory);

	if (error)
		return error;
	if (futimens(memory, (struct timespec[]){ st.st_atim, st.st_mtim }) ||
	    fchmod(memory, st.st_mode & 0777) || fchown(memory, st.st_uid, st.st_gid))
		return 0; /* an ordinary user's copies are his own */
	return 0;
}

/* It may hang in each call, and when it ends; SIGALRM ends what can be ended. */
static _Noreturn void serve(const struct served_file *file, int memory, int answer,
			    unsigned ms)
{
	int keep[] = { memory, answer, file->keep };
	sigset_t none;
	int fd, result;

	program_on_oom(NULL, NULL); /* that is the parent's end, not ours */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGALRM, SIG_DFL);
	/* whoever asked may have the priority of the reader of the rings */
	(void)sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	alarm(ms / 1000 + 2);
	child_keep_files(keep, sizeof(keep) / sizeof(keep[0]));
	fd = file->open(file->ctx);
	result = fd < 0 ? fd : copy(fd, memory);
	_exit(write(answer, &result, sizeof(result)) != sizeof(result));
}

/* The child of a child: when it ends, and whether, is init's matter. */
static int start(const struct served_file *file, int memory, int answer, unsigned ms)
{
	pid_t child = fork();

	if (!child) {
		if (!fork())
			serve(file, memory, answer, ms);
		_exit(0);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return child > 0 ? 0 : -EAGAIN;
}

/* ---- the parent ---- */

static int wait_for(int answer, unsigned ms)
{
	struct pollfd ready = { .fd = answer, .events = POLLIN };
	int result;

	if (poll(&ready, 1, (int)ms) <= 0)
		return -ETIMEDOUT;
	if (read(answer, &result, sizeof(result)) != (ssize_t)sizeof(result))
		return -EIO;
	return result < 0 ? result : 0;
}

/* What comes late finds no room. */
static int end_copy(int memory, int error)
{
	if (error && ftruncate(memory, 0))
		error = -EIO;
	if (fcntl(memory, F_ADD_SEALS, SEALS) && !error)
		error = -EIO;
	if (!error)
		return memory;
	close(memory);
	return error;
}

int served_file_copy(const struct served_file *file, unsigned ms)
{
	int memory = memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING), ends[2];
	int error;

	if (memory < 0)
		return -errno;
	if (pipe2(ends, O_CLOEXEC)) {
		close(memory);
		return -EMFILE;
	}
	error = start(file, memory, ends[1], ms);
	close(ends[1]);
	if (!error)
		error = wait_for(ends[0], ms);
	close(ends[0]);
	return end_copy(memory, error);
}

bool served_file_is_copy(int fd)
{
	return fcntl(fd, F_GET_SEALS) == SEALS;
}

/* ---- whose mounts ---- */

/* 0: unknown */
static unsigned long mount_of(int place)
{
	unsigned long id = 0;
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", place);
	f = fopen(path, "re");
	while (f && !id && fgets(line, sizeof(line), f))
		if (!strncmp(line, "mnt_id:", strlen("mnt_id:")))
			id = strtoul(line + strlen("mnt_id:"), NULL, 10);
	if (f)
		fclose(f);
	return id;
}

/* "36 35 98:0 /a /mnt rw - ext4 …": proc_pid_mountinfo(5). */
static bool is_listed(FILE *f, unsigned long id)
{
	char *line = NULL;
	size_t room = 0;
	bool found = false, fuse = false;

	while (!found && getline(&line, &room, f) > 0) {
		const char *type = strstr(line, " - ");

		found = strtoul(line, NULL, 10) == id;
		fuse = !type || !strncmp(type + 3, "fuse", 4);
	}
	free(line);
	return found && !fuse;
}

static bool has_mount(const char *process, unsigned long id)
{
	char path[64];
	bool has;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/mountinfo", process);
	f = fopen(path, "re");
	has = f && is_listed(f, id);
	if (f)
		fclose(f);
	return has;
}

/* The owner of mount namespace SPACE is an ancestor's namespace where we may not see it. */
static bool is_of_others(int space)
{
	struct stat own, its;
	int user = ioctl(space, NS_GET_USERNS);
	bool others = user >= 0 && !stat("/proc/self/ns/user", &own) &&
		      !fstat(user, &its) &&
		      (own.st_dev != its.st_dev || own.st_ino != its.st_ino);

	if (user >= 0)
		close(user);
	return others;
}

bool served_file_mounts(int dir)
{
	int space = openat(dir, "ns/mnt", O_RDONLY | O_CLOEXEC);
	bool others;

	if (space < 0)
		return errno != ENOENT;
	others = is_of_others(space);
	close(space);
	return others;
}

static bool has_harmless_mount(int64_t pid, unsigned long id)
{
	char process[32], path[48];
	bool has;
	int dir;

	snprintf(process, sizeof(process), "%lld", (long long)pid);
	snprintf(path, sizeof(path), "/proc/%s", process);
	dir = pid > 0 ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	if (dir < 0)
		return false;
	/* the list first: no process returns to a namespace with more rights */
	has = has_mount(process, id) && !served_file_mounts(dir);
	close(dir);
	return has;
}

bool served_file_may_be(int place, int64_t pid)
{
	struct statx st;
	unsigned long id;

	if (!statx(place, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &st) &&
	    st.stx_dev_major)
		return false;
	id = mount_of(place);
	return !id || !(has_mount("self", id) || has_harmless_mount(pid, id));
}
