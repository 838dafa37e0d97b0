/* SPDX-License-Identifier: Apache-2.0 */
#include "run/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recording/attach.h"
#include "base/diag.h"
#include "loop/loop.h"
#include "run/report.h"
#include "plan/machine.h"
#include "plan/event_scope.h"
#include "plan/preamble.h"
#include "plan/rank.h"
#include "run/session_state.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "output/note.h"
#include "base/exit_status.h"
#include "region/channel_folder.h"
#include "process/proc_times.h"

/* For the log, some kilobytes, which says why the rest is missing. */
enum { LOG_ROOM = 64 << 10 };

static int failed(struct session *s, int status)
{
	diag_error("%s", strbuf_str(&s->err));
	return status;
}

/* ---- before anything is created ---- */

/* Finds the program's file, the group, or the processes to attach to. */
static int find_target(struct session *s, char **program)
{
	if (s->opt->cgroup)
		return session_find_group(s);
	return s->opt->target[0] ? target_find(s->opt->target[0], program, &s->err)
				 : session_attach(s);
}

static int check_scope(struct session *s)
{
	if (!s->opt->system || evlist_may_see_all(s->sys, &s->plan.ladder))
		return 0;
	strbuf_addstr(&s->err, "-a is not allowed: it requires root, CAP_PERFMON, or: "
			       "sudo sysctl kernel.perf_event_paranoid=0");
	return PLAN_NOT_HERE;
}

static int prepare(struct session *s, char **program)
{
	int status = find_target(s, program);
	int error;

	if (status)
		return failed(s, status);
	machine_describe(&s->log, s->sys->root);
	error = plan_make(&s->plan, s->opt, s->sys, s->log.hz, &s->err);
	if (!error)
		error = check_scope(s);
	if (!error && s->opt->cgroup)
		error = session_attach_group(s);
	if (!error && sockets_open(&s->sockets, s->sys, &s->plan.sockets,
				   (uint32_t)s->plan.ladder.rungs.len, &s->err))
		error = PLAN_NOT_HERE;
	if (error)
		return failed(s, error == PLAN_NOT_UNDERSTOOD ? EXIT_USAGE : EXIT_FAILED);
	return 0;
}

/* ---- the recording ---- */

static void cannot(struct session *s, const char *what, const char *path, int error)
{
	strbuf_clear(&s->err);
	strbuf_addf(&s->err, "cannot %s%s: %s%s", what, path, strerror(-error),
		    error == -EMFILE ? "; allow more with: ulimit -n 1024" : "");
}

static int create(struct session *s)
{
	int error = session_create(s, &s->dir, time(NULL));

	if (error)
		return error;
	s->path = xstrdup(s->dir.path);
	reserve_take(&s->reserve, s->dir.fd, LOG_ROOM);
	error = exp_writer_open_at(s->dir.fd, &s->writer);
	if (!error)
		error = exp_log_write_at(&s->log, s->dir.fd);
	if (error)
		cannot(s, "write to ", s->path, error);
	return error;
}

/* Whether the target, which is PROGRAM or runs already, is a Go program. */
static bool is_go(const struct session *s, const char *program)
{
	enum { LOOKED_AT = 64 }; /* workers mostly are the same program */
	const struct attached *a = &s->target.attached;
	struct patient patient = { 0 };
	bool is = program && module_file_is_go(program);

	for (size_t i = 0; i < a->processes.len && i < LOOKED_AT && !is; i++)
		is = module_process_is_go(&patient, s->sys->root,
					  (pid_t)a->processes.data[i].pid);
	patient_release(&patient);
	return is;
}

static struct event_scope scope_of(struct session *s)
{
	return (struct event_scope){
		.sys = s->sys,
		.opt = s->opt,
		.ladder = &s->plan.ladder,
		.target = &s->target,
		.cpus = s->log.cpus,
		.waking = s->plan.wakes ? &s->plan.waking : NULL,
		.waking_event = (uint32_t)s->log.events.len,
	};
}

/* Where programs say what they work on; their environment names it. */
static int open_channel(struct session *s)
{
	const struct channel_terms terms = {
		.ticks = tick_clock_is_here(s->sys->root),
		.domains = s->opt->domains,
		.from = s->opt->from,
		.to = s->opt->to,
	};
	int error = channel_folder_make(&s->channel, &s->err);

	if (!error) {
		s->wake = channel_folder_wake(&s->channel, &s->err);
		error = s->wake < 0 ? s->wake : 0;
	}
	return error ? error : channel_folder_announce(&s->channel, &terms, &s->err);
}

