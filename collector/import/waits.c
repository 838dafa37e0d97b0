/* SPDX-License-Identifier: Apache-2.0 */
#include "import/waits.h"

#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/xalloc.h"
#include "process/kernel_map.h"
#include "recording/wakers.h"

enum { CPUS_MAX = 1 << 16 };

/* perf gives sums without a time such ones: 0xffffffff << 32. */
#define TOTAL_NS (UINT64_MAX << 32)

struct import_waits *import_waits_new(void)
{
	return xcalloc(1, sizeof(struct import_waits));
}

void import_waits_free(struct import_waits *w)
{
	if (!w)
		return;
	if (w->source)
		waiting_release(&w->waiting);
	wakers_release(&w->wakers);
	vec_release(&w->seen_ns);
	vec_release(&w->owners);
	free(w);
}

/* ---- which events show something ---- */

static enum perf_traced traced_of(const struct import *imp, const struct perf_attr *attr)
{
	const struct perf_info *info = &imp->file->info;
	unsigned kind = 0;

	while (kind < PERF_TRACED_KINDS &&
	       !(attr->type == PERF_TYPE_TRACEPOINT && info->traced[kind] &&
		 info->traced_ids[kind] == attr->config))
		kind++;
	return (enum perf_traced)kind;
}

/* The tracepoint whose samples E has. */
static enum perf_traced traced_event(const struct import *imp,
				     const struct import_event *e)
{
	const size_t index = (size_t)(e - imp->events.data);

	if (e->shows != IMPORT_SHOWS_SWITCH && e->shows != IMPORT_SHOWS_WAKING)
		return PERF_TRACED_KINDS;
	return traced_of(imp, &imp->file->events.data[index].attr);
}

static enum import_shows shows_of(const struct import *imp, size_t index)
{
	static const enum import_shows by_kind[PERF_TRACED_KINDS] = {
		[PERF_TRACED_SWITCH] = IMPORT_SHOWS_SWITCH,
		[PERF_TRACED_WAKING] = IMPORT_SHOWS_WAKING,
		[PERF_TRACED_WAKEUP] = IMPORT_SHOWS_WAKING,
	};
	const uint64_t addresses = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	const struct perf_attr *attr = &imp->file->events.data[index].attr;
	const char *name = perf_file_event_name(imp->file, index);
	enum perf_traced kind = traced_of(imp, attr);

	if (kind < PERF_TRACED_KINDS)
		return attr->sample_type & PERF_SAMPLE_RAW ? by_kind[kind]
							   : IMPORT_SHOWS_NOTHING;
	if (attr->type != PERF_TYPE_SOFTWARE)
		return IMPORT_SHOWS_NOTHING;
	if (attr->config == PERF_COUNT_SW_BPF_OUTPUT && name &&
	    !strcmp(name, "offcpu-time"))
		return IMPORT_SHOWS_TOTAL;
	if (attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ)
		return (attr->sample_type & addresses) == addresses
			       ? IMPORT_SHOWS_FAULT
			       : IMPORT_SHOWS_NOTHING;
	return attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ? IMPORT_SHOWS_STACK
							      : IMPORT_SHOWS_NOTHING;
}

static void read_format(struct import_sched *sched, const char *format)
{
	static const char any[] = "SDTtXZPIxKWNR";

	*sched = (struct import_sched){ 0 };
	if (!format)
		return;
	trace_format_field(format, "common_pid", &sched->current_pid);
	trace_format_field(format, "pid", &sched->pid);
	trace_format_field(format, "prev_state", &sched->prev_state);
	trace_format_field(format, "next_pid", &sched->next_pid);
	sched->stopped = trace_format_flags(format, "Tt");
	sched->dead = trace_format_flags(format, "XxZ");
	sched->asleep = trace_format_flags(format, any) & ~sched->stopped & ~sched->dead;
}

/* Whether E's records can be put in order, and belong to a thread. */
static bool is_placed(const struct import_event *e)
{
	const uint64_t needed = PERF_SAMPLE_TIME | PERF_SAMPLE_TID;

	return !e->format.no_id && (e->format.sample_type & needed) == needed;
}

/* Whether it is opened on fewer CPUs than there are, or for single threads. */
static bool is_partial(const struct import *imp, const struct perf_event *event)
{
	return imp->file->info.cpus && event->ids && event->ids < imp->file->info.cpus;
}

