/* SPDX-License-Identifier: Apache-2.0 */
#include "loop/loop.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/vec.h"
#include "control/rest.h"
#include "process/daemons.h"
#include "recording/sleepers.h"
#include "target/choose.h"

#define SETTLE_NS      50000000u   /* a fork is known a round after it happened */
#define FLUSH_FIRST_NS 100000000u  /* a short run has little to lose */
#define FLUSH_NS       1000000000u /* what a killed collector loses, at most */
#define REGIONS_MS     20 /* a thread has room for three million events a second */
#define INSISTENCE_NS  2000000000u /* two interrupts within that: kill it */
#define PATIENCE_NS    1000000000u /* after an interrupt: say how it can be killed */

/* The meaning of a signal that is sent to us. */
enum signal_use {
	SIGNAL_OURS,
	SIGNAL_PASSED_ON, /* for the target */
	SIGNAL_ENDS,      /* for the target, or the recording if that is no child */
};

/*
 * SIGPIPE is blocked for target_go, which reports a child that died waiting in another
 * way; so is SIGXFSZ: a file that may not grow (RLIMIT_FSIZE) is an error like a full
 * disk.  SIGIO would say that a process opens a file that we look at.
 */
static const struct taken {
	int sig;
	enum signal_use meaning;
} taken[] = {
	{ SIGINT, SIGNAL_ENDS },       { SIGQUIT, SIGNAL_ENDS },
	{ SIGTERM, SIGNAL_ENDS },      { SIGHUP, SIGNAL_ENDS },
	{ SIGUSR1, SIGNAL_PASSED_ON }, { SIGUSR2, SIGNAL_PASSED_ON },
	{ SIGALRM, SIGNAL_PASSED_ON }, { SIGCHLD, SIGNAL_OURS },
	{ SIGPIPE, SIGNAL_OURS },      { SIGXFSZ, SIGNAL_OURS },
	{ SIGIO, SIGNAL_OURS },
};

enum { TAKEN = sizeof(taken) / sizeof(taken[0]) };

static void taken_signals(int pause_signal, int point_signal, sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < TAKEN; i++)
		sigaddset(set, taken[i].sig);
	if (pause_signal)
		sigaddset(set, pause_signal);
	if (point_signal)
		sigaddset(set, point_signal);
}

static enum signal_use meaning_of(int sig)
{
	for (size_t i = 0; i < TAKEN; i++)
		if (taken[i].sig == sig)
			return taken[i].meaning;
	return SIGNAL_OURS;
}

int loop_block_signals(int pause_signal, int point_signal, sigset_t *before)
{
	sigset_t set;

	taken_signals(pause_signal, point_signal, &set);
	return sigprocmask(SIG_BLOCK, &set, before) < 0 ? -errno : 0;
}

static void take_sockets(struct loop *loop, uint64_t now, bool last)
{
	sockets_take(loop->sockets, loop->rec, (uint32_t)loop->target->pid, now,
		     loop->merge.until_ns, last);
}

static void note_hidden(void *ctx, size_t ring, uint64_t until_ns)
{
	struct loop *loop = ctx;

	recording_hides(loop->rec, evlist_ring_cpu(loop->evlist, ring), until_ns);
}

/* What each full ring may have lost is known before what others have from then on. */
static void take_rest(struct loop *loop)
{
	const uint64_t ended_ns = loop->sys->now();

	for (size_t rings = loop->merge.count; rings && loop->merge.until_ns < ended_ns;
	     rings--)
		readers_take(&loop->readers, ended_ns + MERGE_SLACK_NS);
	readers_take(&loop->readers, UINT64_MAX);
}

static void stop(struct loop *loop)
{
	if (!loop->stopped) {
		turns_end(&loop->turns, loop->evlist);
		recording_stop(loop->rec, loop->sys->now());
		stagger_stop(&loop->stagger);
		evlist_stop(loop->evlist);
		sockets_pause(loop->sockets);
		loop->ended_ns = loop->sys->now();
		if (loop->ended_ns >= loop->stop_ns)
			loop->rec->blurred |= evlist_was_full(loop->evlist);
		take_sockets(loop, loop->ended_ns, true);
		loop->at_stop = accounting_now(loop->target, loop->cgroup, loop->rec,
					       loop->sys->root);
	}
	loop->stopped = loop->control.ended = true;
}

/* The target goes on: what it does from now on is no part of the recording. */
static void stop_early(struct loop *loop, uint64_t now)
{
	if (loop->stopped)
		return;
	stop(loop);
	control_stop(&loop->control, now);
}

static void find_daemons(const struct loop *loop, pid_vec *pids)
{
	daemons_find(&loop->rec->tasks, loop->rec->start_ns, loop->sys->root, pids);
}

