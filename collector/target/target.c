/* SPDX-License-Identifier: Apache-2.0 */
#include "target/target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* 0, or the errno with which it would not execute. */
static int executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) < 0 ? errno : 0;
}

static int not_found(const char *name, int error, struct strbuf *err)
{
	bool missing = error == ENOENT || error == ENOTDIR;

	if (!*name)
		strbuf_addstr(err, "the program's name is empty");
	else if (missing && strchr(name, '/'))
		strbuf_addf(err, "%s: no such program", name);
	else if (missing)
		strbuf_addf(err, "%s: no such program in PATH", name);
	else
		strbuf_addf(err, "%s cannot be executed: %s", name, strerror(error));
	return missing ? 127 : 126;
}

int target_find(const char *name, char **path, struct strbuf *err)
{
	const char *dirs = getenv("PATH");
	int error = ENOENT;

	if (strchr(name, '/')) {
		error = executable(name);
		if (error)
			return not_found(name, error, err);
		*path = xstrdup(name);
		return 0;
	}
	if (!dirs)
		dirs = "/bin:/usr/bin";
	while (*name) {
		size_t len = strcspn(dirs, ":");
		char *file = len ? xasprintf("%.*s/%s", (int)len, dirs, name)
				 : xstrdup(name);
		int one = executable(file);

		if (!one) {
			*path = file;
			return 0;
		}
		free(file);
		if (one != ENOENT && one != ENOTDIR)
			error = one;
		if (!dirs[len])
			break;
		dirs += len + 1;
	}
	return not_found(name, error, err);
}

bool target_is_untraceable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	return (st.st_mode & S_ISUID && st.st_uid != getuid()) ||
	       (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getgid()) ||
	       access(path, R_OK) < 0;
}

bool target_is_32_bit(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	unsigned char ident[EI_NIDENT] = { 0 };
	bool is32 = false;

	if (fd < 0)
		return false;
	if (!file_read_at(fd, 0, ident, sizeof(ident)))
		is32 = !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS32;
	close(fd);
	return is32;
}

/*
 * As execvp does: a file without a header that the kernel knows is a script of the shell.
 */
static void execute(const char *path, char *const argv[])
{
	VEC(char *) args = { 0 };

	execv(path, argv);
	if (errno != ENOEXEC)
		return;
	*vec_push(&args) = xstrdup("/bin/sh");
	*vec_push(&args) = xstrdup(path);
	for (size_t i = 1; argv[0] && argv[i]; i++)
		*vec_push(&args) = argv[i];
	*vec_push(&args) = NULL;
	execv("/bin/sh", args.data);
}

/* What it is to find of signals: as collect was started. */
struct before {
	const sigset_t *mask;
	struct sigaction chld;
};

