/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What /proc shows of threads that sleep: its text, children that wait in known ways, and
 * what the system calls mean.
 */
#include "process/sleeper.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <linux/sched.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "wait/call_cause.h"

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1 /* Linux 5.11 */
#endif

/* ---- the text ---- */

static void test_text(void)
{
	const char *line =
		"0 0x3 0x7ffe 0x1 0x7f9e 0x0 0x7f9f 0x7ffeeb6cc778 0x7f9ea09772ad\n";
	struct sleeper s;
	char cut[128];
	unsigned whole = 0;

	memset(&s, 0xa5, sizeof(s));
	is_i64(sleeper_parse(line, &s), 0, "a line of a call");
	is_i64(s.call, 0, "its number");
	is_u64(s.args[0], 3, "its first argument");
	is_u64(s.args[5], 0x7f9f, "its last one");
	is_u64(s.sp, 0x7ffeeb6cc778, "the stack pointer");
	is_u64(s.pc, 0x7f9ea09772ad, "the program counter");
	is_i64(sleeper_parse("-1 0x7ffc10 0x4011\n", &s), 0, "a line without a call");
	is_i64(s.call, SLEEPER_NO_CALL, "has none");
	is_u64(s.pc, 0x4011, "but a place");
	ok(!s.in_kernel, "in the program");
	is_i64(sleeper_parse("0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n", &s), 0,
	       "a line of a thread of the kernel");
	ok(s.in_kernel, "which has no registers of a program");
	is_i64(sleeper_parse("running\n", &s), -EAGAIN, "a thread that runs");
	for (size_t len = 0; len < strlen(line); len++) {
		snprintf(cut, sizeof(cut), "%.*s", (int)len, line);
		whole += sleeper_parse(cut, &s) == 0;
	}
	is_u64(whole, 0, "a truncated line is none");
	is_i64(sleeper_parse("0 0x3 x", &s), -EINVAL, "nor is one that has no numbers");
	is_i64(sleeper_parse("0 1 2 3 4 5 6 99999999999999999999999 7", &s), -EINVAL,
	       "nor one with a number that is too large");
}

/* ---- kinds of files ---- */

