/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/ahead.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "recording/take.h"
#include "recording/wakers.h"
#include "stack/stack.h"

enum {
	WORTH_IT = 256,    /* records: fewer are taken sooner by one thread */
	AT_ONCE = 16,      /* records that a reader takes */
	PREFETCHED = 2048, /* bytes of a record */
	CACHE_LINE = 64,
};

/* Samples are decoded when they are first looked at. */
struct item {
	const void *bytes;
	size_t len;
	enum { ITEM_RAW, ITEM_DECODED, ITEM_BAD } state;
	struct record record;
	struct stack_ahead stack;
};

/* Counts of its own, as all count at once. */
struct reader {
	struct stack_builder stacks;
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
		kernel; /* of the records: the first that changes the kernel's mappings */
};

struct ahead *ahead_new(struct recording *rec, size_t readers)
{
	struct ahead *a = xcalloc(1, sizeof(*a));

	a->rec = rec;
	a->crew = crew_start(readers);
	a->items = xcalloc(AHEAD_BATCH, sizeof(*a->items));
	a->readers = xcalloc(crew_members(a->crew), sizeof(*a->readers));
	for (size_t i = 0; i < crew_members(a->crew); i++)
		stack_builder_init_reader(&a->readers[i].stacks, &rec->stack);
	a->batch = 1;
	a->kernel = UINT32_MAX;
	return a;
}

void ahead_free(struct ahead *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < crew_members(a->crew); i++)
		stack_builder_release(&a->readers[i].stacks);
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

static void decode(const struct recording *rec, struct item *item)
{
	if (item->state == ITEM_RAW)
		item->state = recording_decode(rec, item->bytes, item->len, &item->record)
				      ? ITEM_DECODED
				      : ITEM_BAD;
}

/* Few of these are of a wait that ends, and only those have a stack. */
static bool is_waking(const struct recording *rec, const struct record *r)
{
	const struct source *source = rec->wakers ? sources_find(&rec->sources, r->at.id)
						  : NULL;
	enum waking_kind how;

	return source && wakers_want(rec->wakers, source->event, &how);
}

static void look(struct ahead *a, struct reader *reader, uint32_t index)
{
	struct item *item = &a->items[index];
	const struct thread *th;

	decode(a->rec, item);
	if (item->state == ITEM_BAD || item->record.type != PERF_RECORD_SAMPLE)
		return;
	th = thread_for(a, index);
	if (!th || is_waking(a->rec, &item->record))
		return;
	stack_look_ahead(&reader->stacks, &item->record,
			 &a->rec->tasks.processes.data[th->process], th, &item->stack);
	reader->looked_at++;
	reader->found += item->stack.reader != NULL;
}

/* Another CPU wrote it: each cache line would cost a wait. */
static void prefetch(const struct ahead *a, uint32_t index)
{
	const struct item *item = &a->items[index];

	if (index >= a->len)
		return;
	for (size_t at = 0; at < item->len && at < PREFETCHED; at += CACHE_LINE)
		__builtin_prefetch((const char *)item->bytes + at);
	__builtin_prefetch((const char *)item->bytes + item->len - 1);
}

/* A crew_fn.  Neighbours in time are often of one thread, or of a few: each gets some of them. */
static void look_at_share(void *ctx, size_t member)
{
	struct ahead *a = ctx;
	struct reader *reader = &a->readers[member];
	const uint32_t step = (uint32_t)crew_members(a->crew) * AT_ONCE;

	stack_builder_begin_reader(&reader->stacks);
	for (uint32_t from = (uint32_t)member * AT_ONCE; from < a->len; from += step)
		for (uint32_t i = from; i < a->len && i < from + AT_ONCE; i++) {
			prefetch(a, i + 1);
			look(a, reader, i);
		}
}

/* ---- a batch ---- */

/* In its turn; the bytes are valid until then. */
static void take(struct recording *rec, struct item *item)
{
	decode(rec, item);
	if (item->state == ITEM_BAD) {
		rec->bad++;
		return;
	}
	rec->found = &item->stack;
	recording_take_record(rec, &item->record);
}

void ahead_settle(void *ctx)
{
	struct ahead *a = ctx;
	const bool shared = a->len >= WORTH_IT;

	if (shared)
		crew_do(a->crew, look_at_share, a);
	for (uint32_t i = 0; i < a->len; i++) {
		if (!shared)
			prefetch(a, i + 1);
		take(a->rec, &a->items[i]);
	}
	a->rec->found = NULL;
	a->len = 0;
	a->batch++;
	a->kernel = UINT32_MAX;
}

void ahead_take(void *ctx, const void *bytes, size_t len)
{
	struct ahead *a = ctx;
	struct item *item = &a->items[a->len];

	item->bytes = bytes;
	item->len = len;
	item->state = ITEM_RAW;
	item->stack.reader = NULL;
	if (record_type(&a->rec->format, bytes) != PERF_RECORD_SAMPLE) {
		decode(a->rec, item);
		if (item->state == ITEM_DECODED)
			note_changes(a, &item->record);
	}
	a->len++;
}
