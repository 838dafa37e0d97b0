/* SPDX-License-Identifier: Apache-2.0 */
#include "process/sleeper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "process/helper.h"

enum { TEXT_MAX = 512, PATH_ROOM = 4096 };

/* ---- the files' text ---- */

static bool take_number(const char **text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(*text, &end, 0);
	if (end == *text || errno || (*end != ' ' && *end != '\n' && *end))
		return false;
	*text = end;
	return true;
}

/* CALL [ARG…] SP PC; without arguments if there is no call */
int sleeper_parse(const char *text, struct sleeper *s)
{
	uint64_t call;

	if (!strncmp(text, "running", 7))
		return -EAGAIN;
	if (!take_number(&text, &call))
		return -EINVAL;
	s->call = (int64_t)call;
	for (size_t i = 0; s->call != SLEEPER_NO_CALL && i < SLEEPER_ARGS; i++)
		if (!take_number(&text, &s->args[i]))
			return -EINVAL;
	if (!take_number(&text, &s->sp) || !take_number(&text, &s->pc) || *text != '\n')
		return -EINVAL;
	s->in_kernel = !s->sp && !s->pc;
	return 0;
}

/* The row of a table that TEXT begins like. */
struct beginning {
	const char *text;
	enum sleeper_file file;
};

static enum sleeper_file find_beginning(const struct beginning *rows, size_t count,
					const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(rows[i].text, text, strlen(rows[i].text)))
			return rows[i].file;
	return SLEEPER_FILE_UNKNOWN;
}

#define FIND(rows, text) find_beginning(rows, sizeof(rows) / sizeof(rows[0]), text)

enum sleeper_file sleeper_file_of_link(const char *link)
{
	static const struct beginning links[] = {
		{ "pipe:[", SLEEPER_FILE_PIPE },
		{ "anon_inode:[eventfd]", SLEEPER_FILE_PIPE },
		{ "anon_inode:[timerfd]", SLEEPER_FILE_TIMER },
		{ "anon_inode:[signalfd]", SLEEPER_FILE_TIMER },
		{ "anon_inode:inotify", SLEEPER_FILE_EVENTS },
		{ "anon_inode:[fanotify]", SLEEPER_FILE_EVENTS },
		{ "/dev/tty", SLEEPER_FILE_PIPE },
		{ "/dev/pts/", SLEEPER_FILE_PIPE },
		{ "/dev/ptmx", SLEEPER_FILE_PIPE },
		{ "/dev/console", SLEEPER_FILE_PIPE },
		{ "/dev/mqueue/", SLEEPER_FILE_PIPE },
	};

	return FIND(links, link);
}

enum sleeper_file sleeper_file_of_protocol(const char *name)
{
	static const struct beginning protocols[] = {
		{ "UNIX", SLEEPER_FILE_PIPE },     { "NETLINK", SLEEPER_FILE_PIPE },
		{ "TCP", SLEEPER_FILE_NETWORK },   { "UDP", SLEEPER_FILE_NETWORK },
		{ "MPTCP", SLEEPER_FILE_NETWORK }, { "SCTP", SLEEPER_FILE_NETWORK },
		{ "RAW", SLEEPER_FILE_NETWORK },   { "PING", SLEEPER_FILE_NETWORK },
		{ "DCCP", SLEEPER_FILE_NETWORK },  { "PACKET", SLEEPER_FILE_NETWORK },
		{ "SMC", SLEEPER_FILE_NETWORK },   { "AF_VSOCK", SLEEPER_FILE_NETWORK },
	};

	return FIND(protocols, name);
}

/* ---- reading ---- */

static ssize_t read_bytes(const char *path, void *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -errno : read(fd, bytes, size);

	if (fd >= 0 && got < 0)
		got = -errno;
	if (fd >= 0)
		close(fd);
	return got;
}

/* How many of SIZE bytes there are, or a negative errno. */
static ssize_t read_of(const struct sleeper *s, const char *root, const char *name,
		       void *bytes, size_t size)
{
	char path[PATH_ROOM];
	int len = snprintf(path, sizeof(path), "%s/proc/%" PRIu32 "/task/%" PRIu32 "/%s",
			   root, s->pid, s->tid, name);

	return (size_t)len < sizeof(path) ? read_bytes(path, bytes, size) : -ENAMETOOLONG;
}

static int read_text_of(const struct sleeper *s, const char *root, const char *name,
			char *text, size_t size)
{
	ssize_t got = read_of(s, root, name, text, size - 1);

	text[got < 0 ? 0 : got] = '\0';
	return got < 0 ? (int)got : 0;
}