/*
 * Kills all that the program started, even if it ignores interrupts.  Daemons, which have
 * process groups of their own, live on.
 */
static void kill_all(const struct loop *loop)
{
	pid_vec pids = { 0 };

	target_signal(loop->target, SIGKILL);
	if (loop->system) /* others started most of these */
		return;
	find_daemons(loop, &pids);
	daemons_kill(&pids, loop->sys->root);
	vec_release(&pids);
}

/*
 * The terminal sends an interrupt to the whole foreground group, including the target.
 * One from kill(1) came only to us.  A repeated one means: kill all.
 */
static void pass_on(struct loop *loop, int sig, bool from_terminal)
{
	uint64_t now = loop->sys->now();

	if (sig == SIGINT && loop->interrupted_ns &&
	    now - loop->interrupted_ns < INSISTENCE_NS) {
		kill_all(loop);
		return;
	}
	if (sig == SIGINT)
		loop->interrupted_ns = now;
	if (!from_terminal)
		target_signal(loop->target, sig);
}

/* A process that is not our child is left alone: the signal is for the recording. */
static void take_signal(struct loop *loop, const struct signalfd_siginfo *info)
{
	int sig = (int)info->ssi_signo;
	enum signal_use meaning = meaning_of(sig);

	if (meaning == SIGNAL_OURS || (target_has_ended(loop->target) && !loop->daemons))
		return;
	if (target_is_child(loop->target) && !target_has_ended(loop->target))
		pass_on(loop, sig, info->ssi_code == SI_KERNEL);
	else if (meaning == SIGNAL_ENDS)
		stop(loop);
}

/* Whether it is one by which the user says when to record. */
static bool controls(struct loop *loop, int sig)
{
	const uint64_t now = loop->sys->now(), until = loop->merge.until_ns;

	if (sig == loop->pause_signal)
		control_request(&loop->control, CONTROL_TOGGLE, 0, now, until, NULL);
	else if (sig == loop->point_signal)
		control_request(&loop->control, CONTROL_POINT, EXP_POINT_SIGNAL, now,
				until, NULL);
	else
		return false;
	return true;
}

static void take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (!controls(loop, (int)info.ssi_signo))
			take_signal(loop, &info);
}

/* Adapts what is recorded, by what has been; in a pause no event may be opened or started. */
static void adapt(struct loop *loop, uint64_t now)
{
	const bool goes_on = !loop->stopped && !loop->control.paused;

	if (goes_on) {
		copies_look(&loop->copies);
		fp_trial_look(&loop->fp_trial);
		ring_growth_look(&loop->ring_growth, now);
	}
	rounds_look(&loop->rounds, &loop->copies, loop->stopped);
	if (!goes_on) {
		switch_stacks_forget(&loop->switch_stacks);
		return;
	}
	readers_look(&loop->readers, now);
	evlist_vary(loop->evlist, &loop->rec->sources);
	switch_stacks_look(&loop->switch_stacks, now);
}

/* Whether this round came only for threads that sleep, or for regions. */
static bool is_extra(const struct loop *loop, uint64_t now)
{
	return (loop->rec->sleepers || loop->regions) && !loop->woken && !loop->stopped &&
	       now < loop->due_ns;
}

/* Ends the experiment and begins the next one, when it is time. */
static void take_turn(struct loop *loop, uint64_t now)
{
	if (turns_are_due(&loop->turns, now)) {
		take_sockets(loop, now, true);
		turns_mark(&loop->turns, loop->evlist, now);
	}
	if (!turns_may_take(&loop->turns, now))
		return;
	readers_take(&loop->readers, turns_merge_until(&loop->turns));
	turns_take(&loop->turns, loop->evlist);
}

/* A program may take its time to end, or ignore the interrupt. */
static void tell_how_to_insist(struct loop *loop, uint64_t now)
{
	if (loop->insistence_told || !loop->interrupted_ns ||
	    now - loop->interrupted_ns < PATIENCE_NS || !target_is_child(loop->target) ||
	    target_has_ended(loop->target))
		return;
	loop->insistence_told = true;
	diag_note("the program goes on; Ctrl-C twice within two seconds kills it");
}

/* Up to the last instant whose threads are known. */
static void read_regions(struct loop *loop, uint64_t now)
{
	if (loop->regions && regions_read(loop->regions, loop->merge.until_ns, now))
		control_take(&loop->control, loop->merge.until_ns);
}

static void leave_program(void *ctx, uint32_t pid, uint64_t at_ns)
{
	regions_leave(ctx, pid, at_ns);
}

