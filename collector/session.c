/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "closing.h"
#include "config.h"
#include "diag.h"
#include "evlist.h"
#include "exp_dir.h"
#include "exp_log.h"
#include "exp_write.h"
#include "loop.h"
#include "machine.h"
#include "naming.h"
#include "plan.h"
#include "recording.h"
#include "target.h"
#include "xalloc.h"

/* All that one recording holds; each part is released whether or not it was set up. */
struct session {
	const struct options *opt;
	const struct sys *sys;
	struct exp_log log;
	struct plan plan;
	struct exp_dir dir;
	char *path; /* of the experiment */
	struct exp_writer *writer;
	struct target target;
	struct evlist evlist;
	struct recording rec;
	bool recording; /* rec was set up */
	struct strbuf err;
};

static int failed(struct session *s, int status)
{
	diag_error("%s", strbuf_str(&s->err));
	return status;
}

/* ---- before anything is created ---- */

static char *utc_now(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return xstrdup(text);
}

static void log_rung(struct exp_log *log, const struct rung *rung)
{
	const struct event *e = &rung->event;

	*vec_push(&log->events) = (struct exp_event){
		.asked = xstrdup(e->asked),
		.got = xstrdup(e->raw),
		.reason = xstrdup(rung->reason ? rung->reason : ""),
		.metric = xstrdup(e->name),
		.label = xstrdup(e->label),
		.unit = xstrdup(event_unit_name(e->unit)),
		.period = e->freq ? 0 : e->period,
		.scale = 1,
	};
}

/* Tells what is not as one may expect; -n tells it in its own way. */
static void log_plan(struct session *s)
{
	struct strbuf text = { 0 };

	vec_for_each(const struct rung, rung, &s->plan.ladder.rungs) {
		log_rung(&s->log, rung);
		if (!rung->reason)
			continue;
		strbuf_clear(&text);
		strbuf_addf(&text, "sampling CPU time instead of %s: %s", rung->event.asked,
			    rung->reason);
		closing_note(&s->log, "warning", strbuf_str(&text));
	}
	if (s->plan.by_default && s->plan.ladder.rungs.data[0].event.clock) {
		strbuf_clear(&text);
		strbuf_addstr(&text, "sampling CPU time: ");
		ladder_probe_counters(s->sys, &text);
		closing_note(&s->log, "note", strbuf_str(&text));
	}
	if (s->plan.ladder.kernel_note)
		closing_note(&s->log, "note", s->plan.ladder.kernel_note);
	strbuf_release(&text);
}

static void log_start(struct session *s)
{
	struct exp_log *log = &s->log;

	log->version = xstrdup(PACKAGE_VERSION);
	log->cwd = getcwd(NULL, 0);
	log->comment = xstrdup(s->opt->comment ? s->opt->comment : "");
	log->stack = xstrdup(stack_mode_names[s->opt->mode]);
	log->started = utc_now();
	for (char **arg = s->opt->target; *arg; arg++)
		*vec_push(&log->command) = xstrdup(*arg);
}

static int prepare(struct session *s, char **program)
{
	int status = target_find(s->opt->target[0], program, &s->err);
	int error;

	if (status)
		return failed(s, status);
	machine_describe(&s->log, s->sys->root);
	error = plan_make(&s->plan, s->opt, s->sys, s->log.hz, &s->err);
	if (error)
		return failed(s, error == -EINVAL || error == -ENOENT ? EXIT_USAGE
								      : EXIT_FAILED);
	return 0;
}

/* ---- the recording ---- */

static int create(struct session *s)
{
	int error = exp_dir_create(&s->dir, s->opt->directory, s->opt->experiment,
				   s->opt->overwrite, &s->err);

	if (error)
		return error;
	s->path = xstrdup(s->dir.path);
	error = exp_writer_open(s->path, &s->writer);
	if (!error)
		error = exp_log_write(&s->log, s->path);
	if (error)
		strbuf_addf(&s->err, "cannot write to %s: %s", s->path, strerror(-error));
	return error;
}

/*
 * Tied to CPUs the period goes on across processes, and nothing is added to the cost of
 * starting one.  A target that starts none is better off with counters of its own.
 */
static enum evlist_scope choose_scope(const struct session *s)
{
	return s->opt->follow && evlist_may_see_all(s->sys, &s->plan.ladder) ? SCOPE_CPU
									     : SCOPE_TASK;
}

static int attach(struct session *s)
{
	struct evlist_setup setup = {
		.sys = s->sys,
		.ladder = &s->plan.ladder,
		.mode = s->opt->mode,
		.stack_bytes = s->opt->stack_bytes,
		.follow = s->opt->follow,
		.scope = choose_scope(s),
		.pid = s->target.pid,
	};

	s->log.scope = xstrdup(evlist_scope_names[setup.scope]);
	return evlist_open(&s->evlist, &setup, &s->err);
}

