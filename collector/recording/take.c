/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/take.h"

#include "recording/sleepers.h"
#include "recording/wakers.h"

uint64_t time_of(const struct recording *rec, const struct record *r)
{
	return rec->start_ns && r->at.time > rec->start_ns ? r->at.time - rec->start_ns
							   : 0;
}

bool ours(const struct recording *rec, uint32_t pid)
{
	return rec->everyone || tasks_know(&rec->tasks, pid);
}

void meet(struct recording *rec, uint32_t pid)
{
	if (rec->meet && pid && pid <= INT32_MAX && !tasks_know(&rec->tasks, pid))
		rec->meet(rec, rec->root, (pid_t)pid);
}

void note_exec(struct recording *rec, uint32_t pid)
{
	if (rec->unborn_pid == pid)
		rec->unborn_pid = 0;
}

bool has_waits(const struct recording *rec, uint32_t pid)
{
	return pid && pid != rec->unborn_pid && ours(rec, pid);
}

uint32_t heir_of(const struct recording *rec, uint32_t tid)
{
	const struct thread *th = tasks_find_thread(&rec->tasks, tid);

	return th ? th->heir : 0;
}

/* Of LOST records those that are no earlier experiment's. */
static uint64_t lost_here(struct recording *rec, uint64_t lost)
{
	const uint64_t before = lost < rec->lost_before ? lost : rec->lost_before;

	rec->lost_before -= before;
	return lost - before;
}

/*
 * The owners of lost records are unknown: the thread is the one that then ran.  That may be
 * anybody's, as wakings of the whole machine go to the same ring.
 */
static void take_lost(struct recording *rec, const struct record *r)
{
	const bool by_ring = r->type == PERF_RECORD_LOST;
	const uint64_t lost = by_ring ? lost_here(rec, r->lost) : r->lost;
	uint32_t thread = 0;

	if (!lost)
		return;
	if (tasks_know(&rec->tasks, r->at.pid))
		thread = 1 +
			 tasks_thread_id(&rec->tasks,
					 tasks_thread(&rec->tasks, r->at.pid, r->at.tid));
	if (by_ring && rec->waiting)
		waiting_lost(rec->waiting, r, time_of(rec, r));
	if (by_ring)
		rec->lost += lost;
	else
		rec->lost_samples += lost;
	exp_write_row(rec->writer, EXP_LOSSES,
		      (uint64_t[]){ time_of(rec, r), thread, r->at.cpu, lost });
}

/* Whether its samples serve waits; in an import, those of switches are the user's, too. */
static bool is_for_waits(const struct recording *rec, const struct source *source)
{
	return rec->waiting && (source->event == rec->waiting->sampled ||
				waiting_owns(rec->waiting, source->event));
}

/* It may be the first record of a process that was moved into the group. */
static void take_switch(struct recording *rec, const struct record *r)
{
	if (!rec->waiting)
		return;
	waiting_count(rec->waiting, r);
	if (!has_waits(rec, r->at.pid))
		return;
	meet(rec, r->at.pid);
	if (rec->sleepers && !r->switched.out)
		sleepers_wake(rec->sleepers, r->at.tid, time_of(rec, r));
	waiting_switch(rec->waiting, r, time_of(rec, r));
	if (rec->sleepers && r->switched.out)
		sleepers_add(rec->sleepers, r->at.tid, time_of(rec, r));
}

static void take_cgroup(struct recording *rec, const struct record *r)
{
	details_add_cgroup(&rec->details, &rec->in, &r->cgroup);
}

/* Whether collect itself wants the samples of EVENT, for waits. */
static bool is_own(const struct recording *rec, const struct source *source)
{
	enum waking_kind how;

	return is_for_waits(rec, source) ||
	       (rec->wakers && wakers_want(rec->wakers, source->event, &how));
}

static void take_throttle(struct recording *rec, const struct record *r)
{
	const struct source *source = sources_find(&rec->sources, r->at.id);

	if (source && is_own(rec, source))
		return; /* fewer stacks of waits, which are counted: no metric suffers */
	rec->throttled++;
}

static void take_unthrottle(struct recording *rec, const struct record *r)
{
	(void)r;
	rec->unthrottled++;
}

static void (*const takers[])(struct recording *, const struct record *) = {
	[PERF_RECORD_SAMPLE] = take_sample,
	[PERF_RECORD_MMAP] = take_mmap,
	[PERF_RECORD_MMAP2] = take_mmap,
	[PERF_RECORD_FORK] = take_fork,
	[PERF_RECORD_EXIT] = take_exit,
	[PERF_RECORD_COMM] = take_comm,
	[PERF_RECORD_KSYMBOL] = take_ksymbol,
	[PERF_RECORD_CGROUP] = take_cgroup,
	[PERF_RECORD_LOST] = take_lost,
	[PERF_RECORD_LOST_SAMPLES] = take_lost,
	[PERF_RECORD_THROTTLE] = take_throttle,
	[PERF_RECORD_UNTHROTTLE] = take_unthrottle,
	[PERF_RECORD_SWITCH] = take_switch,
	[PERF_RECORD_SWITCH_CPU_WIDE] = take_switch,
};

void recording_take_record(struct recording *rec, const struct record *r)
{
	if (r->at.time > rec->last_ns)
		rec->last_ns = r->at.time;
	if (r->type < sizeof(takers) / sizeof(takers[0]) && takers[r->type])
		takers[r->type](rec, r);
	if (rec->waiting)
		waiting_seen(rec->waiting, r, time_of(rec, r));
	if (rec->sleepers)
		rec->sleepers->records++;
}

/* The format of the event ID's samples; other records have the common one. */
static const struct record_format *format_of_stranger(const struct recording *rec,
						      uint64_t id)
{
	uint32_t event;

	return stagger_book_find(&rec->stagger, id, &event) ? &rec->stagger.format
							    : &rec->format;
}

/* Of the record in BYTES. */
static const struct record_format *format_of(const struct recording *rec,
					     const void *bytes, size_t len)
{
	const struct source_event *event;
	const struct source *source;
	uint64_t id;

	if (!rec->sources.mixed && !rec->stagger.last)
		return &rec->format;
	id = record_event_id(&rec->format, bytes, len);
	source = sources_find(&rec->sources, id);
	if (!source)
		return format_of_stranger(rec, id);
	event = sources_event(&rec->sources, source);
	return event->has_format ? &event->format : &rec->format;
}

bool recording_decode(const struct recording *rec, const void *bytes, size_t len,
		      struct record *out)
{
	return record_decode(format_of(rec, bytes, len), bytes, len, out) >= 0;
}

void recording_take(void *ctx, const void *bytes, size_t len)
{
	struct recording *rec = ctx;
	struct record r;

	if (recording_decode(rec, bytes, len, &r))
		recording_take_record(rec, &r);
	else
		rec->bad++;
}
