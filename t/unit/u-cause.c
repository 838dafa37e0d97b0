/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads wait for, by the kernel's functions: stacks of many kernels, innermost
 * function first.  Each row of the table decides in one of them.
 */
#include "wait/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"

static const struct {
	enum exp_state state;
	const char *stack;
	bool has_address;
} cases[] = {
	{ EXP_STATE_LOCK,
	  "__schedule schedule futex_do_wait.isra.0 __futex_wait futex_wait "
	  "do_futex __x64_sys_futex do_syscall_64",
	  true },
	{ EXP_STATE_LOCK, "schedule do_futex __ia32_sys_futex_time32" },
	{ EXP_STATE_LOCK, "schedule futex_wait_multiple __x64_sys_futex_waitv" },
	{ EXP_STATE_LOCK, "schedule __futex_wait __x64_sys_futex_wait", true },
	{ EXP_STATE_LOCK,
	  "schedule futex_do_wait __futex_wait futex_wait futex_wait_restart "
	  "do_syscall_64",
	  true },
	{ EXP_STATE_LOCK, "schedule __futex_wait __arm64_sys_futex_wait", true },
	{ EXP_STATE_DATAFAULT,
	  "schedule io_schedule do_user_addr_fault exc_page_fault asm_exc_page_fault "
	  "futex_wait_setup futex_wait do_futex __x64_sys_futex do_syscall_64" },
	{ EXP_STATE_LOCK, "schedule futex_wait_queue_me futex_wait do_futex" },
	{ EXP_STATE_LOCK,
	  "schedule rt_mutex_schedule __rt_mutex_slowlock futex_lock_pi" },
	{ EXP_STATE_LOCK, "schedule __futex_wait __arm64_sys_futex", true },
	{ EXP_STATE_LOCK, "schedule __futex_wait" },
	{ EXP_STATE_LOCK, "schedule do_futex __x64_sys_futex.cold", true },
	{ EXP_STATE_LOCK, "schedule fcntl_setlk64 do_fcntl" },
	{ EXP_STATE_LOCK, "schedule do_lock_file_wait" },
	{ EXP_STATE_LOCK, "schedule posix_lock_inode_wait locks_lock_inode_wait" },
	{ EXP_STATE_LOCK, "schedule flock_lock_inode_wait" },
	{ EXP_STATE_LOCK, "schedule locks_lock_inode_wait __do_sys_flock" },
	{ EXP_STATE_STOPPED,
	  "schedule do_signal_stop get_signal arch_do_signal_or_restart" },
	{ EXP_STATE_STOPPED, "schedule ptrace_stop ptrace_notify" },
	{ EXP_STATE_STOPPED, "schedule do_jobctl_trap get_signal" },
	{ EXP_STATE_STOPPED, "schedule do_freezer_trap get_signal" },
	{ EXP_STATE_STOPPED, "schedule __refrigerator get_signal do_nanosleep" },
	{ EXP_STATE_PAGEFAULT, "schedule io_schedule folio_wait_bit_common filemap_fault "
			       "__do_fault do_fault __handle_mm_fault handle_mm_fault "
			       "do_user_addr_fault exc_page_fault asm_exc_page_fault" },
	{ EXP_STATE_PAGEFAULT, "schedule folio_wait_bit_common do_user_addr_fault" },
	{ EXP_STATE_PAGEFAULT, "schedule io_schedule filemap_fault do_page_fault" },
	{ EXP_STATE_PAGEFAULT, "schedule io_schedule filemap_fault __do_page_fault" },
	{ EXP_STATE_PAGEFAULT, "schedule io_schedule filemap_fault do_mem_abort el0_ia" },
	{ EXP_STATE_PAGEFAULT, "schedule io_schedule filemap_fault handle_mm_fault" },
	{ EXP_STATE_PAGEFAULT, "schedule handle_userfault do_anonymous_page" },
	{ EXP_STATE_DATAFAULT,
	  "schedule io_schedule filemap_fault handle_mm_fault "
	  "faultin_page __get_user_pages iomap_dio_rw ext4_file_read_iter" },
	{ EXP_STATE_DATAFAULT, "schedule handle_mm_fault __get_user_pages_remote" },
	{ EXP_STATE_DATAFAULT, "schedule handle_mm_fault fixup_user_fault" },
	{ EXP_STATE_DATAFAULT, "schedule do_wp_page handle_mm_fault exc_page_fault" },
	{ EXP_STATE_DATAFAULT, "schedule wp_page_copy handle_mm_fault" },
	{ EXP_STATE_DATAFAULT, "schedule do_cow_fault handle_mm_fault" },
	{ EXP_STATE_DATAFAULT, "schedule do_shared_fault handle_mm_fault" },
	{ EXP_STATE_DATAFAULT, "schedule ext4_page_mkwrite do_page_mkwrite do_fault" },
	{ EXP_STATE_DATAFAULT,
	  "schedule filemap_fault exc_page_fault rep_movs_alternative vfs_write "
	  "ksys_write do_syscall_64 entry_SYSCALL_64_after_hwframe" },
	{ EXP_STATE_DATAFAULT, "schedule handle_mm_fault do_mem_abort el1h_64_sync "
			       "ksys_write invoke_syscall do_el0_svc el0_svc" },
	{ EXP_STATE_SLEEP, "schedule do_nanosleep hrtimer_nanosleep common_nsleep" },
	{ EXP_STATE_SLEEP, "schedule hrtimer_nanosleep" },
	{ EXP_STATE_SLEEP, "schedule common_nsleep_timens __x64_sys_clock_nanosleep" },
	{ EXP_STATE_SLEEP, "schedule do_cpu_nanosleep posix_cpu_nsleep" },
	{ EXP_STATE_SLEEP, "schedule posix_cpu_nsleep_restart" },
	{ EXP_STATE_SLEEP, "schedule alarmtimer_do_nsleep alarm_timer_nsleep" },
	{ EXP_STATE_POLL, "schedule schedule_hrtimeout_range ep_poll do_epoll_wait" },
	{ EXP_STATE_POLL, "schedule wait_woken inotify_read vfs_read" },
	{ EXP_STATE_POLL, "schedule wait_woken fanotify_read vfs_read" },
	{ EXP_STATE_POLL, "schedule do_epoll_wait __x64_sys_epoll_wait" },
	{ EXP_STATE_POLL, "schedule do_epoll_pwait.part.0" },
	{ EXP_STATE_POLL, "schedule poll_schedule_timeout.constprop.0" },
	{ EXP_STATE_POLL, "schedule do_poll" },
	{ EXP_STATE_POLL, "schedule do_sys_poll __x64_sys_ppoll" },
	{ EXP_STATE_POLL, "schedule do_select core_sys_select" },
	{ EXP_STATE_POLL, "schedule core_sys_select" },
	{ EXP_STATE_POLL, "schedule io_cqring_wait __do_sys_io_uring_enter" },
	{ EXP_STATE_CHILD, "schedule do_wait kernel_wait4 __do_sys_wait4" },
	{ EXP_STATE_CHILD, "schedule __do_wait" },
	{ EXP_STATE_CHILD, "schedule kernel_wait4" },
	{ EXP_STATE_CHILD, "schedule kernel_waitid" },
	{ EXP_STATE_CHILD, "schedule wait_for_completion_state wait_for_vfork_done" },
	{ EXP_STATE_CHILD,
	  "schedule wait_for_completion_state kernel_clone __x64_sys_vfork" },
	{ EXP_STATE_CHILD, "schedule wait_for_completion_killable _do_fork" },
	{ EXP_STATE_OTHER, "schedule percpu_down_write copy_process kernel_clone" },
	{ EXP_STATE_TIMER, "schedule do_sigtimedwait" },
	{ EXP_STATE_TIMER, "schedule sigsuspend __x64_sys_rt_sigsuspend" },
	{ EXP_STATE_TIMER, "schedule __do_sys_pause" },
	{ EXP_STATE_TIMER, "schedule __x64_sys_pause" },
	{ EXP_STATE_TIMER, "schedule timerfd_read_iter vfs_read" },
	{ EXP_STATE_TIMER, "schedule signalfd_read_iter vfs_read" },
	{ EXP_STATE_TIMER, "schedule signalfd_dequeue" },
	{ EXP_STATE_PIPE,
	  "schedule schedule_timeout unix_stream_read_generic sock_recvmsg" },
	{ EXP_STATE_PIPE, "schedule __skb_wait_for_more_packets __skb_recv_datagram "
			  "netlink_recvmsg sock_recvmsg" },
	{ EXP_STATE_PIPE, "schedule fuse_dev_do_read fuse_dev_read vfs_read" },
	{ EXP_STATE_PIPE, "schedule pipe_read vfs_read" },
	{ EXP_STATE_PIPE, "schedule anon_pipe_write vfs_write" },
	{ EXP_STATE_PIPE, "schedule fifo_open do_open" },
	{ EXP_STATE_PIPE, "schedule wait_for_partner" },
	{ EXP_STATE_PIPE, "schedule do_msgrcv" },
	{ EXP_STATE_PIPE, "schedule do_msgsnd" },
	{ EXP_STATE_PIPE, "schedule do_semtimedop" },
	{ EXP_STATE_PIPE, "schedule __do_semtimedop" },
	{ EXP_STATE_PIPE, "schedule do_mq_timedreceive" },
	{ EXP_STATE_PIPE, "schedule wq_sleep.constprop.0" },
	{ EXP_STATE_PIPE, "schedule eventfd_read vfs_read" },
	{ EXP_STATE_PIPE, "schedule wait_woken n_tty_read" },
	{ EXP_STATE_PIPE, "schedule tty_wait_until_sent" },
	{ EXP_STATE_NETWORK, "schedule sk_wait_data tcp_recvmsg_locked tcp_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule __tcp_close" },
	{ EXP_STATE_NETWORK, "schedule __skb_wait_for_more_packets __skb_recv_udp" },
	{ EXP_STATE_NETWORK, "schedule udp_recvmsg sock_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule udpv6_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule inet_csk_accept do_accept" },
	{ EXP_STATE_NETWORK, "schedule inet6_sendmsg" },
	{ EXP_STATE_NETWORK, "schedule __inet_stream_connect" },
	{ EXP_STATE_NETWORK, "schedule raw_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule raw_sendmsg" },
	{ EXP_STATE_NETWORK, "schedule ping_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule packet_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule sctp_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule mptcp_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule tls_sw_recvmsg" },
	{ EXP_STATE_NETWORK, "schedule smc_rx_wait" },
	{ EXP_STATE_NETWORK, "schedule vsock_connectible_recvmsg" },
	{ EXP_STATE_DISK, "schedule io_schedule blkdev_direct_IO_simple" },
	{ EXP_STATE_DISK, "schedule folio_wait_bit_common" },
	{ EXP_STATE_DISK, "schedule wait_on_page_bit" },
	{ EXP_STATE_DISK, "schedule __wait_on_buffer" },
	{ EXP_STATE_DISK, "schedule submit_bio_wait" },
	{ EXP_STATE_DISK, "schedule blkdev_issue_flush" },
	{ EXP_STATE_DISK, "schedule blk_io_schedule" },
	{ EXP_STATE_DISK, "schedule filemap_read" },
	{ EXP_STATE_DISK, "schedule iomap_dio_rw" },
	{ EXP_STATE_DISK, "schedule vfs_fsync_range" },
	{ EXP_STATE_DISK, "schedule sync_filesystem __x64_sys_syncfs" },
	{ EXP_STATE_DISK, "schedule sync_inodes_one_sb" },
	{ EXP_STATE_DISK, "schedule wb_wait_for_completion __writeback_inodes_sb_nr" },
	{ EXP_STATE_DISK, "schedule read_events do_io_getevents __x64_sys_io_getevents" },
	{ EXP_STATE_DISK, "schedule do_io_getevents" },
	{ EXP_STATE_DISK, "schedule jbd2_log_wait_commit ext4_fsync" },
	{ EXP_STATE_DISK, "schedule ext4_sync_file" },
	{ EXP_STATE_DISK, "schedule xfs_log_force" },
	{ EXP_STATE_DISK, "schedule btrfs_sync_log" },
	{ EXP_STATE_DISK, "schedule f2fs_sync_file" },
	{ EXP_STATE_DISK, "schedule rpc_wait_bit_killable nfs4_call_sync" },
	{ EXP_STATE_OTHER, "schedule schedule_timeout svc_recv nfsd kthread" },
	{ EXP_STATE_DISK, "schedule io_schedule nfsd4_read svc_process svc_recv nfsd" },
	{ EXP_STATE_OTHER, "schedule schedule_timeout ext4_lazyinit_thread kthread" },
	{ EXP_STATE_DISK, "schedule request_wait_answer fuse_simple_request" },
	{ EXP_STATE_DISK, "schedule cifs_sync" },
	{ EXP_STATE_DISK, "schedule ceph_fsync" },
	{ EXP_STATE_DISK, "schedule v9fs_fid_add" },
	{ EXP_STATE_DISK, "schedule p9_client_rpc" },
	{ EXP_STATE_OTHER, "__schedule schedule do_syscall_64" },
	{ EXP_STATE_OTHER, "schedule do_wait_intr_irq" }, /* is not do_wait */
	{ EXP_STATE_STOPPED, "schedule get_signal arch_do_signal_or_restart "
			     "exit_to_user_mode_loop do_syscall_64" },
	{ EXP_STATE_OTHER, "schedule coredump_wait do_coredump get_signal" },
	{ EXP_STATE_OTHER, "schedule vfs_coredump get_signal" },
	{ EXP_STATE_OTHER, "schedule do_exit do_group_exit get_signal" },
	{ EXP_STATE_OTHER, "schedule __x64_sys_restart_syscall" },
	{ EXP_STATE_OTHER, "schedule __arm64_sys_restart_syscall" },
	{ EXP_STATE_OTHER, "schedule __do_sys_restart_syscall" },
	{ EXP_STATE_OTHER, "schedule entry_SYSCALL_64_after_hwframe" },
	{ EXP_STATE_OTHER, "schedule do_int80_emulation" },
	{ EXP_STATE_OTHER, "schedule do_fast_syscall_32" },
	{ EXP_STATE_OTHER, "schedule __do_fast_syscall_32" },
	{ EXP_STATE_OTHER, "schedule invoke_syscall el0_svc_common do_el0_svc" },
	{ EXP_STATE_OTHER, "schedule do_el0_svc_compat" },
	{ EXP_STATE_OTHER, "schedule invoke_syscall" },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* An address in NAME; each new one takes the next 256 bytes of kallsyms. */
static uint64_t address_of(const char *name, struct strbuf *kallsyms)
{
	const uint64_t first = 0xffffffff81000000;
	char *line = xasprintf(" T %s\n", name);
	const char *at;
	uint64_t address;

	at = kallsyms->len ? strstr(kallsyms->data, line) : NULL;
	if (at) {
		while (at > kallsyms->data && at[-1] != '\n')
			at--;
		address = strtoull(at, NULL, 16);
	} else {
		address = first;
		for (size_t i = 0; i < kallsyms->len; i++)
			address += kallsyms->data[i] == '\n' ? 256 : 0;
		strbuf_addf(kallsyms, "%016llx%s", (unsigned long long)address, line);
	}
	free(line);
	return address;
}

typedef VEC(uint64_t) chain;

static void build(const char *stack, struct strbuf *kallsyms, chain *ips)
{
	char *text = strdup(stack), *rest = text, *name;

	while ((name = strsep(&rest, " "))) {
		uint64_t address = address_of(name, kallsyms);
		bool is_return = ips->len > 0;

		/* the call is the function's last instruction */
		*vec_push(ips) = is_return ? address + 256 : address + 16;
	}
	free(text);
}

/* The row that decides. */
static size_t deciding(const char *stack)
{
	char *text = strdup(stack), *rest = text, *name;
	size_t first = cause_count;

	while ((name = strsep(&rest, " "))) {
		size_t row = cause_find(name);

		first = row < first ? row : first;
	}
	free(text);
	return first;
}

static void is_case(struct cause *c, const chain *ips, size_t i)
{
	const struct cause_row *row = cause_row(c, ips->data, ips->len);

	is_u64(row ? row->state : EXP_STATE_OTHER, cases[i].state, "%s", cases[i].stack);
	ok((row && cause_has_address(row)) == cases[i].has_address,
	   "… and whether its address is known");
}

#define STEP (UINT64_C(1) << 40) /* beyond all of them */

static void test_stacks(void)
{
	static chain chains[CASES];
	struct strbuf kallsyms = { 0 };
	char *root = scratch_make();
	struct cause c;

	setenv("XDG_CACHE_HOME", root, 1);
	for (size_t i = 0; i < CASES; i++)
		build(cases[i].stack, &kallsyms, &chains[i]);
	scratch_text(root, "proc/kallsyms", kallsyms.data);
	if (is_i64(cause_open(&c, root), 0, "the kernel's names"))
		for (size_t i = 0; i < CASES; i++)
			is_case(&c, &chains[i], i);
	cause_limit(&c, 1, 2, 0);
	for (size_t i = 0; i < CASES; i++)
		for (size_t k = 0; k < chains[i].len; k++)
			chains[i].data[k] += STEP;
	ok(!cause_row(&c, chains[0].data, chains[0].len),
	   "functions outside of the known part have no names");
	cause_limit(&c, 0, UINT64_MAX, -(uint64_t)STEP);
	idmap_release(&c.rows);
	for (size_t i = 0; i < CASES; i++)
		is_case(&c, &chains[i], i);
	cause_release(&c);
	for (size_t i = 0; i < CASES; i++)
		vec_release(&chains[i]);
	strbuf_release(&kallsyms);
	scratch_remove(root);
}

static void test_rows(void)
{
	for (size_t row = 0; row < cause_count; row++) {
		bool decides = false;

		for (size_t i = 0; i < CASES && !decides; i++)
			decides = deciding(cases[i].stack) == row;
		ok(decides, "%s decides in a stack", cause_rows[row].function);
	}
}

/* Where a thread was woken in an interrupt, or after one: stacks of Linux 6.1 to 6.18. */
static const struct {
	enum exp_waker_kind kind;
	const char *stack;
} wakings[] = {
	{ EXP_WAKER_TIMER,
	  "try_to_wake_up hrtimer_wakeup __hrtimer_run_queues hrtimer_interrupt "
	  "__sysvec_apic_timer_interrupt sysvec_apic_timer_interrupt "
	  "asm_sysvec_apic_timer_interrupt pv_native_safe_halt default_idle" },
	{ EXP_WAKER_TIMER,
	  "try_to_wake_up process_timeout call_timer_fn run_timer_softirq "
	  "handle_softirqs __irq_exit_rcu sysvec_apic_timer_interrupt "
	  "asm_sysvec_apic_timer_interrupt" },
	{ EXP_WAKER_INTERRUPT,
	  "try_to_wake_up swake_up_locked complete blk_mq_end_request virtblk_done "
	  "vring_interrupt handle_irq_event common_interrupt asm_common_interrupt" },
	/* a disk's interrupt while timers are handled, and the other way round */
	{ EXP_WAKER_INTERRUPT,
	  "try_to_wake_up complete blk_mq_end_request virtblk_done vring_interrupt "
	  "handle_irq_event common_interrupt asm_common_interrupt tcp_write_timer "
	  "call_timer_fn run_timer_softirq handle_softirqs irq_exit_rcu "
	  "asm_sysvec_apic_timer_interrupt" },
	{ EXP_WAKER_TIMER,
	  "try_to_wake_up hrtimer_wakeup __hrtimer_run_queues hrtimer_interrupt "
	  "asm_sysvec_apic_timer_interrupt process_backlog net_rx_action "
	  "handle_softirqs do_softirq __local_bh_enable_ip" },
	{ EXP_WAKER_INTERRUPT,
	  "try_to_wake_up __wake_up_common sock_def_readable tcp_data_ready "
	  "__netif_receive_skb process_backlog __napi_poll net_rx_action "
	  "handle_softirqs irq_exit_rcu common_interrupt asm_common_interrupt" },
	{ EXP_WAKER_INTERRUPT,
	  "try_to_wake_up sock_def_readable process_backlog net_rx_action "
	  "handle_softirqs run_ksoftirqd smpboot_thread_fn kthread" },
	{ EXP_WAKER_OF_RECORDING,
	  "try_to_wake_up __wake_up_common sock_def_readable tcp_data_ready "
	  "__netif_receive_skb process_backlog __napi_poll net_rx_action "
	  "handle_softirqs do_softirq __local_bh_enable_ip __dev_queue_xmit "
	  "ip_finish_output2 tcp_sendmsg __x64_sys_sendto" },
	{ EXP_WAKER_INTERRUPT,
	  "try_to_wake_up sock_def_readable virtnet_poll __napi_poll net_rx_action "
	  "handle_softirqs do_softirq __local_bh_enable_ip" },
	{ EXP_WAKER_INTERRUPT,
	  "try_to_wake_up process_backlog net_rx_action __do_softirq irq_exit "
	  "__handle_domain_irq gic_handle_irq el1_irq" },
	{ EXP_WAKER_INTERRUPT, "try_to_wake_up" },
};

enum { WAKINGS = sizeof(wakings) / sizeof(wakings[0]) };

static void is_waking(const char *stack, enum exp_waker_kind kind, const char *what)
{
	struct strbuf kallsyms = { 0 };
	char *root = scratch_make();
	chain ips = { 0 };
	struct cause c;

	setenv("XDG_CACHE_HOME", root, 1);
	build(stack, &kallsyms, &ips);
	scratch_text(root, "proc/kallsyms", kallsyms.data);
	if (is_i64(cause_open(&c, root), 0, "the kernel's names"))
		is_u64(cause_of_waking(&c, ips.data, ips.len), kind, "%s", what);
	cause_release(&c);
	vec_release(&ips);
	strbuf_release(&kallsyms);
	scratch_remove(root);
}

static void test_wakings(void)
{
	for (size_t i = 0; i < WAKINGS; i++)
		is_waking(wakings[i].stack, wakings[i].kind, wakings[i].stack);
	for (size_t i = 0; i < cause_waker_count; i++) {
		const struct cause_waker *row = &cause_wakers[i];
		char *stack = xasprintf("try_to_wake_up %.*s.isra.0 do_syscall_64",
					(int)strcspn(row->function, "*"), row->function);

		is_waking(stack, row->kind, row->function);
		free(stack);
	}
}

int main(void)
{
	test_stacks();
	test_wakings();
	test_rows();
	return done_testing();
}