int loop_round(struct loop *loop)
{
	uint64_t now = loop->sys->now();

	tell_how_to_insist(loop, now);
	if (now >= loop->stop_ns || loop->control.ended)
		stop_early(loop, now);
	if (recording_bytes(loop->rec) >= loop->bytes_max && !loop->stopped) {
		loop->limited = true;
		stop_early(loop, now);
	}
	if (loop->control.was_paused)
		stagger_stop(&loop->stagger);
	else if (!loop->stopped)
		stagger_round(&loop->stagger, now);
	control_round(&loop->control, now);
	if (!loop->stopped)
		take_turn(loop, now);
	if (loop->rec->sleepers)
		sleepers_take(loop->rec->sleepers);
	readers_take(&loop->readers, now);
	if (loop->rec->sleepers)
		sleepers_look(loop->rec->sleepers, now, loop->merge.until_ns);
	if (!loop->turns.at_ns && !loop->stopped)
		take_sockets(loop, now, false);
	read_regions(loop, now);
	command_lines_read(&loop->rec->command_lines, loop->sys->now);
	loop->adapted = !is_extra(loop, now);
	if (loop->adapted)
		adapt(loop, now);
	if (now - loop->flushed_ns >= loop->flush_every_ns) {
		loop->flushed_ns = now;
		if (loop->flush_every_ns < FLUSH_NS)
			loop->flush_every_ns *= 2;
		return recording_flush(loop->rec);
	}
	return recording_status(loop->rec);
}

int loop_rest_ms(struct loop *loop)
{
	const uint64_t now = loop->sys->now();
	int ms;

	if (loop->adapted)
		loop->due_ns = now + (uint64_t)rounds_next_ms(&loop->rounds,
							      &loop->stagger, now) *
					     1000000;
	ms = rest_until(loop->due_ns, now, ROUNDS_MS);
	if (!loop->stopped)
		ms = rest_until(loop->stop_ns, now, ms);
	if (loop->rec->sleepers && !loop->stopped &&
	    sleepers_rest_ms(loop->rec->sleepers) < ms)
		ms = sleepers_rest_ms(loop->rec->sleepers);
	if (loop->regions && !loop->regions->over && ms > REGIONS_MS)
		ms = REGIONS_MS;
	ms = control_rest_ms(&loop->control, now, ms);
	return turns_rest_ms(&loop->turns, now, ms);
}

/*
 * A ring whose first task is gone reports only a hang-up, for ever: from then on it is
 * read by time, and more often.
 */
static bool forget_hung_up(struct pollfd *fds, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!(fds[i].revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		fds[i].fd = -1;
		any = true;
	}
	return any;
}

/* Notes whether the ended program's processes run on; reports it the first time. */
static void look_for_daemons(struct loop *loop)
{
	const uint64_t now = loop->sys->now();
	pid_vec pids = { 0 };

	find_daemons(loop, &pids);
	if (pids.len || !loop->daemons_ran_ns)
		loop->daemons_ran_ns = now;
	if (pids.len && !loop->daemons_told) {
		struct strbuf text = { 0 };

		choose_list(loop->sys->root, &pids, &text);
		diag_note("the program has ended; still running: %s; end the recording "
			  "with Ctrl-C",
			  strbuf_str(&text));
		strbuf_release(&text);
	}
	loop->daemons_told |= pids.len > 0;
	vec_release(&pids);
}

/* A child must end, since its status becomes ours. */
static bool over(const struct loop *loop)
{
	if (!target_has_ended(loop->target))
		return loop->stopped && !target_is_child(loop->target);
	return loop->stopped || !loop->daemons ||
	       loop->sys->now() - loop->daemons_ran_ns > SETTLE_NS;
}

/* What to poll, COUNT events of CPUs: others that took over, but for those that hung up. */
static void find_rings(const struct loop *loop, struct pollfd *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i].fd >= 0)
			fds[i].fd = evlist_ring_fd(loop->evlist, i);
}

/* What is polled besides the rings: signals, and what programs wake us for. */
enum { FIRST_RING = 2 };

static int watch(struct loop *loop)
{
	const size_t cpus = evlist_rings(loop->evlist).cpus;
	VEC(struct pollfd) fds = { 0 };
	int error = 0;

	*vec_push(&fds) = (struct pollfd){ .fd = loop->signals, .events = POLLIN };
	*vec_push(&fds) = (struct pollfd){
		.fd = loop->regions ? loop->regions->wake : -1,
		.events = POLLIN,
	};
	for (size_t i = 0; i < cpus; i++)
		*vec_push(&fds) = (struct pollfd){
			.fd = evlist_ring_fd(loop->evlist, i),
			.events = POLLIN,
		};
	while (!over(loop)) {
		int ready;

		find_rings(loop, fds.data + FIRST_RING, cpus);
		ready = poll(fds.data, fds.len, loop_rest_ms(loop));
		loop->woken = ready > 0;
		if (ready > 0 &&
		    forget_hung_up(fds.data + FIRST_RING, fds.len - FIRST_RING))
			rounds_shorten(&loop->rounds);
		if (fds.data[0].revents)
			take_signals(loop);
		if (fds.data[1].revents)
			control_take(&loop->control, loop->merge.until_ns);
		target_poll(loop->target); /* no signal reports the end of a non-child */
		if (!error)
			error = loop_round(loop);
		if (loop->daemons && target_has_ended(loop->target))
			look_for_daemons(loop);
		if (loop->turns.look)
			loop->turns.look(loop->turns.ctx);
		priority_adapt(&loop->priority, loop->sys->now());
		if (error)
			stop_early(loop, loop->sys->now());
	}
	vec_release(&fds);
	return error;
}