static void choose_times(struct import *imp, size_t index)
{
	const struct perf_event *event = &imp->file->events.data[index];
	const struct import_event *e = &imp->events.data[index];
	const struct import_sched *sched = &imp->waits->sched[PERF_TRACED_SWITCH];
	struct import_waits *w = imp->waits;
	enum import_switches source = IMPORT_SWITCHES_NONE;
	bool more;

	if (event->attr.context_switch)
		source = IMPORT_SWITCHES_RECORDS;
	else if (e->shows == IMPORT_SHOWS_SWITCH && !w->source && sched->next_pid.size &&
		 sched->prev_state.size && e->format.sample_type & PERF_SAMPLE_CPU)
		source = IMPORT_SWITCHES_TRACED;
	if (!source)
		return;
	if (!is_placed(e)) {
		w->refused = "its records of switches have no times or threads";
		return;
	}
	/* of several events, the one that shows most */
	more = w->source == source;
	w->partial = is_partial(imp, event) && (!more || w->partial);
	w->waiting.childless = !event->attr.inherit && (!more || w->waiting.childless);
	w->source = source;
}

/* The tracepoint is better: it shows the thread's state, too. */
static uint32_t stacks_of(const struct import *imp)
{
	uint32_t row = WAITING_NO_EVENT;

	vec_for_each(const struct import_event, e, &imp->events)
		if (e->mode != STACK_OFF &&
		    (e->shows == IMPORT_SHOWS_SWITCH ||
		     (e->shows == IMPORT_SHOWS_STACK && row == WAITING_NO_EVENT)))
			row = e->row;
	return row;
}

/* Who ends waits, by the samples of sched_waking, if there are any. */
static void find_wakings(struct import *imp)
{
	struct import_waits *w = imp->waits;
	const char *format = imp->file->info.traced[PERF_TRACED_WAKING];
	uint32_t events[WAKING_KINDS] = { WAKERS_NO_EVENT, WAKERS_NO_EVENT };

	w->waking.swapped = imp->swapped != NULL;
	if (!format || !waking_format(&w->waking, format))
		return;
	vec_for_each(const struct import_event, e, &imp->events)
		if (traced_event(imp, e) == PERF_TRACED_WAKING)
			events[e->mode == STACK_OFF ? WAKING_BARE : WAKING_STACKED] =
				e->row;
	wakers_init(&w->wakers, &w->waking, events, imp->rec->writer);
	w->wakers.keeps = true;
}

static uint32_t faults_of(const struct import *imp)
{
	vec_for_each(const struct import_event, e, &imp->events)
		if (e->shows == IMPORT_SHOWS_FAULT)
			return e->row;
	return WAITING_NO_EVENT;
}

/* The states follow the events that are known by now. */
static void begin(struct import *imp)
{
	struct import_waits *w = imp->waits;
	uint32_t events[EXP_STATES];
	bool childless;

	w->begun = true;
	w->row = IMPORT_NO_ROW;
	for (unsigned kind = 0; kind < PERF_TRACED_KINDS; kind++)
		read_format(&w->sched[kind], imp->file->info.traced[kind]);
	for (size_t i = 0; i < imp->events.len; i++) {
		imp->events.data[i].shows = shows_of(imp, i);
		choose_times(imp, i);
	}
	if (!w->source)
		return;
	if (imp->file->missing)
		w->refused = "files of the folder are missing";
	else if (w->partial && w->source == IMPORT_SWITCHES_TRACED)
		w->refused =
			"not all CPUs were recorded, and threads may have had others";
	if (w->refused) {
		w->source = IMPORT_SWITCHES_NONE;
		return;
	}
	w->row = imp->rows;
	for (unsigned state = 0; state < EXP_STATES; state++)
		events[state] = imp->rows++;
	recording_expect(imp->rec, imp->rows);
	childless = w->waiting.childless;
	waiting_init(&w->waiting, &(struct waiting_setup){
					  .in = &imp->rec->in,
					  .tasks = &imp->rec->tasks,
					  .everyone = true,
					  .times = &imp->rec->times,
					  .sampled = stacks_of(imp),
					  .faulted = faults_of(imp),
					  .keeps = true,
					  .keeps_faults = true,
					  .events = events,
				  });
	find_wakings(imp);
	w->waiting.childless = childless;
}

