/* SPDX-License-Identifier: Apache-2.0 */
#include "wait/cause.h"

#include <string.h>

/*
 * Functions of Linux 5.10 to 6.18, of x86 and Arm.  One that a kernel lacks, or inlined,
 * costs nothing: the stack has its callers or callees.
 *
 * The order decides where several fit.  A page fault can occur in any system call, and
 * reading its page looks like reading a file.  A local socket waits in functions that those
 * of the internet use too, and everything that waits for a device ends in io_schedule.
 */
const struct cause_row cause_rows[] = {
	{ "do_signal_stop", EXP_STATE_STOPPED },
	{ "ptrace_stop", EXP_STATE_STOPPED },
	{ "do_jobctl_trap", EXP_STATE_STOPPED },
	{ "do_freezer_trap", EXP_STATE_STOPPED },
	{ "__refrigerator", EXP_STATE_STOPPED },

	/* memory that the kernel itself uses, and pages that are written */
	{ "faultin_page", EXP_STATE_DATAFAULT },
	{ "__get_user_pages*", EXP_STATE_DATAFAULT },
	{ "fixup_user_fault", EXP_STATE_DATAFAULT },
	{ "do_wp_page", EXP_STATE_DATAFAULT },
	{ "wp_page_copy", EXP_STATE_DATAFAULT },
	{ "do_cow_fault", EXP_STATE_DATAFAULT },
	{ "do_shared_fault", EXP_STATE_DATAFAULT },
	{ "do_page_mkwrite", EXP_STATE_DATAFAULT },

	{ "exc_page_fault", EXP_STATE_PAGEFAULT },
	{ "do_user_addr_fault", EXP_STATE_PAGEFAULT },
	{ "do_page_fault", EXP_STATE_PAGEFAULT },
	{ "__do_page_fault", EXP_STATE_PAGEFAULT },
	{ "do_mem_abort", EXP_STATE_PAGEFAULT },
	{ "handle_mm_fault", EXP_STATE_PAGEFAULT },
	{ "handle_userfault", EXP_STATE_PAGEFAULT },

	/* before the others: see cause_has_address */
	{ "__x64_sys_futex", EXP_STATE_LOCK },
	{ "__x64_sys_futex_wait", EXP_STATE_LOCK },
	{ "__arm64_sys_futex", EXP_STATE_LOCK },
	{ "__arm64_sys_futex_wait", EXP_STATE_LOCK },
	{ "futex_wait_restart", EXP_STATE_LOCK },
	{ "do_futex", EXP_STATE_LOCK },
	{ "futex_*", EXP_STATE_LOCK },
	{ "__futex_*", EXP_STATE_LOCK },
	{ "fcntl_setlk*", EXP_STATE_LOCK },
	{ "do_lock_file_wait", EXP_STATE_LOCK },
	{ "posix_lock_inode_wait", EXP_STATE_LOCK },
	{ "flock_lock_inode_wait", EXP_STATE_LOCK },
	{ "locks_lock_inode_wait", EXP_STATE_LOCK },

	{ "do_nanosleep", EXP_STATE_SLEEP },
	{ "hrtimer_nanosleep", EXP_STATE_SLEEP },
	{ "common_nsleep*", EXP_STATE_SLEEP },
	{ "do_cpu_nanosleep", EXP_STATE_SLEEP },
	{ "posix_cpu_nsleep*", EXP_STATE_SLEEP },
	{ "alarmtimer_do_nsleep", EXP_STATE_SLEEP },

	{ "ep_poll", EXP_STATE_POLL },
	{ "do_epoll_wait", EXP_STATE_POLL },
	{ "do_epoll_pwait", EXP_STATE_POLL },
	{ "do_poll", EXP_STATE_POLL },
	{ "do_sys_poll", EXP_STATE_POLL },
	{ "do_select", EXP_STATE_POLL },
	{ "core_sys_select", EXP_STATE_POLL },
	{ "poll_schedule_timeout", EXP_STATE_POLL },
	{ "io_cqring_*", EXP_STATE_POLL },
	{ "inotify_read", EXP_STATE_POLL },
	{ "fanotify_read", EXP_STATE_POLL },

	{ "do_wait", EXP_STATE_CHILD },
	{ "__do_wait", EXP_STATE_CHILD },
	{ "kernel_wait4", EXP_STATE_CHILD },
	{ "kernel_waitid", EXP_STATE_CHILD },
	{ "wait_for_vfork_done", EXP_STATE_CHILD },

	{ "do_sigtimedwait", EXP_STATE_TIMER },
	{ "sigsuspend", EXP_STATE_TIMER },
	{ "__do_sys_pause", EXP_STATE_TIMER },
	{ "__x64_sys_pause", EXP_STATE_TIMER },
	{ "timerfd_read*", EXP_STATE_TIMER },
	{ "signalfd_read*", EXP_STATE_TIMER },
	{ "signalfd_dequeue", EXP_STATE_TIMER },

	{ "fuse_dev_*", EXP_STATE_PIPE }, /* a file system's server */
	{ "unix_*", EXP_STATE_PIPE },
	{ "netlink_*", EXP_STATE_PIPE },
	{ "pipe_*", EXP_STATE_PIPE },
	{ "anon_pipe_*", EXP_STATE_PIPE },
	{ "fifo_open", EXP_STATE_PIPE },
	{ "wait_for_partner", EXP_STATE_PIPE },
	{ "do_msgrcv", EXP_STATE_PIPE },
	{ "do_msgsnd", EXP_STATE_PIPE },
	{ "do_semtimedop", EXP_STATE_PIPE },
	{ "__do_semtimedop", EXP_STATE_PIPE },
	{ "do_mq_*", EXP_STATE_PIPE },
	{ "wq_sleep", EXP_STATE_PIPE },
	{ "eventfd_*", EXP_STATE_PIPE },
	{ "n_tty_*", EXP_STATE_PIPE },
	{ "tty_*", EXP_STATE_PIPE },

	{ "tcp_*", EXP_STATE_NETWORK },
	{ "__tcp_*", EXP_STATE_NETWORK },
	{ "udp_*", EXP_STATE_NETWORK },
	{ "udpv6_*", EXP_STATE_NETWORK },
	{ "__skb_recv_udp", EXP_STATE_NETWORK },
	{ "inet_*", EXP_STATE_NETWORK },
	{ "inet6_*", EXP_STATE_NETWORK },
	{ "__inet_*", EXP_STATE_NETWORK },
	{ "raw_recvmsg", EXP_STATE_NETWORK },
	{ "raw_sendmsg", EXP_STATE_NETWORK },
	{ "ping_recvmsg", EXP_STATE_NETWORK },
	{ "packet_*", EXP_STATE_NETWORK },
	{ "sctp_*", EXP_STATE_NETWORK },
	{ "mptcp_*", EXP_STATE_NETWORK },
	{ "tls_*", EXP_STATE_NETWORK },
	{ "smc_*", EXP_STATE_NETWORK },
	{ "vsock_*", EXP_STATE_NETWORK },

	{ "io_schedule*", EXP_STATE_DISK },
	{ "folio_wait_*", EXP_STATE_DISK },
	{ "wait_on_page_*", EXP_STATE_DISK },
	{ "__wait_on_buffer", EXP_STATE_DISK },
	{ "submit_bio_wait", EXP_STATE_DISK },
	{ "blkdev_*", EXP_STATE_DISK },
	{ "blk_*", EXP_STATE_DISK },
	{ "filemap_*", EXP_STATE_DISK },
	{ "iomap_*", EXP_STATE_DISK },
	{ "vfs_fsync*", EXP_STATE_DISK },
	{ "sync_filesystem", EXP_STATE_DISK },
	{ "sync_inodes_*", EXP_STATE_DISK },
	{ "wb_wait_for_completion", EXP_STATE_DISK },
	{ "read_events", EXP_STATE_DISK },
	{ "do_io_getevents", EXP_STATE_DISK },
	{ "jbd2_*", EXP_STATE_DISK },
	{ "ext4_lazyinit_thread", EXP_STATE_OTHER }, /* it rests */
	{ "ext4_*", EXP_STATE_DISK },
	{ "xfs_*", EXP_STATE_DISK },
	{ "btrfs_*", EXP_STATE_DISK },
	{ "f2fs_*", EXP_STATE_DISK },
	{ "nfsd*", EXP_STATE_OTHER }, /* a server that waits for requests */
	{ "nfs*", EXP_STATE_DISK },
	{ "fuse_*", EXP_STATE_DISK },
	{ "cifs_*", EXP_STATE_DISK },
	{ "ceph_*", EXP_STATE_DISK },
	{ "v9fs_*", EXP_STATE_DISK },
	{ "p9_*", EXP_STATE_DISK },

	/* what makes a process waits for locks of the kernel; after that, for vfork's child */
	{ "copy_process", EXP_STATE_OTHER },
	{ "kernel_clone", EXP_STATE_CHILD },
	{ "_do_fork", EXP_STATE_CHILD },

	/* what a signal does: it stops the thread, here and in inlined functions, or ends it */
	{ "do_group_exit", EXP_STATE_OTHER },
	{ "do_coredump", EXP_STATE_OTHER },
	{ "vfs_coredump", EXP_STATE_OTHER },
	{ "get_signal", EXP_STATE_STOPPED },

	/* what all system calls have */
	{ "do_syscall_64", EXP_STATE_OTHER, .call = true },
	{ "entry_SYSCALL_*", EXP_STATE_OTHER, .call = true },
	{ "do_int80_*", EXP_STATE_OTHER, .call = true },
	{ "do_fast_syscall_32", EXP_STATE_OTHER, .call = true },
	{ "__do_fast_syscall_32", EXP_STATE_OTHER, .call = true },
	{ "el0_svc*", EXP_STATE_OTHER, .call = true },
	{ "do_el0_svc*", EXP_STATE_OTHER, .call = true },
	{ "invoke_syscall", EXP_STATE_OTHER, .call = true },
	{ "__x64_sys_restart_syscall", EXP_STATE_OTHER, .call = true },
	{ "__arm64_sys_restart_syscall", EXP_STATE_OTHER, .call = true },
	{ "__do_sys_restart_syscall", EXP_STATE_OTHER, .call = true },
};