/* "0" stands for none; behind a dot is what the compiler added */
static void read_function(struct sleeper *s, const char *root)
{
	char text[TEXT_MAX];

	s->function[0] = '\0';
	if (read_text_of(s, root, "wchan", text, sizeof(text)) || !strcmp(text, "0"))
		return;
	text[strcspn(text, ".\n")] = '\0';
	if (strlen(text) < sizeof(s->function))
		memcpy(s->function, text, strlen(text) + 1);
}

/* A path by its inode; neither the disk nor a server is asked. */
static enum sleeper_file file_at(const char *path)
{
	struct statx st;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &st))
		return SLEEPER_FILE_UNKNOWN;
	if (S_ISFIFO(st.stx_mode))
		return SLEEPER_FILE_PIPE;
	return S_ISREG(st.stx_mode) || S_ISBLK(st.stx_mode) || S_ISDIR(st.stx_mode)
		       ? SLEEPER_FILE_DISK
		       : SLEEPER_FILE_UNKNOWN;
}

static void read_file(struct sleeper *s, const char *root)
{
	char path[PATH_ROOM], link[PATH_ROOM], protocol[64];
	int len = snprintf(path, sizeof(path), "%s/proc/%" PRIu32 "/fd/%" PRIu32, root,
			   s->pid, (uint32_t)s->args[0]);
	ssize_t got = (size_t)len < sizeof(path) ? readlink(path, link, sizeof(link) - 1)
						 : -1;

	s->file = SLEEPER_FILE_UNKNOWN;
	if (got < 0)
		return;
	link[got] = '\0';
	s->file = sleeper_file_of_link(link);
	if (!strncmp(link, "socket:[", 8)) {
		got = getxattr(path, "system.sockprotoname", protocol,
			       sizeof(protocol) - 1);
		protocol[got < 0 ? 0 : got] = '\0';
		s->file = sleeper_file_of_protocol(protocol);
	} else if (s->file == SLEEPER_FILE_UNKNOWN && link[0] == '/') {
		s->file = file_at(path);
	}
}

/* Whether the page of ADDRESS is in memory, by the page table. */
static bool has_page(int fd, uint64_t address)
{
	const uint64_t present = UINT64_C(1) << 63;
	uint64_t entry;
	off_t at = (off_t)(address / (uint64_t)sysconf(_SC_PAGESIZE) * sizeof(entry));

	return pread(fd, &entry, sizeof(entry), at) == sizeof(entry) && entry & present;
}

/*
 * The instruction may have its end in the next page.  Call before read_function: another thread
 * may have read the page, and then this one is no longer in a function that sleeps.
 */
static void read_code(struct sleeper *s, const char *root)
{
	enum { INSTRUCTION_MAX = 15 };
	char path[PATH_ROOM];
	int len = snprintf(path, sizeof(path), "%s/proc/%" PRIu32 "/pagemap", root,
			   s->tid);
	int fd;

	if (s->call != SLEEPER_NO_CALL || (size_t)len >= sizeof(path))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	s->has_code = has_page(fd, s->pc) && has_page(fd, s->pc + INSTRUCTION_MAX - 1);
	close(fd);
}

/* By the thread, as the first one, after which the process is named, may have ended. */
static void read_stack(struct sleeper *s)
{
	struct iovec here = { .iov_base = s->stack, .iov_len = s->room };
	struct iovec there = { .iov_base = (void *)(uintptr_t)s->sp, .iov_len = s->room };
	ssize_t got = process_vm_readv((pid_t)s->tid, &here, 1, &there, 1, 0);

	s->len = got > 0 ? (size_t)got : 0;
}

/* Not all of it is none of it. */
static void read_kernel_stack(struct sleeper *s, const char *root)
{
	ssize_t got = read_of(s, root, "stack", s->stack, s->room);

	s->len = got > 0 && (size_t)got < s->room ? (size_t)got : 0;
}

void sleeper_read(struct sleeper *s, const char *root, sleeper_wants_file *wants_file)
{
	char text[TEXT_MAX];

	s->from_ns = (uint64_t)helper_now_ns();
	s->error = read_text_of(s, root, "syscall", text, sizeof(text));
	if (!s->error)
		s->error = sleeper_parse(text, s);
	if (!s->error && s->in_kernel) {
		read_kernel_stack(s, root);
	} else if (!s->error) {
		read_code(s, root);
		read_function(s, root);
		if (wants_file(s))
			read_file(s, root);
		read_stack(s);
	}
	s->to_ns = (uint64_t)helper_now_ns();
}
