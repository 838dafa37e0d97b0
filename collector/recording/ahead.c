/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/ahead.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "recording/take.h"
#include "stack/stack.h"

enum {
	WORTH_IT = 256,    /* records: fewer are taken sooner by one thread */
	AT_ONCE = 16,      /* records that a reader takes */
	PREFETCHED = 2048, /* bytes of a stack */
	CACHE_LINE = 64,
};

struct item {
	struct record record;
	struct stack_ahead stack;
};

/* Counts of its own, as all count at once. */
struct reader {
	struct stack_reader stacks;
	uint64_t looked_at, found;
};

struct ahead {
	struct recording *rec;
	struct crew *crew;
	struct reader *readers; /* one for each of the crew */
	struct item *items;
	uint32_t len;
	uint32_t batch; /* its number, from 1 on */
	uint32_t
		kernel; /* the index of the first record that changes the kernel's mappings */
};

struct ahead *ahead_new(struct recording *rec, size_t readers)
{
	struct ahead *a = xcalloc(1, sizeof(*a));

	a->rec = rec;
	a->crew = crew_start(readers);
	a->items = xcalloc(AHEAD_BATCH, sizeof(*a->items));
	a->readers = xcalloc(crew_members(a->crew), sizeof(*a->readers));
	for (size_t i = 0; i < crew_members(a->crew); i++)
		stack_reader_init(&a->readers[i].stacks, &rec->stack);
	a->batch = 1;
	a->kernel = UINT32_MAX;
	return a;
}

void ahead_free(struct ahead *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < crew_members(a->crew); i++)
		stack_reader_release(&a->readers[i].stacks);
	crew_end(a->crew);
	free(a->readers);
	free(a->items);
	free(a);
}

struct ahead_stats ahead_stats(const struct ahead *a)
{
	struct ahead_stats stats = {
		.readers = crew_members(a->crew),
		.times = crew_times(a->crew),
	};

	for (size_t i = 0; i < crew_members(a->crew); i++) {
		stats.looked_at += a->readers[i].looked_at;
		stats.found += a->readers[i].found;
	}
	return stats;
}

/* ---- what a record changes ---- */

/* From the next record on, PID's samples wait for their turn. */
static void note_change(struct ahead *a, uint32_t pid)
{
	struct process *p = tasks_known_process(&a->rec->tasks, pid);

	if (!p || p->changed_batch == a->batch)
		return;
	p->changed_batch = a->batch;
	p->changed_from = a->len;
}

static void note_kernel_change(struct ahead *a)
{
	if (a->kernel > a->len)
		a->kernel = a->len;
}

/* The kernel's own mappings have the number -1. */
static void note_changes(struct ahead *a, const struct record *r)
{
	switch (r->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		note_change(a, r->mmap.pid);
		if (r->mmap.pid > INT32_MAX || !r->mmap.pid)
			note_kernel_change(a);
		break;
	case PERF_RECORD_FORK:
		if (r->task.pid != r->task.ppid)
			note_change(a, r->task.pid);
		break;
	case PERF_RECORD_EXIT:
		note_change(a, r->task.pid);
		break;
	case PERF_RECORD_COMM:
		note_change(a, r->comm.pid);
		break;
	case PERF_RECORD_KSYMBOL:
		note_kernel_change(a);
		break;
	default:
		break;
	}
}

/* ---- by all readers at once ---- */

/* R's thread, if R is a sample whose stack depends on no record before it in the batch. */
static const struct thread *thread_for(const struct ahead *a, uint32_t index)
{
	const struct record_id *at = &a->items[index].record.at;
	const struct tasks *tasks = &a->rec->tasks;
	const struct thread *th = tasks_find_thread(tasks, at->tid);
	const struct process *p;

	if (!th || th->ended || index > a->kernel)
		return NULL;
	p = &tasks->processes.data[th->process];
	if (p->pid != at->pid ||
	    (p->changed_batch == a->batch && index >= p->changed_from))
		return NULL;
	return th;
}

static void look(struct ahead *a, struct reader *reader, uint32_t index)
{
	struct item *item = &a->items[index];
	const struct thread *th = item->record.type == PERF_RECORD_SAMPLE
					  ? thread_for(a, index)
					  : NULL;

	if (!th)
		return;
	stack_look_ahead(&reader->stacks, &item->record,
			 &a->rec->tasks.processes.data[th->process], th, &item->stack);
	reader->looked_at++;
	reader->found += item->stack.reader != NULL;
}

/* Another CPU wrote it: each cache line of a stack would cost a wait. */
static void prefetch(const struct ahead *a, uint32_t index)
{
	const struct record *r = &a->items[index].record;
	const struct record_sample *s = &r->sample;

	if (index >= a->len || r->type != PERF_RECORD_SAMPLE || !s->stack)
		return;
	for (size_t at = 0; at < s->stack_len && at < PREFETCHED; at += CACHE_LINE)
		__builtin_prefetch((const char *)s->stack + at);
}

/* A crew_fn.  Neighbours in time are often of one thread, or of a few: each gets some of them. */
static void look_at_share(void *ctx, size_t member)
{
	struct ahead *a = ctx;
	struct reader *reader = &a->readers[member];
	const uint32_t step = (uint32_t)crew_members(a->crew) * AT_ONCE;

	stack_reader_begin(&reader->stacks);
	for (uint32_t from = (uint32_t)member * AT_ONCE; from < a->len; from += step)
		for (uint32_t i = from; i < a->len && i < from + AT_ONCE; i++) {
			prefetch(a, i + 1);
			look(a, reader, i);
		}
}

/* ---- a batch ---- */

void ahead_settle(void *ctx)
{
	struct ahead *a = ctx;
	struct recording *rec = a->rec;

	if (a->len >= WORTH_IT)
		crew_do(a->crew, look_at_share, a);
	for (uint32_t i = 0; i < a->len; i++) {
		rec->found = &a->items[i].stack;
		recording_take_record(rec, &a->items[i].record);
	}
	rec->found = NULL;
	a->len = 0;
	a->batch++;
	a->kernel = UINT32_MAX;
}

void ahead_take(void *ctx, const void *bytes, size_t len)
{
	struct ahead *a = ctx;
	struct item *item = &a->items[a->len];

	if (!recording_decode(a->rec, bytes, len, &item->record)) {
		a->rec->bad++;
		return;
	}
	item->stack.reader = NULL;
	note_changes(a, &item->record);
	a->len++;
}
