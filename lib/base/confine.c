/* SPDX-License-Identifier: Apache-2.0 */
#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "base/vec.h"

/* ---- files: Landlock, by the numbers of uapi/linux/landlock.h ---- */

enum {
	NR_CREATE_RULESET = 444, /* the same for every machine */
	NR_ADD_RULE = 445,
	NR_RESTRICT_SELF = 446,
	ASK_VERSION = 1,
	BELOW_FOLDER = 1, /* the type of a rule */
	READING = 1 << 2 | 1 << 3,
};

struct rule_below {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));

struct ruleset {
	uint64_t files, net, scoped;
};

/* The additional rights that each version of Landlock can deny. */
static const struct {
	int version;
	struct ruleset denied;
} denials[] = {
	/* execute, write, remove, make; not read a file, read a directory (bits 2, 3) */
	{ 1, { .files = 0x1ff3 } },
	{ 2, { .files = 1 << 13 } }, /* link and rename across directories */
	{ 3, { .files = 1 << 14 } }, /* truncate */
	{ 4, { .net = 3 } },         /* TCP: bind, connect */
	{ 5, { .files = 1 << 15 } }, /* ioctl of devices */
	{ 6, { .scoped = 3 } },      /* abstract sockets, signals: to outside */
};

enum { DENIES_TRUNCATION = 3 };

/*
 * Denies everything, as no rule allows anything.  False if some writing remains possible:
 * old versions cannot deny truncation.
 */
static bool deny_writing(void)
{
	long version = syscall(NR_CREATE_RULESET, NULL, 0, ASK_VERSION), fd;
	struct ruleset set = { 0 };
	size_t size = version < 4   ? offsetof(struct ruleset, net)
		      : version < 6 ? offsetof(struct ruleset, scoped)
				    : sizeof(set);

	for (size_t i = 0; i < sizeof(denials) / sizeof(denials[0]); i++)
		if (denials[i].version <= version) {
			set.files |= denials[i].denied.files;
			set.net |= denials[i].denied.net;
			set.scoped |= denials[i].denied.scoped;
		}
	fd = version < 1 ? -1 : syscall(NR_CREATE_RULESET, &set, size, 0);
	return fd >= 0 && !syscall(NR_RESTRICT_SELF, (int)fd, 0) &&
	       version >= DENIES_TRUNCATION;
}

static bool allow_reading(int set, const int *folders, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct rule_below rule = { READING, folders[i] };

		if (folders[i] >= 0 && syscall(NR_ADD_RULE, set, BELOW_FOLDER, &rule, 0))
			return false;
	}
	return true;
}

bool confine_reading(const int *folders, size_t count)
{
	const struct ruleset denied = { .files = READING };
	size_t size = offsetof(struct ruleset, net);
	bool done;
	int set;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
	set = (int)syscall(NR_CREATE_RULESET, &denied, size, 0);
	if (set < 0)
		return false;
	done = allow_reading(set, folders, count) && !syscall(NR_RESTRICT_SELF, set, 0);
	close(set);
	return done;
}

/* ---- system calls: seccomp ---- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#define ARCH 0 /* no filter */
#endif

/*
 * For parsers, the C library's memory, and named_file_open.  No read or lseek: other
 * processes share the file positions.
 */
/* clang-format off */
static const int harmless[] = {
	SYS_brk,            SYS_clock_gettime, SYS_close,           SYS_exit,
	SYS_exit_group,     SYS_fstat,         SYS_fstatfs,         SYS_futex,
	SYS_geteuid,        SYS_getpid,        SYS_getrandom,       SYS_gettid,
	SYS_mprotect,       SYS_mremap,        SYS_munmap,          SYS_newfstatat,
	SYS_pread64,        SYS_readlinkat,    SYS_restart_syscall, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_rt_sigreturn,  SYS_sched_yield,     SYS_sigaltstack,
	SYS_statx,          SYS_sysinfo,
#ifdef SYS_readlink
	SYS_access,         SYS_readlink,      SYS_stat,
#endif
};
/* clang-format on */

/* Calls that are harmless if ARGUMENT & MASK is one of two values. */
struct condition {
	int call, argument;
	uint32_t mask;
	uint32_t values[2];
};

#define WRITING                                                                          \
	((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND |                           \
		    (O_TMPFILE & ~O_DIRECTORY)))

static const struct condition conditions[] = {
	{ SYS_openat, 2, WRITING, { O_RDONLY, O_RDONLY } },
#ifdef SYS_open
	{ SYS_open, 1, WRITING, { O_RDONLY, O_RDONLY } },
#endif
	/* descriptors that were open before may be writable */
	{ SYS_mmap, 3, MAP_SHARED, { 0, 0 } },
	/* not advice that makes memory unusable for all, from MADV_HWPOISON (100) on */
	{ SYS_madvise, 2, ~(uint32_t)31, { 0, 0 } },
	/* not F_SETOWN, which sends signals */
	{ SYS_fcntl, 1, UINT32_MAX, { F_GETFD, F_GETFL } },
};

typedef VEC(struct sock_filter) program;

static void add(program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	*vec_push(p) = (struct sock_filter){ code, yes, no, k };
}

static void load(program *p, size_t offset)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The lower half of an argument: a whole int. */
static size_t argument(int index)
{
	return offsetof(struct seccomp_data, args) + (size_t)index * sizeof(uint64_t) +
	       (__BYTE_ORDER == __LITTLE_ENDIAN ? 0 : sizeof(uint32_t));
}

static void answer(program *p, uint32_t with)
{
	add(p, BPF_RET | BPF_K, with, 0, 0);
}

static const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;

/* If the loaded word equals K, the call is allowed. */
static void allow_if(program *p, uint32_t k)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1);
	answer(p, SECCOMP_RET_ALLOW);
}

static void add_condition(program *p, const struct condition *c)
{
	load(p, offsetof(struct seccomp_data, nr));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)c->call, 0, 7);
	load(p, argument(c->argument));
	add(p, BPF_ALU | BPF_AND | BPF_K, c->mask, 0, 0);
	allow_if(p, c->values[0]);
	allow_if(p, c->values[1]);
	answer(p, refuse);
}

/* A filter cannot see the flags of openat2. */
static void make_filter(program *p, int out, bool openat2)
{
	/* sanitizers report on stderr */
	const struct condition write = {
		SYS_write,
		0,
		UINT32_MAX,
		{ (uint32_t)out, HAS_SANITIZER ? STDERR_FILENO : (uint32_t)out }
	};

	load(p, offsetof(struct seccomp_data, arch));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	answer(p, refuse);
	add_condition(p, &write);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		add_condition(p, &conditions[i]);
	load(p, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		allow_if(p, (uint32_t)harmless[i]);
	if (openat2)
		allow_if(p, SYS_openat2);
	answer(p, refuse);
}

static bool filter_calls(int out, bool openat2)
{
	struct sock_fprog filter;
	program p = { 0 };
	bool done;

	make_filter(&p, out, openat2);
	filter = (struct sock_fprog){ (unsigned short)p.len, p.data };
	done = ARCH && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
	vec_release(&p);
	return done;
}

unsigned confine_to_answer(int out)
{
	unsigned done = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 0;
	done |= deny_writing() ? CONFINED_FILES : 0;
	done |= filter_calls(out, done & CONFINED_FILES) ? CONFINED_CALLS : 0;
	return done;
}