static void test_files(void)
{
	static const struct {
		const char *text;
		enum sleeper_file file;
	} links[] = {
		{ "pipe:[123]", SLEEPER_FILE_PIPE },
		{ "anon_inode:[eventfd]", SLEEPER_FILE_PIPE },
		{ "anon_inode:[timerfd]", SLEEPER_FILE_TIMER },
		{ "anon_inode:[signalfd]", SLEEPER_FILE_TIMER },
		{ "anon_inode:inotify", SLEEPER_FILE_EVENTS },
		{ "anon_inode:[fanotify]", SLEEPER_FILE_EVENTS },
		{ "/dev/tty1", SLEEPER_FILE_PIPE },
		{ "/dev/pts/3", SLEEPER_FILE_PIPE },
		{ "/dev/ptmx", SLEEPER_FILE_PIPE },
		{ "/dev/console", SLEEPER_FILE_PIPE },
		{ "/dev/mqueue/q", SLEEPER_FILE_PIPE },
		{ "/srv/pipe:[1]", SLEEPER_FILE_UNKNOWN },
		{ "socket:[5]", SLEEPER_FILE_UNKNOWN },
	}, protocols[] = {
		{ "TCP", SLEEPER_FILE_NETWORK },   { "TCPv6", SLEEPER_FILE_NETWORK },
		{ "UDP", SLEEPER_FILE_NETWORK },   { "MPTCP", SLEEPER_FILE_NETWORK },
		{ "SCTP", SLEEPER_FILE_NETWORK },  { "RAW", SLEEPER_FILE_NETWORK },
		{ "PING", SLEEPER_FILE_NETWORK },  { "DCCP", SLEEPER_FILE_NETWORK },
		{ "PACKET", SLEEPER_FILE_NETWORK }, { "SMC", SLEEPER_FILE_NETWORK },
		{ "AF_VSOCK", SLEEPER_FILE_NETWORK }, { "UNIX-STREAM", SLEEPER_FILE_PIPE },
		{ "UNIX", SLEEPER_FILE_PIPE },     { "NETLINK", SLEEPER_FILE_PIPE },
		{ "", SLEEPER_FILE_UNKNOWN },
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		is_u64(sleeper_file_of_link(links[i].text), links[i].file, "%s",
		       links[i].text);
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		is_u64(sleeper_file_of_protocol(protocols[i].text), protocols[i].file,
		       "protocol %s", protocols[i].text);
}

/* ---- calls ---- */

/* What each row should say, written down once more. */
static const struct {
	const char *name;
	int64_t call;
	enum exp_state state;
	bool by_file;
} calls[] = {
#define ROW(name, state)                                                                 \
	{                                                                                \
#name, SYS_##name, EXP_STATE_##state, false                              \
	}
#define FILE_ROW(name)                                                                   \
	{                                                                                \
#name, SYS_##name, EXP_STATE_OTHER, true                                 \
	}
	ROW(futex, LOCK),
#ifdef SYS_futex_waitv
	ROW(futex_waitv, LOCK),
#endif
	ROW(flock, LOCK),
	ROW(fcntl, LOCK),
	ROW(nanosleep, SLEEP),
	ROW(clock_nanosleep, SLEEP),
#ifdef SYS_poll
	ROW(poll, POLL),
	ROW(select, POLL),
	ROW(epoll_wait, POLL),
	ROW(pause, TIMER),
	ROW(vfork, CHILD),
	FILE_ROW(accept),
#endif
#ifdef SYS_epoll_pwait2
	ROW(epoll_pwait2, POLL),
#endif
	ROW(ppoll, POLL),
	ROW(pselect6, POLL),
	ROW(epoll_pwait, POLL),
	ROW(io_uring_enter, POLL),
	ROW(io_getevents, DISK),
#ifdef SYS_io_pgetevents
	ROW(io_pgetevents, DISK),
#endif
	ROW(wait4, CHILD),
	ROW(waitid, CHILD),
	ROW(rt_sigtimedwait, TIMER),
	ROW(rt_sigsuspend, TIMER),
	ROW(msgrcv, PIPE),
	ROW(msgsnd, PIPE),
	ROW(semop, PIPE),
	ROW(semtimedop, PIPE),
	ROW(mq_timedsend, PIPE),
	ROW(mq_timedreceive, PIPE),
	ROW(fsync, DISK),
	ROW(fdatasync, DISK),
	ROW(sync, DISK),
	ROW(syncfs, DISK),
	ROW(sync_file_range, DISK),
	ROW(msync, DISK),
	FILE_ROW(read),
	FILE_ROW(write),
	FILE_ROW(readv),
	FILE_ROW(writev),
	FILE_ROW(pread64),
	FILE_ROW(pwrite64),
	FILE_ROW(preadv),
	FILE_ROW(pwritev),
	FILE_ROW(preadv2),
	FILE_ROW(pwritev2),
	FILE_ROW(sendfile),
	FILE_ROW(splice),
	FILE_ROW(getdents64),
	FILE_ROW(fallocate),
	FILE_ROW(ftruncate),
	FILE_ROW(recvfrom),
	FILE_ROW(recvmsg),
	FILE_ROW(recvmmsg),
	FILE_ROW(sendto),
	FILE_ROW(sendmsg),
	FILE_ROW(sendmmsg),
	FILE_ROW(accept4),
	FILE_ROW(connect),
};

/* A 64-bit program's, in CALL. */
static struct sleeper in_call(int64_t call)
{
	return (struct sleeper){ .call = call,
				 .sp = UINT64_C(0x7ffe00000000),
				 .pc = 0x401000 };
}

static bool is_tested(int64_t call)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].call == call)
			return true;
	return false;
}