/* The file's records show the states of threads, here and now. */
static bool is_on(const struct import *imp)
{
	return imp->waits->source && !imp->waits->ended;
}

/* ---- the end ---- */

/* By the kernel's counts records were lost, and no record says so: at the end of some ring. */
static bool hides_losses(const struct import *imp)
{
	uint64_t all = 0;

	for (unsigned kind = 0; kind < IMPORT_LOST_KINDS; kind++)
		all += imp->lost[kind];
	return all > imp->rec->lost;
}

/* The CPU that was not heard of for the longest time is first: from then on all is in doubt. */
static uint32_t first_silent(const struct switches *s)
{
	uint32_t first = 0;

	for (uint32_t cpu = 1; cpu < s->cpus.len; cpu++)
		if (s->cpus.data[cpu].seen_ns < s->cpus.data[first].seen_ns)
			first = cpu;
	return first;
}

static void hide(struct import_waits *w)
{
	const size_t cpus = w->waiting.switches.cpus.len;

	if (cpus)
		waiting_hides(&w->waiting, first_silent(&w->waiting.switches),
			      UINT64_MAX);
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		waiting_hides(&w->waiting, cpu, UINT64_MAX);
	waiting_hides(&w->waiting, IMPORT_NO_CPU, UINT64_MAX);
}

static void finish(struct import *imp, bool hides)
{
	struct import_waits *w = imp->waits;

	recording_stop(imp->rec, w->source == IMPORT_SWITCHES_TRACED ? w->traced_ns
								     : imp->rec->last_ns);
	if (hides)
		hide(w);
	waiting_finish(&w->waiting);
	imp->rec->waiting = NULL;
	imp->rec->wakers = NULL;
	w->ended = true;
}

void import_waits_end(struct import *imp)
{
	if (is_on(imp))
		finish(imp, hides_losses(imp));
}

/* Nothing can be known from here on, nor of what goes on now. */
static void refuse(struct import *imp, const char *why)
{
	finish(imp, true);
	imp->waits->refused = why;
}

/* ---- before the records are sorted ---- */

/* CPU's place in the table of last records; NULL: it has none. */
static uint64_t *seen_of(struct import_waits *w, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (w->seen_ns.len <= cpu)
		*vec_push(&w->seen_ns) = 0;
	return &w->seen_ns.data[cpu];
}

/*
 * A loss began behind the ring's record before it.  If the file does not say which CPU it
 * was, it may have begun with any record that is not passed on yet: perf reads every ring
 * in each round.
 */
static uint64_t loss_began(const struct import *imp, const uint64_t *seen)
{
	uint64_t reached = imp->queue.reached ? imp->queue.reached : 1;

	return seen && *seen > reached ? *seen : reached;
}

static uint32_t type_of(const struct import_event *e, const void *bytes)
{
	uint32_t type;

	memcpy(&type, bytes, sizeof(type));
	return e->format.swapped ? bswap_32(type) : type;
}

uint64_t import_waits_time(struct import *imp, const struct import_event *e,
			   const void *bytes, size_t len, uint64_t time)
{
	struct import_waits *w = imp->waits;
	uint64_t *seen;

	if (!w->begun)
		begin(imp);
	if (!is_on(imp) || !time || time >= TOTAL_NS)
		return time;
	seen = seen_of(w, record_cpu(&e->format, bytes, len));
	if (type_of(e, bytes) == PERF_RECORD_LOST) {
		uint64_t began = loss_began(imp, seen);

		return began < time ? began : time;
	}
	if (seen && time > *seen)
		*seen = time;
	return time;
}

/* ---- before a record is passed on ---- */

/*
 * Threads that perf found before have been reported by then.  The records of switches begin
 * with those of tasks and mappings, tracepoints when perf lets them.
 */
static void begin_time(struct import *imp, const struct record *r)
{
	struct import_waits *w = imp->waits;

	if (imp->rec->waiting || !r->at.time || r->type == PERF_RECORD_LOST ||
	    (w->source == IMPORT_SWITCHES_TRACED && r->type != PERF_RECORD_SAMPLE))
		return;
	imp->rec->start_ns = r->at.time;
	imp->rec->waiting = &w->waiting;
	waiting_find_all(&w->waiting, 0);
	if (w->lost_ns > r->at.time)
		waiting_lost(&w->waiting, &(struct record){ .at.cpu = IMPORT_NO_CPU },
			     w->lost_ns - r->at.time);
}