const size_t cause_count = sizeof(cause_rows) / sizeof(cause_rows[0]);

/*
 * The innermost one decides: a timer's handler runs in an interrupt, which may have come while
 * other timers were handled.  Packets to this machine are in the backlog; if no interrupt lies
 * between, the call that sent them processes them.
 */
const struct cause_waker cause_wakers[] = {
	{ "__hrtimer_run_queues", EXP_WAKER_TIMER },
	{ "hrtimer_run_softirq", EXP_WAKER_TIMER },
	{ "call_timer_fn", EXP_WAKER_TIMER },
	{ "__run_timers", EXP_WAKER_TIMER },
	{ "run_timer_softirq", EXP_WAKER_TIMER },
	{ "handle_posix_cpu_timers", EXP_WAKER_TIMER },

	{ "asm_sysvec_*", EXP_WAKER_INTERRUPT },
	{ "asm_common_interrupt", EXP_WAKER_INTERRUPT },
	{ "common_interrupt", EXP_WAKER_INTERRUPT },
	{ "ret_from_intr", EXP_WAKER_INTERRUPT },
	{ "smp_apic_timer_interrupt", EXP_WAKER_INTERRUPT },
	{ "el0t_64_irq*", EXP_WAKER_INTERRUPT },
	{ "el1h_64_irq*", EXP_WAKER_INTERRUPT },
	{ "el0_irq*", EXP_WAKER_INTERRUPT },
	{ "el1_irq*", EXP_WAKER_INTERRUPT },
	{ "gic_handle_irq", EXP_WAKER_INTERRUPT },
	{ "irq_exit*", EXP_WAKER_INTERRUPT },
	{ "__irq_exit*", EXP_WAKER_INTERRUPT },
	{ "run_ksoftirqd", EXP_WAKER_INTERRUPT },

	{ "process_backlog", EXP_WAKER_OF_RECORDING },
};