static void test_calls(void)
{
	size_t untested = 0;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct sleeper s = in_call(calls[i].call);

		is_str(exp_states[call_cause_state(&s)].name,
		       exp_states[calls[i].state].name, "%s", calls[i].name);
		ok(call_cause_wants_file(&s) == calls[i].by_file,
		   "… needs its file or not");
		s.file = SLEEPER_FILE_TIMER;
		is_str(exp_states[call_cause_state(&s)].name,
		       calls[i].by_file ? "timer" : exp_states[calls[i].state].name,
		       "… and its file decides or not");
	}
	for (size_t i = 0; i < call_count; i++)
		untested += !is_tested(call_rows[i].call);
	is_u64(untested, 0, "each row of the table is tested");
}

static void test_functions(void)
{
	struct sleeper s = in_call(SYS_read);

	strcpy(s.function, "futex_do_wait");
	is_u64(call_cause_state(&s), EXP_STATE_LOCK, "the kernel's function comes first");
	ok(!call_cause_wants_file(&s), "no file is needed then");
	strcpy(s.function, "wait_woken");
	s.file = SLEEPER_FILE_NETWORK;
	is_u64(call_cause_state(&s), EXP_STATE_NETWORK,
	       "one that says nothing is ignored");
	s = in_call(SLEEPER_NO_CALL);
	is_u64(call_cause_state(&s), EXP_STATE_PAGEFAULT, "no call: a page fault");
	is_u64(call_cause_address(&s), 0x401000, "… of an instruction");
	s.has_code = true;
	is_u64(call_cause_state(&s), EXP_STATE_PAGEFAULT,
	       "… which may be there as the thread no longer sleeps");
	strcpy(s.function, "folio_wait_bit_common");
	is_u64(call_cause_state(&s), EXP_STATE_DATAFAULT, "… and no read of a file");
	is_u64(call_cause_address(&s), 0, "… of data, if the instruction is there");
	s.has_code = false;
	is_u64(call_cause_state(&s), EXP_STATE_PAGEFAULT, "… of either, if it is not");
	strcpy(s.function, "do_signal_stop");
	is_u64(call_cause_state(&s), EXP_STATE_STOPPED, "… unless it was stopped");
	s = in_call(SYS_mlock);
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "mlock, which may wait for others");
	strcpy(s.function, "folio_wait_bit_common");
	is_u64(call_cause_state(&s), EXP_STATE_DATAFAULT, "… reads its pages");
	s.sp = 0xffffc000;
	is_u64(call_cause_state(&s), EXP_STATE_DISK, "… if that is its number");
	s = in_call(SYS_madvise);
	strcpy(s.function, "folio_wait_bit_common");
	is_u64(call_cause_state(&s), EXP_STATE_DISK, "advice on a file");
	s.args[2] = 22;
	is_u64(call_cause_state(&s), EXP_STATE_DATAFAULT, "… which reads its pages");
	s = in_call(SYS_wait4);
	strcpy(s.function, "do_signal_stop");
	is_u64(call_cause_state(&s), EXP_STATE_STOPPED, "stopped in a call");
	s = in_call(SYS_wait4);
	s.sp = 0xffffc000;
	is_u64(call_cause_state(&s), EXP_STATE_OTHER,
	       "numbers of a 32-bit program mean something else");
	s = in_call(SYS_clone);
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "a process that is made");
	s.args[0] = CLONE_VFORK | SIGCHLD;
	is_u64(call_cause_state(&s), EXP_STATE_CHILD, "its end or program is waited for");
	s.sp = 0xffffc000;
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "not by a 32-bit program's call");
	s = in_call(SYS_read);
	strcpy(s.function, "do_syscall_64");
	ok(call_cause_wants_file(&s), "what all calls have says nothing of a file");
	s = in_call(SYS_restart_syscall);
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "a call that goes on");
	strcpy(s.function, "do_syscall_64");
	is_u64(call_cause_state(&s), EXP_STATE_SLEEP, "… in no function: a sleep");
	strcpy(s.function, "poll_schedule_timeout");
	is_u64(call_cause_state(&s), EXP_STATE_POLL, "… in a function");
	strcpy(s.function, "something_new");
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "… in one that is not known");
	strcpy(s.function, "do_syscall_64");
	s.sp = 0xffffc000;
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "… of a 32-bit program");
	s = in_call(INT64_MAX);
	is_u64(call_cause_state(&s), EXP_STATE_OTHER, "an unknown call");
}

