/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deny WHAT COMMAND…: runs it with a filter of system calls, as a container has.  WHAT is
 * EPERM or ENOSYS: perf_event_open fails so; or landlock, seccomp: the kernel has none of it.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LANDLOCK_CREATE_RULESET = 444, ANY = 0xffff };

static const struct denial {
	const char *name;
	unsigned call, first; /* FIRST: the first argument, or ANY */
	unsigned error;
} denials[] = {
	{ "EPERM", SYS_perf_event_open, ANY, EPERM },
	{ "ENOSYS", SYS_perf_event_open, ANY, ENOSYS },
	{ "landlock", LANDLOCK_CREATE_RULESET, ANY, ENOSYS },
	{ "seccomp", SYS_prctl, PR_SET_SECCOMP, EINVAL },
};

static int filter(const struct denial *d)
{
	const size_t argument = offsetof(struct seccomp_data, args) +
				(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, d->call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)argument),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, d->first, 0, d->first != ANY),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | d->error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	const struct denial *d = denials;
	const struct denial *end = denials + sizeof(denials) / sizeof(denials[0]);

	while (argc > 2 && d < end && strcmp(argv[1], d->name) != 0)
		d++;
	if (argc < 3 || d == end) {
		fputs("usage: deny EPERM|ENOSYS|landlock|seccomp COMMAND…\n", stderr);
		return 2;
	}
	if (filter(d)) {
		perror("deny");
		return 125;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
