/* SPDX-License-Identifier: Apache-2.0 */
#include "wait/call_cause.h"

#include <linux/sched.h>
#include <sys/syscall.h>

#include "wait/cause.h"

#define FILE_ROW(call)                                                                   \
	{                                                                                \
		call, EXP_STATE_OTHER, true                                              \
	}

/* An architecture lacks those that a later call replaced. */
const struct call_row call_rows[] = {
	{ SYS_futex, EXP_STATE_LOCK, false },
#ifdef SYS_futex_wait
	{ SYS_futex_wait, EXP_STATE_LOCK, false },
#endif
#ifdef SYS_futex_waitv
	{ SYS_futex_waitv, EXP_STATE_LOCK, false },
#endif
	{ SYS_flock, EXP_STATE_LOCK, false },
	{ SYS_fcntl, EXP_STATE_LOCK, false },

	{ SYS_nanosleep, EXP_STATE_SLEEP, false },
	{ SYS_clock_nanosleep, EXP_STATE_SLEEP, false },

#ifdef SYS_poll
	{ SYS_poll, EXP_STATE_POLL, false },
#endif
	{ SYS_ppoll, EXP_STATE_POLL, false },
#ifdef SYS_select
	{ SYS_select, EXP_STATE_POLL, false },
#endif
	{ SYS_pselect6, EXP_STATE_POLL, false },
#ifdef SYS_epoll_wait
	{ SYS_epoll_wait, EXP_STATE_POLL, false },
#endif
	{ SYS_epoll_pwait, EXP_STATE_POLL, false },
#ifdef SYS_epoll_pwait2
	{ SYS_epoll_pwait2, EXP_STATE_POLL, false },
#endif
	{ SYS_io_uring_enter, EXP_STATE_POLL, false },
	{ SYS_io_getevents, EXP_STATE_DISK, false },
#ifdef SYS_io_pgetevents
	{ SYS_io_pgetevents, EXP_STATE_DISK, false },
#endif

	{ SYS_wait4, EXP_STATE_CHILD, false },
	{ SYS_waitid, EXP_STATE_CHILD, false },
#ifdef SYS_vfork
	{ SYS_vfork, EXP_STATE_CHILD, false },
#endif

#ifdef SYS_pause
	{ SYS_pause, EXP_STATE_TIMER, false },
#endif
	{ SYS_rt_sigtimedwait, EXP_STATE_TIMER, false },
	{ SYS_rt_sigsuspend, EXP_STATE_TIMER, false },

	{ SYS_msgrcv, EXP_STATE_PIPE, false },
	{ SYS_msgsnd, EXP_STATE_PIPE, false },
	{ SYS_semop, EXP_STATE_PIPE, false },
	{ SYS_semtimedop, EXP_STATE_PIPE, false },
	{ SYS_mq_timedsend, EXP_STATE_PIPE, false },
	{ SYS_mq_timedreceive, EXP_STATE_PIPE, false },

	{ SYS_fsync, EXP_STATE_DISK, false },
	{ SYS_fdatasync, EXP_STATE_DISK, false },
	{ SYS_sync, EXP_STATE_DISK, false },
	{ SYS_syncfs, EXP_STATE_DISK, false },
	{ SYS_sync_file_range, EXP_STATE_DISK, false },
	{ SYS_msync, EXP_STATE_DISK, false },

	FILE_ROW(SYS_read),
	FILE_ROW(SYS_write),
	FILE_ROW(SYS_readv),
	FILE_ROW(SYS_writev),
	FILE_ROW(SYS_pread64),
	FILE_ROW(SYS_pwrite64),
	FILE_ROW(SYS_preadv),
	FILE_ROW(SYS_pwritev),
	FILE_ROW(SYS_preadv2),
	FILE_ROW(SYS_pwritev2),
	FILE_ROW(SYS_sendfile),
	FILE_ROW(SYS_splice),
	FILE_ROW(SYS_getdents64),
	FILE_ROW(SYS_fallocate),
	FILE_ROW(SYS_ftruncate),
	FILE_ROW(SYS_recvfrom),
	FILE_ROW(SYS_recvmsg),
	FILE_ROW(SYS_recvmmsg),
	FILE_ROW(SYS_sendto),
	FILE_ROW(SYS_sendmsg),
	FILE_ROW(SYS_sendmmsg),
#ifdef SYS_accept
	FILE_ROW(SYS_accept),
#endif
	FILE_ROW(SYS_accept4),
	FILE_ROW(SYS_connect),
};

const size_t call_count = sizeof(call_rows) / sizeof(call_rows[0]);

bool call_cause_is_narrow(const struct sleeper *s)
{
	return s->sp <= UINT32_MAX && s->pc <= UINT32_MAX;
}