static void test_addresses(void)
{
	struct sleeper s = in_call(SYS_futex);

	s.args[0] = 0x4040;
	is_u64(call_cause_address(&s), 0x4040, "the address of a futex");
	strcpy(s.function, "futex_wait_queue");
	is_u64(call_cause_address(&s), 0x4040, "by the kernel's function too");
	strcpy(s.function, "handle_mm_fault");
	is_u64(call_cause_address(&s), 0, "not while its page is read");
	s.function[0] = '\0';
	s.sp = 0xffffc000;
	is_u64(call_cause_address(&s), 0, "not of a 32-bit program");
	s = in_call(SYS_flock);
	s.args[0] = 3;
	is_u64(call_cause_address(&s), 0, "not of a lock of files");
	s = in_call(SYS_restart_syscall);
	s.args[0] = 0x4040;
	strcpy(s.function, "futex_wait_queue");
	is_u64(call_cause_address(&s), 0x4040, "one goes on after a stop");
	strcpy(s.function, "poll_schedule_timeout");
	is_u64(call_cause_address(&s), 0, "… but no other call");
}

/* ---- living children ---- */

static void block_in_pipe(void)
{
	int fds[2];
	char c;

	(void)!(pipe(fds) || read(fds[0], &c, 1));
}

static void block_in_local_socket(void)
{
	int fds[2];
	char c;

	(void)!(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) || recv(fds[0], &c, 1, 0));
}

static void block_in_udp(void)
{
	char c;

	recv(socket(AF_INET, SOCK_DGRAM, 0), &c, 1, 0);
}

static void block_in_accept(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)!listen(fd, 1);
	accept(fd, NULL, NULL);
}

static void block_in_timerfd(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t n;

	timerfd_settime(fd, 0, &(struct itimerspec){ .it_value.tv_sec = 1000 }, NULL);
	(void)!read(fd, &n, sizeof(n));
}

static void block_in_eventfd(void)
{
	uint64_t n;

	(void)!read(eventfd(0, 0), &n, sizeof(n));
}

static void block_in_inotify(void)
{
	char event[256];

	(void)!read(inotify_init(), event, sizeof(event));
}

static void block_in_netlink(void)
{
	char c;

	recv(socket(AF_NETLINK, SOCK_RAW, 0), &c, 1, 0);
}

static void block_in_cpu_time(void)
{
	clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &(struct timespec){ .tv_sec = 1000 },
			NULL);
}

static void block_in_poll(void)
{
	poll(NULL, 0, -1);
}

static void block_in_sleep(void)
{
	nanosleep(&(struct timespec){ .tv_sec = 1000 }, NULL);
}

static void block_in_futex(void)
{
	static int word;

	syscall(SYS_futex, &word, 0, 0, NULL, NULL, 0);
}

static void block_in_signal(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigsuspend(&none);
}

static void block_in_child(void)
{
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		block_in_sleep();
	}
	wait(NULL);
}

static void block_stopped(void)
{
	raise(SIGSTOP);
}

/* A page that only a reader of this file could bring, which nobody is; NULL: not allowed. */
static volatile char *missing_page(void)
{
	const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register where = { .range.len = 4096,
					 .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY);
	char *page = mmap(NULL, 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	where.range.start = (uintptr_t)page;
	if (fd < 0 || page == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &where))
		return NULL;
	return page;
}

static void block_in_data(void)
{
	volatile char *page = missing_page();

	if (page)
		(void)*page;
}

static void block_in_code(void)
{
	volatile char *page = missing_page();

	if (page)
		((void (*)(void))(uintptr_t)page)();
}

