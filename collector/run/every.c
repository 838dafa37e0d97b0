/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect --every: one recording after the other.  The events stay open, and what is known of
 * the machine stays known.  A copy of this process finishes the old experiment, which takes
 * as long as the symbols of its files do, while this one goes on taking samples.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/program.h"
#include "base/xalloc.h"
#include "loop/loop.h"
#include "run/session_state.h"
#include "finish/figures.h"
#include "process/proc_times.h"

enum {
	NAMES_TRIED = 86400, /* seconds: something else has that name already */
	LOG_ROOM = 64 << 10,
	NICE = 10, /* of a process that finishes */
	SETTLE_MS = 100,
};

#define SECOND_NS 1000000000u

/* The time of day at AT_NS of CLOCK_MONOTONIC. */
static int64_t time_of_day(const struct session *s, uint64_t at_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec -
	       (int64_t)((s->sys->now() - at_ns + SECOND_NS - 1 - (uint64_t)now.tv_nsec) /
			 SECOND_NS);
}

int session_create(struct session *s, struct exp_dir *dir, int64_t time)
{
	struct exp_place place = {
		.directory = s->opt->directory,
		.name = s->ranked ? s->ranked : s->opt->experiment,
		.overwrite = s->opt->overwrite,
		.mode = exp_dir_mode(s->opt->system),
		.folder = s->series.folder >= 0 ? &s->series.folder : NULL,
	};
	int error = -EEXIST;

	if (!s->opt->every_ns)
		return exp_dir_create(dir, &place, &s->err);
	for (int64_t later = 0; error == -EEXIST && later < NAMES_TRIED; later++) {
		char *name = series_path(&s->series, time + later);

		strbuf_clear(&s->err);
		place.name = name;
		error = exp_dir_create(dir, &place, &s->err);
		free(name);
	}
	if (!error)
		series_hold(dir->fd);
	return error;
}

/* ---- the old experiment ---- */

/* Threads of the original are not here; a new one starts where one is needed. */
static _Noreturn void finish_apart(struct session *s, uint64_t at_ns)
{
	const uint64_t given_up = s->rec.modules.patient.given_up;

	/* Ctrl-C ends the series, and lets this process and its helpers finish */
	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	out_of_memory_release(&s->out_of_memory);
	setpriority(PRIO_PROCESS, 0, NICE);
	evlist_leave_rings(&s->evlist);
	s->rec.modules.patient = (struct patient){ .given_up = given_up };
	s->ended_ns = at_ns;
	_exit(session_finish(s, 0, false) ? 1 : 0);
}

/* ---- the new one ---- */

struct next {
	struct exp_dir dir;
	struct exp_writer *writer;
};

static int open_next(struct session *s, struct next *n, uint64_t at_ns)
{
	int error = session_create(s, &n->dir, time_of_day(s, at_ns));

	if (error)
		return error;
	error = exp_writer_open_at(n->dir.fd, &n->writer);
	if (error)
		strbuf_addf(&s->err, "cannot write to %s: %s", n->dir.path,
			    strerror(-error));
	return error;
}

static void drop_next(struct next *n)
{
	int error = exp_writer_close(n->writer);

	(void)error; /* it is empty */
	exp_dir_release(&n->dir);
}

static void log_start(struct session *s, uint64_t at_ns)
{
	time_t time = time_of_day(s, at_ns);
	char text[32];
	struct tm tm;
	int error;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &tm));
	free(s->log.started);
	s->log.started = xstrdup(text);
	s->log.started_ns = at_ns;
	error = exp_log_write_at(&s->log, s->dir.fd);
	if (error)
		diag_warn("cannot write to %s: %s", s->path, strerror(-error));
}

/* The times of processes and groups count from here. */
static void begin_accounts(struct session *s)
{
	if (s->target.attached.processes.len)
		attached_begin(&s->target.attached, s->sys->root);
	if (s->target.group.path)
		target_group_begin(&s->target.group);
	s->stolen_ns = proc_times_stolen(s->sys->root);
}