static _Noreturn void child(int gate, int failed, const char *path, char *const argv[],
			    const struct before *before)
{
	char go;
	int error;
	ssize_t n;

	do
		n = read(gate, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(125); /* collect died or gave up */
	close(gate);
	sigaction(SIGCHLD, &before->chld, NULL);
	sigprocmask(SIG_SETMASK, before->mask, NULL);
	execute(path, argv);
	error = errno;
	n = write(failed, &error, sizeof(error));
	_exit(n == (ssize_t)sizeof(error) ? 126 : 125);
}

/*
 * A process that exists is moved to another group only when no CPU is in the middle of a
 * fork, which takes the kernel 10 ms to find out; one that is born there costs nothing
 * (clone3, Linux 5.7).
 */
static pid_t fork_into(int cgroup)
{
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = (uint64_t)cgroup,
	};

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

/* The child starts in our own group if it cannot start in CGROUP. */
static void fork_child(struct target *t, int cgroup)
{
	t->pid = cgroup < 0 ? -1 : fork_into(cgroup);
	t->in_group = t->pid >= 0;
	if (t->pid < 0)
		t->pid = fork();
}

int target_fork(struct target *t, const char *path, char *const argv[],
		const struct target_birth *birth)
{
	const struct sigaction waited = { .sa_handler = SIG_DFL };
	struct before before = { .mask = birth->mask };
	int gate[2], failed[2], error = 0;

	*t = (struct target)TARGET_NONE;
	if (pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(failed, O_CLOEXEC) < 0) {
		error = -errno;
		close(gate[0]);
		close(gate[1]);
		return error;
	}
	/* A process that ignores it cannot wait for its children. */
	sigaction(SIGCHLD, &waited, &before.chld);
	fork_child(t, birth->cgroup);
	if (!t->pid) {
		close(gate[1]);
		child(gate[0], failed[1], path, argv, &before);
	}
	if (t->pid < 0) {
		error = -errno;
		t->pid = 0;
	}
	close(gate[0]);
	close(failed[1]);
	t->gate = gate[1];
	t->failed = failed[0];
	return error;
}

/* The pipe closes by itself when the program is executed: then nothing can be read. */
int target_go(struct target *t)
{
	int error = 0;
	ssize_t n;

	n = write(t->gate, "", 1);
	close(t->gate);
	t->gate = -1;
	if (n == 1) {
		do
			n = read(t->failed, &error, sizeof(error));
		while (n < 0 && errno == EINTR);
		if (n != (ssize_t)sizeof(error))
			error = 0;
	} else {
		error = EPIPE;
	}
	close(t->failed);
	t->failed = -1;
	return -error;
}

bool target_is_child(const struct target *t)
{
	return t->pid && !t->attached.processes.len;
}

bool target_has_ended(const struct target *t)
{
	return t->ended;
}

void target_signal(const struct target *t, int sig)
{
	kill(t->pid, sig);
}

int target_attach(struct target *t, pid_t pid)
{
	int error = attached_add(&t->attached, pid);

	if (!error && !t->pid)
		t->pid = pid;
	return error;
}

void target_threads(struct target *t, const char *root, bool follow, pid_vec *tids)
{
	if (target_is_child(t)) {
		*vec_push(tids) = t->pid;
		return;
	}
	if (follow)
		attached_add_below(&t->attached, root);
	vec_for_each(const struct attached_process, p, &t->attached.processes) {
		int error = proc_list_threads(root, p->pid, tids);

		(void)error; /* it has ended */
	}
}

bool target_has(const struct target *t, pid_t pid)
{
	return target_is_child(t) ? pid == t->pid : attached_have(&t->attached, pid);
}

/* As getrusage(2) has them, from the same counts as /proc/PID/io. */
enum { BLOCK_BYTES = 512 };

static void take_attached(struct target *t)
{
	struct attached_use use;

	t->no_accounting = !attached_used(&t->attached, &use);
	t->user_ns = use.user_ns;
	t->system_ns = use.system_ns;
	t->usage = (struct target_usage){
		.of = USAGE_OF_PROCESSES,
		.minor_faults = use.minor_faults,
		.major_faults = use.major_faults,
		.blocks = use.has_io,
		.input_blocks = use.io.read / BLOCK_BYTES,
		.output_blocks = use.io.written / BLOCK_BYTES,
	};
}

static void poll_attached(struct target *t, bool all)
{
	attached_poll(&t->attached, all);
	if (all)
		take_attached(t);
	t->ended = attached_have_ended(&t->attached);
}

static uint64_t ns_of(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000u + (uint64_t)tv->tv_usec * 1000u;
}

static void reap(struct target *t, int options)
{
	struct rusage usage;
	pid_t got;

	if (!target_is_child(t) || t->ended)
		return;
	do
		got = wait4(t->pid, &t->wait_status, options, &usage);
	while (got < 0 && errno == EINTR);
	if (got != t->pid)
		return;
	t->ended = true;
	t->user_ns = ns_of(&usage.ru_utime);
	t->system_ns = ns_of(&usage.ru_stime);
	t->usage = (struct target_usage){
		.of = USAGE_OF_WAITED,
		.minor_faults = (uint64_t)usage.ru_minflt,
		.major_faults = (uint64_t)usage.ru_majflt,
		.voluntary_switches = (uint64_t)usage.ru_nvcsw,
		.involuntary_switches = (uint64_t)usage.ru_nivcsw,
		.blocks = true,
		.input_blocks = (uint64_t)usage.ru_inblock,
		.output_blocks = (uint64_t)usage.ru_oublock,
	};
}

static void poll_group(struct target *t, bool now)
{
	target_group_poll(&t->group, now);
	t->ended = t->group.gone;
}

void target_poll(struct target *t)
{
	if (t->group.path)
		poll_group(t, false);
	if (t->attached.processes.len)
		poll_attached(t, false);
	reap(t, WNOHANG);
}

void target_finish(struct target *t)
{
	if (t->group.path)
		poll_group(t, true);
	if (t->attached.processes.len)
		poll_attached(t, true);
}

void target_wait(struct target *t)
{
	reap(t, 0);
}

int target_exit_status(const struct target *t)
{
	if (WIFSIGNALED(t->wait_status))
		return 128 + WTERMSIG(t->wait_status);
	return WEXITSTATUS(t->wait_status);
}

void target_release(struct target *t)
{
	if (t->gate >= 0)
		close(t->gate);
	if (t->failed >= 0)
		close(t->failed);
	target_wait(t);
	attached_release(&t->attached);
	target_group_release(&t->group);
	*t = (struct target)TARGET_NONE;
}