static const struct blocked {
	const char *name;
	void (*block)(void);
	enum exp_state state;
	bool by_call; /* also without the kernel's function */
} blocked[] = {
	{ "a pipe", block_in_pipe, EXP_STATE_PIPE, true },
	{ "a local socket", block_in_local_socket, EXP_STATE_PIPE, true },
	{ "a datagram", block_in_udp, EXP_STATE_NETWORK, true },
	{ "a connection", block_in_accept, EXP_STATE_NETWORK, true },
	{ "a timer's file", block_in_timerfd, EXP_STATE_TIMER, true },
	{ "an eventfd", block_in_eventfd, EXP_STATE_PIPE, true },
	{ "a change of a file", block_in_inotify, EXP_STATE_POLL, true },
	{ "the kernel's message", block_in_netlink, EXP_STATE_PIPE, true },
	{ "CPU time", block_in_cpu_time, EXP_STATE_SLEEP, true },
	{ "one of no files", block_in_poll, EXP_STATE_POLL, true },
	{ "a time", block_in_sleep, EXP_STATE_SLEEP, true },
	{ "a futex", block_in_futex, EXP_STATE_LOCK, true },
	{ "a signal", block_in_signal, EXP_STATE_TIMER, true },
	{ "a child", block_in_child, EXP_STATE_CHILD, true },
	{ "being continued", block_stopped, EXP_STATE_STOPPED, false },
	{ "a page of data", block_in_data, EXP_STATE_DATAFAULT, false },
	{ "a page of code", block_in_code, EXP_STATE_PAGEFAULT, false },
};

/* Whether the kernel lets a program wait for that. */
static bool is_possible(const struct blocked *b)
{
	return (b->block != block_in_data && b->block != block_in_code) || missing_page();
}

#define MARK UINT64_C(0x5eaf00d5eaf00d5e)

static pid_t start(void (*block)(void))
{
	volatile uint64_t marks[16];
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < 16; i++)
		marks[i] = MARK;
	block();
	_exit(marks[0] != 0);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool always(const struct sleeper *s)
{
	return s->call >= 0;
}

static unsigned char bytes[65536];

/* Reads PID until it sleeps in the state that it should reach. */
static void read_until(struct sleeper *s, pid_t pid, enum exp_state state)
{
	for (int i = 0; i < 3000; i++) {
		*s = (struct sleeper){
			.pid = (uint32_t)pid,
			.tid = (uint32_t)pid,
			.stack = bytes,
			.room = sizeof(bytes),
		};
		sleeper_read(s, "", always);
		if (s->error && s->error != -EAGAIN)
			return;
		if (!s->error && call_cause_state(s) == state)
			return;
		poll(NULL, 0, 10);
	}
}

static bool has_mark(const struct sleeper *s)
{
	const uint64_t mark[4] = { MARK, MARK, MARK, MARK };

	return memmem(s->stack, s->len, mark, sizeof(mark)) != NULL;
}

static void test_children(void)
{
	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++) {
		const struct blocked *b = &blocked[i];
		struct sleeper s;
		pid_t pid;

		if (!is_possible(b)) {
			skip(1, "no userfaultfd");
			continue;
		}
		pid = start(b->block);
		read_until(&s, pid, b->state);
		is_i64(s.error, 0, "a child that waits for %s is read", b->name);
		is_str(exp_states[call_cause_state(&s)].name, exp_states[b->state].name,
		       "… its cause (%s)", s.function);
		ok(has_mark(&s), "… its stack");
		ok(s.from_ns && s.from_ns <= s.to_ns, "… when");
		s.function[0] = '\0';
		if (b->by_call)
			is_str(exp_states[call_cause_state(&s)].name,
			       exp_states[b->state].name,
			       "… the same where the kernel's function is not known");
		end(pid);
		sleeper_read(&s, "", always);
		ok(s.error < 0, "… nothing once it has ended");
	}
}

int main(void)
{
	test_text();
	test_files();
	test_calls();
	test_functions();
	test_addresses();
	test_children();
	return done_testing();
}