static int start_recording(struct session *s)
{
	struct recording_setup setup = {
		.writer = s->writer,
		.format = s->evlist.format,
		.mode = s->opt->mode,
		.everyone = s->evlist.scope == SCOPE_TASK,
		.root = s->sys->root,
		.start_ns = s->sys->now(),
	};
	int error;

	recording_init(&s->rec, &setup);
	s->recording = true;
	s->rec.from_ns = s->opt->from_ns;
	s->rec.to_ns = s->opt->to_ns;
	s->rec.only_pid = s->opt->follow ? 0 : (uint32_t)s->target.pid;
	s->rec.stack.splice = s->opt->splice;
	s->log.started_ns = setup.start_ns;
	s->log.pid = s->target.pid;
	tasks_thread(&s->rec.tasks, (uint32_t)s->target.pid, (uint32_t)s->target.pid);
	error = evlist_register(&s->evlist, &s->rec);
	if (!error)
		error = exp_log_write(&s->log, s->path);
	if (error)
		strbuf_addf(&s->err, "cannot start the recording: %s", strerror(-error));
	return error;
}

static int go(struct session *s)
{
	int error;

	evlist_start(&s->evlist);
	error = target_go(&s->target);

	if (error)
		strbuf_addf(&s->err, "%s cannot be executed: %s", s->opt->target[0],
			    strerror(-error));
	return error;
}

static void settle(struct session *s)
{
	VEC(uint64_t) counted = { 0 };

	for (size_t e = 0; e < s->evlist.events; e++)
		*vec_push(&counted) = evlist_total(&s->evlist, e).value;
	recording_settle(&s->rec, (uint32_t)s->target.pid, counted.data);
	vec_release(&counted);
}

/* Whatever went wrong on the way, what was recorded is kept and closed. */
static int finish(struct session *s, int error)
{
	struct closing closing = {
		.log = &s->log,
		.evlist = &s->evlist,
		.rec = &s->rec,
		.target = &s->target,
		.now = s->sys->now(),
	};
	uint64_t bytes;
	int closed;

	if (!error && s->evlist.scope == SCOPE_TASK)
		settle(s);
	if (!error)
		naming_write(&s->rec.in, &s->rec.modules, &s->rec.kernel);
	closed = exp_writer_flush(s->writer);
	bytes = exp_writer_bytes(s->writer);
	if (!error)
		error = closed;
	if (error) {
		strbuf_addf(&s->err, "cannot write to %s: %s; the recording ends there",
			    s->path, strerror(-error));
		closing_note(&s->log, "error", strbuf_str(&s->err));
	}
	closing_fill(&closing);
	closed = exp_log_write(&s->log, s->path);
	if (closed && !error) {
		strbuf_addf(&s->err, "cannot write to %s: %s", s->path, strerror(-closed));
		error = closed;
		failed(s, EXIT_FAILED);
	}
	closing_line(&closing, s->path, bytes);
	return error;
}

static int record(struct session *s, const char *program, const sigset_t *mask)
{
	struct loop loop = {
		.sys = s->sys,
		.evlist = &s->evlist,
		.rec = &s->rec,
		.target = &s->target,
		.stop_ns = UINT64_MAX,
	};
	int error = create(s);
	int status;

	if (error)
		return failed(s, EXIT_FAILED);
	error = target_fork(&s->target, program, s->opt->target, mask);
	if (error)
		strbuf_addf(&s->err, "cannot start a process: %s", strerror(-error));
	if (!error)
		error = attach(s);
	if (!error)
		error = start_recording(s);
	if (error)
		return failed(s, EXIT_FAILED);
	if (s->opt->to_ns != UINT64_MAX)
		loop.stop_ns = s->rec.start_ns + s->opt->to_ns;
	if (go(s))
		return failed(s, 126);
	exp_dir_commit(&s->dir);
	error = finish(s, loop_run(&loop));
	status = target_exit_status(&s->target);
	return status || !error ? status : EXIT_FAILED;
}

static void session_release(struct session *s)
{
	int error;

	target_release(&s->target);
	if (s->recording)
		recording_release(&s->rec);
	evlist_release(&s->evlist);
	error = exp_writer_close(s->writer);
	(void)error; /* all was flushed before, and told */
	exp_dir_release(&s->dir);
	plan_release(&s->plan);
	exp_log_release(&s->log);
	strbuf_release(&s->err);
	free(s->path);
}

static int dry_run(const struct session *s)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "would run:");
	for (char **arg = s->opt->target; *arg; arg++)
		strbuf_addf(&text, " %s", *arg);
	strbuf_addch(&text, '\n');
	plan_text(&s->plan, s->opt, &text);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	return fflush(stdout) == EOF ? EXIT_FAILED : 0;
}

static void tell_plan(const struct session *s)
{
	struct strbuf text = { 0 };

	plan_text(&s->plan, s->opt, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

int session_run(const struct options *opt, const struct sys *sys)
{
	struct session s = { .opt = opt, .sys = sys, .target = { .gate = -1, .failed = -1 } };
	char *program = NULL;
	sigset_t mask;
	int status = prepare(&s, &program);

	if (status)
		goto out;
	if (opt->dry_run) {
		status = dry_run(&s);
		goto out;
	}
	log_start(&s);
	log_plan(&s);
	if (opt->verbose)
		tell_plan(&s);
	status = loop_block_signals(&mask) ? EXIT_FAILED : record(&s, program, &mask);
out:
	session_release(&s);
	free(program);
	return status;
}