/*
 * posix_spawn's.  Without the flag it waits for locks of the kernel.  clone3 has the flags in
 * memory, which is not read; and restart_syscall does not show the call that it goes on with.
 */
static bool is_vfork(const struct sleeper *s)
{
	return s->call == SYS_clone && s->args[0] & CLONE_VFORK;
}

static const struct call_row *row_of(const struct sleeper *s)
{
	static const struct call_row vfork = { SYS_clone, EXP_STATE_CHILD, false };

	if (is_vfork(s) && !call_cause_is_narrow(s))
		return &vfork;
	for (size_t i = 0; i < call_count && !call_cause_is_narrow(s); i++)
		if (call_rows[i].call == s->call)
			return &call_rows[i];
	return NULL;
}

/* The row of the kernel's function; NULL: it is not known, or there is none. */
static const struct cause_row *function_row(const struct sleeper *s)
{
	size_t row = s->function[0] ? cause_find(s->function) : cause_count;

	return row < cause_count ? &cause_rows[row] : NULL;
}

/* Whether its call reads pages of memory into it: what waits for a disk then has a page fault. */
static bool reads_pages(const struct sleeper *s)
{
	static const int64_t calls[] = { SYS_mmap, SYS_mlock, SYS_mlock2, SYS_mlockall };
	enum { POPULATE_READ = 22, POPULATE_WRITE = 23 }; /* Linux 5.14 */

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (s->call == calls[i])
			return !call_cause_is_narrow(s);
	return s->call == SYS_madvise && !call_cause_is_narrow(s) &&
	       (s->args[2] == POPULATE_READ || s->args[2] == POPULATE_WRITE);
}

static bool tells_function(const struct sleeper *s)
{
	const struct cause_row *row = function_row(s);

	return row && row->state != EXP_STATE_OTHER;
}

/*
 * A sleep that goes on after a stop.  wchan leaves out the scheduler's functions, and of all that
 * can go on there only a sleep has no others.
 */
static bool sleeps_on(const struct sleeper *s)
{
	const struct cause_row *row = function_row(s);

	return s->call == SYS_restart_syscall && row && row->call &&
	       !call_cause_is_narrow(s);
}

bool call_cause_wants_file(const struct sleeper *s)
{
	const struct call_row *row = row_of(s);

	return row && row->by_file && !tells_function(s);
}

static enum exp_state state_of_file(enum sleeper_file file)
{
	static const enum exp_state states[] = {
		[SLEEPER_FILE_UNKNOWN] = EXP_STATE_OTHER,
		[SLEEPER_FILE_DISK] = EXP_STATE_DISK,
		[SLEEPER_FILE_NETWORK] = EXP_STATE_NETWORK,
		[SLEEPER_FILE_PIPE] = EXP_STATE_PIPE,
		[SLEEPER_FILE_TIMER] = EXP_STATE_TIMER,
		[SLEEPER_FILE_EVENTS] = EXP_STATE_POLL,
	};

	return states[file];
}

/*
 * A thread that sleeps without a call has a page fault, unless it was stopped.  If its
 * instruction is in memory while it sleeps, it wants data.  Otherwise it may want the instruction,
 * or that was taken from memory since.
 */
enum exp_state call_cause_state(const struct sleeper *s)
{
	const struct cause_row *function = function_row(s);
	const struct call_row *row = row_of(s);
	enum exp_state state = function ? function->state : EXP_STATE_OTHER;

	if (sleeps_on(s))
		return EXP_STATE_SLEEP;
	if (state == EXP_STATE_STOPPED)
		return state;
	if (s->call == SLEEPER_NO_CALL)
		return s->has_code && s->function[0] ? EXP_STATE_DATAFAULT
						     : EXP_STATE_PAGEFAULT;
	if (state == EXP_STATE_PAGEFAULT || (state == EXP_STATE_DISK && reads_pages(s)))
		return EXP_STATE_DATAFAULT;
	if (state != EXP_STATE_OTHER || !row)
		return state;
	return row->by_file ? state_of_file(s->file) : row->state;
}

uint64_t call_cause_address(const struct sleeper *s)
{
	enum exp_state state = call_cause_state(s);
	/* restart_syscall: see cause_has_address; what waits there in a futex began in futex(2) */
	bool is_futex = s->call == SYS_futex || s->call == SYS_restart_syscall;

#ifdef SYS_futex_wait
	is_futex |= s->call == SYS_futex_wait;
#endif
	if (state == EXP_STATE_PAGEFAULT)
		return s->pc;
	if (!is_futex || call_cause_is_narrow(s) || state != EXP_STATE_LOCK)
		return 0;
	return s->args[0];
}