const size_t cause_waker_count = sizeof(cause_wakers) / sizeof(cause_wakers[0]);

/*
 * Of 64-bit programs: others have their arguments in other registers.  A wait with a timeout goes
 * on in restart_syscall(2) once its thread is continued; the kernel leaves it the registers.
 */
bool cause_has_address(const struct cause_row *row)
{
	static const char *const calls[] = { "__x64_sys_futex", "__x64_sys_futex_wait",
					     "__arm64_sys_futex",
					     "__arm64_sys_futex_wait",
					     "futex_wait_restart" };

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(row->function, calls[i]))
			return true;
	return false;
}

/* NAME up to what the compiler added. */
static bool fits(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(pattern, name, len - 1);
	return !strncmp(pattern, name, len) && (!name[len] || name[len] == '.');
}

/* A table whose rows, of SIZE bytes, begin with the name of a function. */
struct table {
	const void *rows;
	size_t size, count;
};

static const struct table causes = { cause_rows, sizeof(cause_rows[0]),
				     sizeof(cause_rows) / sizeof(cause_rows[0]) };
static const struct table wakers = { cause_wakers, sizeof(cause_wakers[0]),
				     sizeof(cause_wakers) / sizeof(cause_wakers[0]) };

/* The first row that fits FUNCTION; the table's count: none. */
static size_t find(const struct table *t, const char *function)
{
	const char *row = t->rows;
	size_t i = 0;

	for (; i < t->count; i++, row += t->size) {
		const char *pattern;

		memcpy(&pattern, row, sizeof(pattern));
		if (fits(pattern, function))
			break;
	}
	return i;
}

