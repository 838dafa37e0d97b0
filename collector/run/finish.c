/* SPDX-License-Identifier: Apache-2.0 */
#include "run/session_state.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/region_fault.h"
#include "output/archive.h"
#include "finish/accounting.h"
#include "finish/summary.h"
#include "base/diag.h"
#include "base/program.h"
#include "process/symbol_writer.h"
#include "recording/left_out.h"
#include "process/proc_times.h"
#include "process/daemons.h"
#include "target/choose.h"
#include "finish/unsampled.h"
#include "output/note.h"

static void end_without_archive(void *ctx)
{
	const struct session *s = ctx;

	diag_error("out of memory: the archive in %s is incomplete", s->path);
	_exit(target_exit_status(&s->target));
}

/*
 * The recording is complete, so a signal, which until now was for the target, may end us:
 * reading debug information may take long.  Those of a series wait for the series' end.
 */
static void let_signals_end(const struct session *s)
{
	sigset_t ends;

	if (s->opt->every_ns)
		return;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_UNBLOCK, &ends, NULL);
}

static uint64_t keep_archive(struct session *s)
{
	uint64_t missing;

	if (s->opt->archive == ARCHIVE_OFF)
		return 0;
	out_of_memory_release(&s->out_of_memory);
	program_on_oom(end_without_archive, s);
	let_signals_end(s);
	missing = archive_write(&(struct archive){
		.experiment = s->path,
		.dir = s->dir.fd,
		.modules = &s->rec.modules,
		.in = &s->rec.in,
		.log = &s->log,
		.mode = s->opt->archive,
		.limit = ARCHIVE_MAX,
	});
	program_on_oom(NULL, NULL);
	return missing;
}

/*
 * Whether the recording covers what the kernel's accounting does: all of the program, before
 * -t's end.  Only that of a group includes daemons that have ended.
 */
static bool is_whole(const struct session *s)
{
	return target_is_child(&s->target) && !s->opt->system && !s->opt->from_ns &&
	       !s->was_paused && !(s->opt->daemons && s->evlist.scope != SCOPE_CGROUP) &&
	       s->ended_ns - s->rec.start_ns < s->opt->to_ns;
}

/* The kernel reports a loss with the next record that fits: at the end there is none. */
static void finish_waits(struct session *s)
{
	const struct evlist_rings rings = evlist_rings(&s->evlist);

	for (size_t i = 0; i < rings.count; i++)
		if (rings.first[i].page && ring_may_hide_losses(&rings.first[i]) &&
		    !rings.first[i].told)
			recording_hides(&s->rec, evlist_ring_cpu(&s->evlist, i),
					UINT64_MAX);
	waiting_finish(s->rec.waiting);
}

/* What is in the file of the time until the end. */
static uint64_t recorded_ns(const struct session *s)
{
	const uint64_t all = s->ended_ns - s->rec.start_ns,
		       missing = exp_writer_missing_ns(s->writer);

	return spans_length(&s->rec.times, 0, missing < all ? missing : all);
}

/* --from's region has not begun, or not so often. */
static void note_no_begin(struct session *s)
{
	char *name;
	unsigned long number = strtoul(s->opt->from, &name, 10);
	struct strbuf text = { 0 };

	strbuf_addf(&text, "nothing is recorded: the program did not begin the region %s",
		    name + 1);
	if (number > 1)
		strbuf_addf(&text, " %lu times", number);
	strbuf_addstr(&text, ", at which --from starts");
	log_note(&s->log, "warning", strbuf_str(&text));
	strbuf_release(&text);
}

static void finish_regions(struct session *s)
{
	struct strbuf text = { 0 };
	size_t length;

	regions_finish(&s->regions, s->sys->now());
	strbuf_addstr(&text, "regions: ");
	length = text.len;
	exp_region_faults_put(s->regions.events.faults, &text);
	if (text.len > length)
		log_note(&s->log, "warning", strbuf_str(&text));
	else if (!s->regions.events.instances && !s->regions.events.marks &&
		 !s->was_paused && !s->points)
		log_note(&s->log, "warning",
			 "--regions on: the program named no region; see libcollector.h");
	strbuf_release(&text);
	if (s->opt->from && !recorded_ns(s))
		note_no_begin(s);
}