static int fork_target(struct session *s, const char *program, const sigset_t *mask)
{
	struct event_scope scope = scope_of(s);
	struct target_birth birth = { .mask = mask };
	int error;

	error = s->opt->regions ? open_channel(s) : 0;
	if (error)
		return error;
	event_scope_make_group(&scope, &s->cgroup);
	birth.cgroup = s->cgroup.fd;
	error = target_fork(&s->target, program, s->opt->target, &birth);
	if (s->opt->regions)
		channel_folder_withdraw();
	if (error)
		cannot(s, "start a process", "", error);
	return error;
}

static int open_events(struct session *s, const char *program)
{
	struct event_scope scope = scope_of(s);
	int error;

	scope.chains = s->opt->mode == STACK_CFI && is_go(s, program);
	error = event_scope_open(&scope, &s->cgroup, &s->evlist, &s->err);
	s->log.scope = xstrdup(evlist_scope_names[s->evlist.scope]);
	return error;
}

static int start_recording(struct session *s)
{
	struct recording_setup setup = {
		.writer = s->writer,
		.format = s->evlist.format,
		.mode = s->opt->mode,
		.everyone = s->evlist.scope != SCOPE_CPU || s->opt->system,
		.root = s->sys->root,
		.start_ns = s->sys->now(),
		.from_ns = s->opt->from_ns,
		.to_ns = s->opt->to_ns,
		.alone = !s->opt->follow && s->target.pid,
		.unborn_pid = target_is_child(&s->target) ? (uint32_t)s->target.pid : 0,
		.untraceable = s->untraceable,
		.groups = s->evlist.format.sample_type & PERF_SAMPLE_CGROUP,
		.meet = s->target.group.path ? attach_process : NULL,
		.no_splice = !s->opt->splice,
		.holes = &s->holes,
		.beyond_shared = s->opt->splice ? &s->beyond_shared : NULL,
		.made = &s->made,
	};
	int error;

	recording_init(&s->rec, &setup);
	s->recording = true;
	s->stolen_ns = proc_times_stolen(s->sys->root);
	s->log.started_ns = setup.start_ns;
	s->log.pid = s->target.pid;
	recording_expect(&s->rec, (uint32_t)s->log.events.len);
	if (s->opt->waits)
		session_record_waits(s);
	if (s->opt->regions) {
		regions_init(&s->regions, &s->channel, s->wake, &s->rec.in, &s->rec.tasks,
			     setup.start_ns, tick_clock_is_here(s->sys->root));
		s->regions.alone = setup.alone;
	}
	error = evlist_register(&s->evlist, &s->rec.sources);
	if (!error)
		error = exp_log_write_at(&s->log, s->dir.fd);
	if (error)
		cannot(s, "start the recording", "", error);
	return error;
}

/* The log of a recording that is killed, or runs out of memory, says from when times count. */
static int log_start(struct session *s, struct loop *loop)
{
	int error = exp_log_write_at(&s->log, s->dir.fd);

	out_of_memory_release(&s->out_of_memory);
	out_of_memory_prepare(&s->out_of_memory, loop, &s->log, &s->dir);
	return error;
}

/* Whether the processes that the user named are gone already. */
static bool is_too_late(struct session *s)
{
	struct attached *a = &s->target.attached;

	attached_poll(a, false);
	if (!s->opt->processes.len || !attached_have_ended(a))
		return false;
	strbuf_clear(&s->err);
	strbuf_addstr(&s->err,
		      "the processes ended before the recording began; to record "
		      "such short ones, record what starts them, or use -a");
	return true;
}

/* 0, or the exit status; then the error is told in s->err. */
static int go(struct session *s, struct loop *loop)
{
	int error = session_prepare(s);

	if (!error && is_too_late(s))
		return EXIT_FAILED;
	/* first: what is recorded of other programs fills the rings at once */
	priority_raise(&loop->priority, s->sys->now());
	if (!error)
		error = session_start(s);
	if (!error)
		error = log_start(s, loop);
	if (error) {
		cannot(s, "start counting", "", error);
		return EXIT_FAILED;
	}
	points_begin(&loop->points, &s->rec.tasks);
	if (target_is_child(&s->target))
		error = target_go(&s->target);
	if (!error)
		return 0;
	/* the file is there: it was looked for before */
	strbuf_clear(&s->err);
	strbuf_addf(&s->err, "%s cannot be executed: %s", s->opt->target[0],
		    error == -ENOENT ? "the interpreter that its first line, or its "
				       "header, names does not exist"
				     : strerror(-error));
	return EXIT_NO_EXEC;
}