/* Does not use stop(), which may allocate to note the end of random periods. */
void loop_outlive(struct loop *loop)
{
	struct pollfd fd = { .fd = loop->signals, .events = POLLIN };

	if (!loop->stopped)
		evlist_stop(loop->evlist);
	loop->stopped = loop->control.ended = true;
	while (!over(loop)) {
		poll(&fd, 1, ROUNDS_MS);
		if (loop->signals >= 0)
			take_signals(loop);
		target_poll(loop->target);
	}
}

void loop_begin(struct loop *loop)
{
	const struct evlist_rings rings = evlist_rings(loop->evlist);

	control_init(&loop->control, &(struct control_setup){
					     .evlist = loop->evlist,
					     .rec = loop->rec,
					     .sockets = loop->sockets,
					     .regions = loop->regions,
					     .paused = loop->paused,
					     .points = loop->points,
				     });
	control_begin(&loop->control, loop->rec->start_ns);
	if (loop->regions) {
		loop->rec->before_exec = leave_program;
		loop->rec->before_exec_ctx = loop->regions;
	}
	loop->flushed_ns = loop->sys->now();
	loop->flush_every_ns = FLUSH_FIRST_NS;
	loop->adapted = true;
	copies_init(&loop->copies, loop->evlist, loop->rec);
	fp_trial_init(&loop->fp_trial, loop->evlist, loop->rec);
	rounds_init(&loop->rounds, loop->rec);
	loop->ring_growth = (struct ring_growth){ loop->evlist, loop->rec, false };
	merge_init(&loop->merge, rings.format, rings.first, rings.count);
	loop->merge.losses_first = loop->rec->waiting != NULL;
	loop->merge.hidden = note_hidden;
	loop->merge.hidden_ctx = loop;
	readers_init(&loop->readers, loop->rec, &loop->merge, loop->readers_wanted,
		     sys_cpus_online(loop->sys));
	stagger_init(&loop->stagger, loop->evlist, loop->rec);
	switch_stacks_init(&loop->switch_stacks, loop->evlist, loop->rec);
}

/*
 * A program's account at its end has what /proc no longer shows: but for switches, which
 * there are those of threads that lived.
 */
static void end_control(struct loop *loop)
{
	const struct target *target = loop->target;
	const struct target_usage *usage = &target->usage;
	const struct usage last = {
		.known = EXP_KNOWN_TIMES,
		.user_ns = target->user_ns,
		.system_ns = target->system_ns,
		.minor_faults = usage->minor_faults,
		.major_faults = usage->major_faults,
	};
	const bool whole = target_is_child(target) && target->ended &&
			   usage->of == USAGE_OF_WAITED;

	control_end(&loop->control, loop->ended_ns, whole ? &last : NULL);
}

void loop_end(struct loop *loop, bool rest)
{
	control_take(&loop->control, loop->merge.until_ns);
	if (loop->stopped) /* the program went on */
		loop->ended_ns = loop->sys->now();
	else
		stop(loop);
	end_control(loop);
	if (rest && loop->rec->sleepers)
		sleepers_take(loop->rec->sleepers);
	if (rest)
		take_rest(loop);
	if (rest && loop->rec->sleepers)
		sleepers_look(loop->rec->sleepers, loop->sys->now(), UINT64_MAX);
	command_lines_read(&loop->rec->command_lines, loop->sys->now);
	command_lines_settle_all(&loop->rec->command_lines);
	stagger_release(&loop->stagger);
	switch_stacks_release(&loop->switch_stacks);
	readers_release(&loop->readers);
	merge_release(&loop->merge);
}

int loop_run(struct loop *loop)
{
	sigset_t set;
	int error;

	taken_signals(loop->pause_signal, loop->point_signal, &set);
	loop->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (loop->signals < 0) {
		error = -errno;
		loop->ended_ns = loop->sys->now();
		return error;
	}
	loop_begin(loop);
	error = watch(loop);
	loop_end(loop, !error);
	priority_restore(&loop->priority, loop->sys->now());
	close(loop->signals);
	loop->signals = -1;
	return error;
}