/* Writes data that is known only now: rows of <Unsampled>, and names. */
static void write_last(struct session *s, const struct accounting *accounting)
{
	struct symbols_left_out left;

	if (s->rec.waiting)
		finish_waits(s);
	if (s->opt->regions)
		finish_regions(s);
	if (s->target.pid || s->target.group.path)
		unsampled_write(&(struct unsampled){
			.ladder = &s->plan.ladder,
			.evlist = &s->evlist,
			.rec = &s->rec,
			.target = &s->target,
			.whole = accounting->whole,
			.most = accounting_most(accounting),
		});
	left = symbol_writer_run(&s->rec.in, &s->rec.modules, &s->rec.kernel,
				 s->sys->root, NULL);
	left_out_count_symbols(&s->rec, &left);
}

/* Names the processes that run on, such as a compiler's cache server. */
static void tell_daemons(struct session *s)
{
	struct strbuf text = { 0 };
	pid_vec pids = { 0 };

	if (target_is_child(&s->target) && !s->opt->system)
		daemons_find(&s->rec.tasks, s->rec.start_ns, s->sys->root, &pids);
	if (pids.len) {
		strbuf_addf(&text,
			    "%zu process%s that the program started ran on: ", pids.len,
			    pids.len == 1 ? "" : "es");
		choose_list(s->sys->root, &pids, &text);
		if (!s->opt->daemons)
			strbuf_addstr(&text, "; --daemons records them until they end");
		log_note(&s->log, "note", strbuf_str(&text));
	}
	strbuf_release(&text);
	vec_release(&pids);
}

static void note_failure(struct session *s, int error)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "cannot write to %s: %s; the recording ends there", s->path,
		    strerror(-error));
	log_note(&s->log, "error", strbuf_str(&text));
	strbuf_release(&text);
}

/*
 * Writes into the space reserved for the log. A failure is reported unless it is the
 * ERROR already reported.
 */
static int write_log(struct session *s, int error)
{
	int closed;

	reserve_release(&s->reserve);
	closed = exp_log_write_at(&s->log, s->dir.fd);
	if (error || !closed)
		return error;
	diag_error("cannot write to %s: %s", s->path, strerror(-closed));
	return closed;
}

int session_finish(struct session *s, int error, bool limited)
{
	struct summary summary = {
		.log = &s->log,
		.ladder = &s->plan.ladder,
		.evlist = &s->evlist,
		.rec = &s->rec,
		.sockets = &s->sockets,
		.target = &s->target,
		.now = s->ended_ns,
		.own_ns = s->own_ns,
		.stolen_ns = proc_times_stolen(s->sys->root) - s->stolen_ns,
		.in_parts = s->in_parts,
		.whole = is_whole(s) && !limited && !error,
		.daemons = s->opt->daemons,
	};
	const struct accounting accounting = {
		.target = &s->target,
		.cgroup = &s->cgroup,
		.rec = &s->rec,
		.root = s->sys->root,
		.system = s->opt->system,
		.whole = summary.whole,
		.daemons = s->opt->daemons,
		.at_stop = s->at_stop,
	};
	uint64_t bytes;
	int closed;

	accounting_take(&accounting);
	if (!error)
		write_last(s, &accounting);
	closed = exp_writer_flush(s->writer);
	bytes = s->log.bytes = exp_writer_bytes(s->writer);
	if (!error)
		error = closed;
	summary.recorded_ns = recorded_ns(s);
	if (error) {
		note_failure(s, error);
		s->log.recorded_ns = summary.recorded_ns;
		summary.cut = summary.in_parts = true;
	}
	summary_fill(&summary);
	tell_daemons(s);
	error = write_log(s, error);
	if (!error)
		summary.archived = keep_archive(s);
	summary_line(&summary, s->path, bytes);
	return error;
}