/* Refuses all if R's tracepoint has other numbers. */
static void check_numbers(struct import *imp, const struct import_event *e,
			  const struct record *r)
{
	const enum perf_traced kind = traced_event(imp, e);

	if (kind < PERF_TRACED_KINDS &&
	    !import_traced_is_ours(imp, &imp->waits->sched[kind], r))
		refuse(imp,
		       "its tracepoints number threads in another way than its samples, "
		       "as in a container");
}

void import_waits_before(struct import *imp, const struct import_event *e,
			 struct record *r)
{
	struct import_waits *w = imp->waits;

	/* the totals are the last samples */
	if (r->type == PERF_RECORD_SAMPLE && e->shows == IMPORT_SHOWS_TOTAL) {
		w->totals = true;
		if (r->at.time >= TOTAL_NS) {
			import_waits_end(imp);
			r->at.time = imp->rec->last_ns;
		}
	}
	if (!is_on(imp))
		return;
	if (!(e->format.sample_type & PERF_SAMPLE_CPU))
		r->at.cpu = IMPORT_NO_CPU;
	begin_time(imp, r);
	if (r->type == PERF_RECORD_SAMPLE)
		check_numbers(imp, e, r);
	if (!is_on(imp))
		return;
	/* in a group a sample of its first event counts for all, but has the data of that one */
	imp->rec->wakers = w->wakers.waking && imp->rec->waiting &&
					   traced_event(imp, e) == PERF_TRACED_WAKING
				   ? &w->wakers
				   : NULL;
	if (r->type == PERF_RECORD_SAMPLE && r->at.time > w->traced_ns)
		w->traced_ns = r->at.time;
	if (r->type == PERF_RECORD_SWITCH_CPU_WIDE) {
		w->waiting.childless = false;
		if (w->partial)
			refuse(imp,
			       "not all CPUs were recorded, and threads may have had "
			       "others");
	}
	if (r->type == PERF_RECORD_LOST) {
		if (r->at.cpu < w->owners.len)
			w->owners.data[r->at.cpu] = (struct import_owner){ 0 };
		if (!imp->rec->waiting && r->at.time > w->lost_ns)
			w->lost_ns = r->at.time;
	}
}

static void take_traced(struct import *imp, const struct import_event *e,
			const struct record *r)
{
	const enum perf_traced kind = traced_event(imp, e);
	const struct import_sched *sched;

	if (kind == PERF_TRACED_KINDS)
		return;
	sched = &imp->waits->sched[kind];
	if (e->shows == IMPORT_SHOWS_SWITCH)
		import_traced_switch(imp, sched, r);
	else
		import_traced_waking(imp, sched, r);
}

/* ---- after a record was passed on ---- */

/* The running kernel is the one that was recorded: its functions' names show causes. */
static void take_kernel(struct import *imp, const struct record_mmap *map)
{
	static const char core[] = "[kernel.kallsyms";
	uint64_t text;

	if (!imp->rec->modules.kernel_here || strncmp(map->path, core, sizeof(core) - 1))
		return;
	text = kernel_text_start("");
	if (text && map->pgoff)
		waiting_name_causes(&imp->waits->waiting, map->start,
				    map->start + map->len > map->start
					    ? map->start + map->len
					    : UINT64_MAX,
				    text - map->pgoff);
}

void import_waits_after(struct import *imp, const struct import_event *e,
			const struct record *r)
{
	const struct import_waits *w = imp->waits;
	bool mapping = r->type == PERF_RECORD_MMAP || r->type == PERF_RECORD_MMAP2;

	if (!is_on(imp))
		return;
	if (mapping && w->waiting.sampled != WAITING_NO_EVENT &&
	    (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		take_kernel(imp, &r->mmap);
	else if (r->type == PERF_RECORD_SAMPLE &&
		 (e->shows == IMPORT_SHOWS_SWITCH || e->shows == IMPORT_SHOWS_WAKING))
		take_traced(imp, e, r);
}