static void tell_plan(const struct session *s)
{
	struct strbuf text = { 0 };

	plan_text(&s->plan, s->opt, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

static void tell_how_to_end(const struct session *s)
{
	size_t processes = s->target.attached.processes.len;

	if (s->opt->to_ns == UINT64_MAX)
		diag_note("recording the %s; end it with Ctrl-C",
			  s->target.group.path ? "control group"
			  : processes > 1      ? "processes"
			  : processes          ? "process"
					       : "machine");
}

static void tell_of_guard(struct session *s, const char *program)
{
	struct strbuf text = { 0 };

	if (!program || s->evlist.scope != SCOPE_TASK || !target_is_untraceable(program))
		return;
	strbuf_addf(&text,
		    "%s has rights of its own (setuid, setgid), or is unreadable: the "
		    "kernel ends our events when it starts; record it as root",
		    program);
	log_note(&s->log, "warning", strbuf_str(&text));
	strbuf_release(&text);
	s->untraceable = true;
}

static void tell_of_32_bit(struct session *s, const char *program)
{
	struct strbuf text = { 0 };

	if (!s->opt->regions || !program || !target_is_32_bit(program))
		return;
	strbuf_addf(&text,
		    "--regions on: %s is a 32-bit program, which names no regions: the "
		    "library that takes them has 64 bits",
		    program);
	log_note(&s->log, "warning", strbuf_str(&text));
	strbuf_release(&text);
}

static void note_priority(struct session *s, uint64_t lowered_ns)
{
	struct strbuf text = { 0 };

	s->log.lowered_ns = lowered_ns;
	if (!lowered_ns)
		return;
	strbuf_addf(&text,
		    "the program caused so many records that collect gave up its "
		    "real-time priority for %.3f s, to leave the CPUs to others",
		    (double)lowered_ns * 1e-9);
	log_note(&s->log, "note", strbuf_str(&text));
	strbuf_release(&text);
}

/* From the plan to a program that runs.  0 or the exit status, which was reported. */
static int begin(struct session *s, struct loop *loop, const char *program,
		 const sigset_t *mask)
{
	int error = create(s), status;

	if (error)
		return failed(s, EXIT_FAILED);
	preamble_plan(&s->log, &s->plan, &s->sockets, s->opt->waits);
	if (s->opt->verbose)
		tell_plan(s);
	if (program)
		error = fork_target(s, program, mask);
	if (!error)
		error = open_events(s, program);
	if (!error) {
		tell_of_guard(s, program);
		tell_of_32_bit(s, program);
	}
	if (!error)
		error = start_recording(s);
	if (error)
		return failed(s, EXIT_FAILED);
	out_of_memory_prepare(&s->out_of_memory, loop, &s->log, &s->dir);
	status = go(s, loop);
	if (!status)
		return 0;
	out_of_memory_release(&s->out_of_memory);
	return failed(s, status);
}

static void tell_readers(const struct readers *r)
{
	const struct ahead_stats did = readers_stats(r);

	if (did.readers && did.readers < r->most)
		diag_note("the system let only %zu of %zu threads that look up stacks "
			  "begin",
			  did.readers, r->most);
	if (did.looked_at)
		diag_note("%zu threads looked up the stacks of %" PRIu64
			  " samples together, and found %" PRIu64
			  "; one looked up the others",
			  did.readers, did.looked_at, did.found);
	else if (did.readers)
		diag_note("of %zu threads that look up stacks one looked up all, as few "
			  "samples came at once",
			  did.readers);
}

static int record(struct session *s, const char *program, const sigset_t *mask)
{
	struct loop loop = {
		.sys = s->sys,
		.evlist = &s->evlist,
		.rec = &s->rec,
		.sockets = &s->sockets,
		.regions = s->opt->regions ? &s->regions : NULL,
		.target = &s->target,
		.cgroup = &s->cgroup,
		.signals = -1,
		.stop_ns = UINT64_MAX,
		.bytes_max = s->opt->bytes_max,
		.paused = s->opt->paused,
		.points = { .root = s->sys->root,
			    .wanted = s->opt->points,
			    .every_ns = s->opt->points_ns,
			    .everyone = s->opt->system },
		.pause_signal = s->opt->pause_signal,
		.point_signal = s->opt->point_signal,
		.daemons = s->opt->daemons,
		.system = s->opt->system,
		.readers_wanted = s->opt->readers,
	};
	int status = begin(s, &loop, program, mask), error;

	if (status)
		return status;
	s->regions.events.start_ns = s->rec.start_ns;
	if (s->opt->to_ns != UINT64_MAX)
		loop.stop_ns = s->rec.start_ns + s->opt->to_ns;
	exp_dir_commit(&s->dir);
	s->named = true;
	if (s->opt->every_ns)
		session_begin_turns(s, &loop, mask);
	session_tell_processes(s);
	if (!program)
		tell_how_to_end(s);
	error = loop_run(&loop);
	s->was_paused = loop.control.was_paused;
	s->at_stop = loop.at_stop;
	s->points = loop.control.points.count;
	s->ended_ns = loop.ended_ns;
	s->in_parts = control_write_spans(&loop.control, s->ended_ns);
	if (loop.limited)
		log_note(&s->log, "warning",
			 "the recording stopped at the limit of -L; it has nothing of "
			 "the program after that");
	note_priority(s, loop.priority.lowered_ns);
	if (s->opt->verbose)
		tell_readers(&loop.readers);
	error = session_finish(s, error, loop.limited);
	out_of_memory_release(&s->out_of_memory);
	if (s->opt->every_ns)
		session_end_turns(s);
	status = target_exit_status(&s->target);
	return status || !error ? status : EXIT_FAILED;
}

static void session_release(struct session *s)
{
	int error;

	target_release(&s->target);
	cgroup_release(&s->cgroup);
	if (s->recording)
		recording_release(&s->rec);
	sleepers_release(&s->sleepers);
	wakers_release(&s->wakers);
	waiting_release(&s->waiting);
	regions_release(&s->regions);
	channel_folder_remove(&s->channel);
	if (s->wake >= 0)
		close(s->wake);
	stack_holes_release(&s->holes);
	beyond_shared_release(&s->beyond_shared);
	made_code_release(&s->made);
	evlist_release(&s->evlist);
	sockets_release(&s->sockets);
	error = exp_writer_close(s->writer);
	(void)error; /* all was flushed before, and told */
	reserve_release(&s->reserve);
	exp_dir_release(&s->dir);
	series_release(&s->series);
	plan_release(&s->plan);
	exp_log_release(&s->log);
	strbuf_release(&s->err);
	free(s->path);
	free(s->ranked);
}

static void describe(struct session *s)
{
	if (s->opt->every_ns)
		s->log.series = xstrdup(s->series.name);
	preamble_start(&s->log, s->opt);
	if (s->target.attached.processes.len)
		attach_command(s->sys->root, s->target.pid, &s->log);
}

static void add_target(const struct session *s, struct strbuf *out)
{
	const struct attached *a = &s->target.attached;

	if (a->processes.len > 1) {
		strbuf_addf(out, "would record %zu processes: ", a->living);
		session_list_processes(s, out);
		return;
	}
	if (s->opt->target[0])
		strbuf_addstr(out, "would run:");
	else if (s->target.pid)
		strbuf_addf(out, "would record process %d:", (int)s->target.pid);
	else if (s->target.group.path)
		strbuf_addstr(out, "would record the control group ");
	else
		strbuf_addstr(out, "would record the whole machine");
	if (s->target.group.path)
		utf8_printable(out, s->target.group.path);
	vec_for_each(char *const, word, &s->log.command) {
		strbuf_addch(out, ' ');
		utf8_printable(out, *word);
	}
}

static int dry_run(struct session *s)
{
	struct strbuf text = { 0 };

	describe(s);
	add_target(s, &text);
	strbuf_addch(&text, '\n');
	plan_text(&s->plan, s->opt, &text);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	return fflush(stdout) == EOF ? EXIT_FAILED : 0;
}

int session_run(const struct options *opt, const struct sys *sys)
{
	struct session s = {
		.opt = opt,
		.sys = sys,
		.dir = EXP_DIR_NONE,
		.reserve = RESERVE_NONE,
		.target = TARGET_NONE,
		.cgroup = CGROUP_NONE,
		.series = SERIES_NONE,
		.channel = FOLDER_NONE,
		.wake = -1,
	};
	char *program = NULL, *er_print = NULL, *experiment = NULL;
	sigset_t mask;
	int status;

	if (opt->experiment)
		s.ranked = rank_experiment(opt->experiment);
	if (opt->every_ns)
		series_name(&s.series, s.ranked ? s.ranked : opt->experiment);
	status = prepare(&s, &program);
	beyond_shared_init(&s.beyond_shared, sys);
	made_code_init(&s.made, sys);
	stack_holes_init(&s.holes, sys->root, (size_t)sysconf(_SC_PAGESIZE));
	if (status)
		goto out;
	if (opt->report && (status = report_prepare(opt->report, &er_print, &s.err))) {
		failed(&s, status);
		goto out;
	}
	if (opt->dry_run) {
		status = dry_run(&s);
		goto out;
	}
	describe(&s);
	status = loop_block_signals(opt->pause_signal, opt->point_signal, &mask)
			 ? EXIT_FAILED
			 : record(&s, program, &mask);
	if (s.named)
		experiment = xstrdup(s.path);
out:
	session_release(&s);
	if (er_print && experiment &&
	    report_write(er_print, opt->report, experiment, &mask) && !status)
		status = EXIT_FAILED;
	free(experiment);
	free(er_print);
	free(program);
	return status;
}