static void go_on(struct session *s, struct next *n, uint64_t at_ns)
{
	struct loop *loop = s->out_of_memory.loop;
	int error = exp_writer_close(s->writer);

	(void)error; /* all was flushed before */
	out_of_memory_release(&s->out_of_memory);
	reserve_release(&s->reserve);
	exp_dir_release(&s->dir);
	free(s->path);
	s->dir = n->dir;
	s->writer = n->writer;
	s->path = xstrdup(s->dir.path);
	exp_dir_commit(&s->dir);
	reserve_take(&s->reserve, s->dir.fd, LOG_ROOM);
	recording_turn(&s->rec, s->writer, at_ns, evlist_lost(&s->evlist));
	begin_accounts(s);
	log_start(s, at_ns);
	series_begin(&s->series, s->path);
	out_of_memory_prepare(&s->out_of_memory, loop, &s->log, &s->dir);
}

/* It goes on as it is. */
static bool stay(struct session *s, const char *why)
{
	diag_warn("%s goes on: %s", s->path, why);
	return false;
}

/* What is recorded is on the disk, and the copy begins here.  -1 with a reason. */
static pid_t fork_copy(struct session *s)
{
	int error = recording_flush(&s->rec);
	pid_t pid;

	if (error) {
		strbuf_addf(&s->err, "cannot write to it: %s", strerror(-error));
		return -1;
	}
	pid = fork();
	if (pid < 0)
		strbuf_addf(&s->err, "no process can be started to finish it: %s",
			    strerror(errno));
	return pid;
}

static bool turn(void *ctx, uint64_t at_ns)
{
	struct session *s = ctx;
	struct next n = { .dir = EXP_DIR_NONE };
	const uint64_t own_ns = summary_own_ns();
	pid_t pid;

	if (series_is_behind(&s->series))
		return stay(s, "those before are not finished yet");
	strbuf_clear(&s->err);
	if (open_next(s, &n, at_ns)) {
		drop_next(&n);
		return stay(s, strbuf_str(&s->err));
	}
	recording_settle(&s->rec, at_ns);
	pid = fork_copy(s);
	if (pid < 0) {
		drop_next(&n);
		return stay(s, strbuf_str(&s->err));
	}
	if (!pid) {
		s->own_ns -= own_ns;
		finish_apart(s, at_ns);
	}
	s->own_ns = own_ns;
	series_finish(&s->series, pid);
	go_on(s, &n, at_ns);
	return true;
}

static void look(void *ctx)
{
	struct session *s = ctx;

	series_look(&s->series, s->sys->now(), recording_bytes(&s->rec));
}

void session_begin_turns(struct session *s, struct loop *loop, const sigset_t *mask)
{
	const struct options *opt = s->opt;

	s->series.hook = opt->hook;
	s->series.limit_ns = opt->every_ns;
	s->series.keep = opt->keep;
	s->series.keep_bytes = opt->keep_bytes;
	s->series.mask = mask;
	series_open(&s->series, s->dir.parent);
	series_begin(&s->series, s->path);
	loop->turns = (struct turns){
		.every_ns = opt->every_ns,
		.next_ns = s->rec.start_ns + opt->every_ns,
		.turn = turn,
		.look = look,
		.ctx = s,
	};
}

/* One more signal that ends the recording ends this waiting. */
void session_end_turns(struct session *s)
{
	const struct timespec rest = { .tv_nsec = SETTLE_MS * 1000000L };
	sigset_t ends, children;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGQUIT);
	sigaddset(&ends, SIGHUP);
	children = ends;
	sigaddset(&children, SIGCHLD);
	series_finish(&s->series, 0);
	for (;;) {
		int sig;

		series_look(&s->series, s->sys->now(), 0);
		if (!series_is_busy(&s->series))
			return;
		sig = sigtimedwait(&children, NULL, &rest);
		if (sig > 0 && sigismember(&ends, sig))
			break;
	}
	series_leave(&s->series);
}