size_t cause_find(const char *function)
{
	return find(&causes, function);
}

int cause_open(struct cause *c, const char *root)
{
	*c = (struct cause){ .to = UINT64_MAX };
	return kernel_names_open(&c->names, root);
}

void cause_limit(struct cause *c, uint64_t from, uint64_t to, uint64_t slide)
{
	c->from = from;
	c->to = to;
	c->slide = slide;
}

void cause_release(struct cause *c)
{
	kernel_names_release(&c->names);
	idmap_release(&c->rows);
	idmap_release(&c->wakers);
}

/* The row of the function at ADDRESS; KNOWN has those that were looked up. */
static size_t row_of(const struct cause *c, const struct table *t, struct idmap *known,
		     uint64_t address)
{
	uint32_t row = idmap_get(known, address, 0);
	struct symbol symbol;

	if (row != IDMAP_NONE)
		return row;
	row = (uint32_t)t->count;
	if (address >= c->from && address < c->to &&
	    kernel_names_find(&c->names, address + c->slide, &symbol))
		row = (uint32_t)find(t, symbol.name);
	idmap_set(known, address, 0, row);
	return row;
}

const struct cause_row *cause_row(struct cause *c, const uint64_t *ips, size_t count)
{
	static const struct cause_row data = { "", EXP_STATE_DATAFAULT, false };
	size_t first = cause_count;
	bool call = false;

	for (size_t i = 0; i < count; i++) {
		/* a return address may be that of the next function */
		size_t row = row_of(c, &causes, &c->rows, ips[i] - (i > 0));

		if (row < first)
			first = row;
		call |= row < cause_count && cause_rows[row].call;
	}
	if (first == cause_count)
		return NULL;
	return call && cause_rows[first].state == EXP_STATE_PAGEFAULT
		       ? &data
		       : &cause_rows[first];
}

enum exp_waker_kind cause_of_waking(struct cause *c, const uint64_t *ips, size_t count)
{
	enum exp_waker_kind kind = EXP_WAKER_INTERRUPT;

	for (size_t i = 0; i < count; i++) {
		size_t row = row_of(c, &wakers, &c->wakers, ips[i] - (i > 0));

		if (row == cause_waker_count)
			continue;
		kind = cause_wakers[row].kind;
		if (kind != EXP_WAKER_OF_RECORDING)
			break;
	}
	return kind;
}
