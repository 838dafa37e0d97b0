/* SPDX-License-Identifier: Apache-2.0 */
#include "import/import.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "import/perf_read.h"
#include "import/waits.h"
#include "base/xalloc.h"

/* perf's name of the idle task, which no record reports. */
#define IDLE_NAME "swapper"

enum { PROGRESS_EVERY = 1 << 14 }; /* records: they take some milliseconds */

void import_init(struct import *imp, struct perf_file *file, struct recording *rec)
{
	*imp = (struct import){
		.file = file,
		.rec = rec,
		.record = xcalloc(RECORD_WORDS_MAX, sizeof(uint64_t)),
		.waits = import_waits_new(),
	};
	if (file->swap)
		imp->swapped = xcalloc(RECORD_WORDS_MAX, sizeof(uint64_t));
	rec->execs_unmarked = true;
	tasks_rename(&rec->tasks, 0, 0, IDLE_NAME);
}

void import_release(struct import *imp)
{
	import_waits_free(imp->waits);
	perf_queue_release(&imp->queue);
	group_counts_release(&imp->counts);
	vec_release(&imp->events);
	free(imp->swapped);
	free(imp->record);
}

/* Unwinding works for two architectures; perf's names of them: */
static const struct unwind_arch *arch_of(const char *name)
{
	if (name && !strcmp(name, "x86_64"))
		return &unwind_x86_64;
	if (name && !strcmp(name, "aarch64"))
		return &unwind_aarch64;
	return NULL;
}

static bool of_this_machine(const struct perf_info *info)
{
	struct utsname names;

	return info->hostname && !uname(&names) &&
	       !strcmp(info->hostname, names.nodename);
}

static void learn_machine(struct import *imp)
{
	const struct perf_info *info = &imp->file->info;

	imp->rec->stack.arch = arch_of(info->arch);
	imp->rec->modules.before = of_this_machine(info) ? imp->file->own.window.changed
							 : 0;
}

/* Of the event that was added last.  One that reports them speaks for all. */
static void learn_build_ids(struct import *imp, bool reported)
{
	struct import_event *last = &imp->events.data[imp->events.len - 1];

	last->format.no_build_ids = !imp->build_ids;
	if (imp->build_ids || !reported)
		return;
	imp->build_ids = true;
	vec_for_each(struct import_event, e, &imp->events)
		e->format.no_build_ids = false;
}

/* In a pipe, events and the description of the machine come among the records. */
static void add_events(struct import *imp)
{
	while (imp->events.len < imp->file->events.len) {
		const struct perf_attr *attr =
			&imp->file->events.data[imp->events.len].attr;
		struct import_event *e = vec_push(&imp->events);

		import_event_init(e, attr, imp->swapped);
		learn_build_ids(imp, attr->build_id);
		if (attr->comm_exec)
			imp->rec->execs_unmarked = false;
		learn_machine(imp);
		if (import_event_is_dummy(attr))
			continue;
		e->row = imp->rows++;
		recording_expect(imp->rec, imp->rows);
		sources_add(&imp->rec->sources, e->row, e->row, -1);
	}
}

static uint32_t type_of(const struct import *imp, const void *bytes)
{
	uint32_t type;

	memcpy(&type, bytes, sizeof(type));
	return imp->swapped ? bswap_32(type) : type;
}

const struct import_event *import_event_of(const struct import *imp, const void *bytes,
					   size_t len)
{
	const struct import_event *first = imp->events.data;
	uint64_t id;
	uint32_t index;

	if (imp->events.len < 2)
		return first;
	/* perf ensures that the id has the same place in all formats */
	id = record_event_id(&first->format, bytes, len);
	index = idmap_get(&imp->file->ids, id, 0);
	if (index < imp->events.len)
		return &imp->events.data[index];
	/* perf's own records have no id; a sample with a wrong one has no event */
	return id && type_of(imp, bytes) == PERF_RECORD_SAMPLE ? NULL : first;
}

/* ---- samples ---- */

static void take_weighed(struct import *imp, struct record *r, uint32_t row,
			 uint64_t weight)
{
	r->at.id = row;
	r->sample.period = weight;
	recording_take_record(imp->rec, r);
}

/* A sample for each member of the group whose counter has grown. */
struct shared {
	struct import *imp;
	struct record *record;
	uint32_t own; /* row, if the counts are not named */
};

static void take_own(void *ctx, uint64_t id, uint64_t weight)
{
	struct shared *s = ctx;

	(void)id;
	take_weighed(s->imp, s->record, s->own, weight);
}

static void take_member(void *ctx, uint64_t id, uint64_t weight)
{
	struct shared *s = ctx;
	uint32_t index = idmap_get(&s->imp->file->ids, id, 0);

	if (index < s->imp->events.len)
		take_weighed(s->imp, s->record, s->imp->events.data[index].row, weight);
}

static void take_counts(struct import *imp, const struct import_event *e,
			struct record *r)
{
	const uint64_t named = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	const struct record_counts counts = r->sample.counts;
	bool group = (e->format.read_format & named) == named;
	struct shared shared = { imp, r, e->row };

	group_counts_take(&imp->counts, &counts, group, r->at.id,
			  e->inherit ? r->at.tid : 0, group ? take_member : take_own,
			  &shared);
}

/* The place of a sample without an ip. */
static uint64_t chain_begin(const struct record_sample *s)
{
	const struct record_chain *chain = s->kernel.len ? &s->kernel : &s->user;

	return chain->len ? chain->ips[0] : 0;
}

static void take_sample(struct import *imp, const struct import_event *e,
			struct record *r)
{
	struct stack_builder *stack = &imp->rec->stack;
	uint64_t type = e->format.sample_type;

	/* as perf does for a task whose number was released before its last sample */
	if (!r->at.tid && r->at.pid)
		tasks_rename(&imp->rec->tasks, r->at.pid, 0, IDLE_NAME);
	if (!(type & PERF_SAMPLE_IP))
		r->sample.ip = chain_begin(&r->sample);
	stack->mode = e->mode;
	stack->regs_mask = e->format.regs_user;
	stack->chains_lack_kernel = e->chains_lack_kernel;
	if (!(type & PERF_SAMPLE_CPU))
		r->at.cpu = IMPORT_NO_CPU;
	if (type & PERF_SAMPLE_READ)
		take_counts(imp, e, r);
	else
		take_weighed(imp, r, e->row, r->sample.period);
}

/* ---- other records ---- */

/*
 * Android's runtime interprets code in files that it maps only for reading. simpleperf
 * records these mappings too, as the interpreter's frames lie in them.
 */
static bool is_interpreted(const char *path)
{
	static const char *const endings[] = { ".dex", ".vdex", ".odex",
					       ".oat", ".jar",  ".apk" };
	const size_t len = strlen(path);

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t ending = strlen(endings[i]);

		if (len > ending && !strcmp(path + len - ending, endings[i]))
			return true;
	}
	return false;
}

/*
 * A build-id that the kernel did not report may be in the file's list.  For code that was
 * compiled at run time simpleperf records a mark of its own instead of the protection;
 * its names refer to addresses, so addresses are the offsets.
 */
static void take_mapping(struct import *imp, struct record *r)
{
	enum { COMPILED = 0x4000 };
	const uint32_t any = PROT_READ | PROT_WRITE | PROT_EXEC;
	struct record_mmap *map = &r->mmap;
	const struct perf_build_id *id = NULL;

	if (map->prot & COMPILED)
		map->pgoff = map->start;
	if (!(map->prot & any) && !(r->misc & PERF_RECORD_MISC_MMAP_DATA))
		map->prot = PROT_EXEC;
	if (imp->file->info.simpleperf && is_interpreted(map->path))
		map->prot |= PROT_EXEC;
	if (!map->build_id_len)
		id = perf_info_build_id(&imp->file->info, map->path);
	if (id) {
		memcpy(map->build_id, id->bytes, id->len);
		map->build_id_len = id->len;
	}
	recording_take_record(imp->rec, r);
}

/*
 * At the end perf writes each event's losses (Linux 6.0).  These records have no time, and
 * the rings reported the same losses as they happened.
 */
static bool is_total_of_losses(const struct import_event *e, const struct record *r)
{
	return r->type == PERF_RECORD_LOST_SAMPLES && !r->at.time &&
	       e->format.read_format & PERF_FORMAT_LOST;
}

/* A perf_queue_fn: takes a record in order. */
static void take(void *ctx, const void *bytes, size_t len)
{
	struct import *imp = ctx;
	const struct import_event *e = import_event_of(imp, bytes, len);
	struct record r;

	if (!e) {
		imp->unknown++;
		return;
	}
	if (record_decode(&e->format, bytes, len, &r) < 0) {
		imp->rec->bad++;
		return;
	}
	import_waits_before(imp, e, &r);
	if (!imp->rec->start_ns && r.type == PERF_RECORD_SAMPLE)
		imp->rec->start_ns = r.at.time;
	if (r.type == PERF_RECORD_SAMPLE)
		take_sample(imp, e, &r);
	else if (r.type == PERF_RECORD_MMAP || r.type == PERF_RECORD_MMAP2)
		take_mapping(imp, &r);
	else if (record_is_filtered(&r))
		imp->filtered += r.lost;
	else if (is_total_of_losses(e, &r))
		imp->lost[e->lost] += r.lost;
	else
		recording_take_record(imp->rec, &r);
	import_waits_after(imp, e, &r);
}

/* ---- from the file into the queue ---- */

/* Records that matter to the experiment; the final counts of tasks do not. */
static bool of_use(uint32_t type)
{
	const uint32_t types = 1u << PERF_RECORD_MMAP | 1u << PERF_RECORD_LOST |
			       1u << PERF_RECORD_COMM | 1u << PERF_RECORD_EXIT |
			       1u << PERF_RECORD_THROTTLE | 1u << PERF_RECORD_UNTHROTTLE |
			       1u << PERF_RECORD_FORK | 1u << PERF_RECORD_SAMPLE |
			       1u << PERF_RECORD_MMAP2 | 1u << PERF_RECORD_LOST_SAMPLES |
			       1u << PERF_RECORD_KSYMBOL | 1u << PERF_RECORD_CGROUP |
			       1u << PERF_RECORD_SWITCH |
			       1u << PERF_RECORD_SWITCH_CPU_WIDE;

	return type < 32 && types >> type & 1;
}

static void tell_progress(const struct import *imp)
{
	uint64_t at, end;

	perf_file_progress(imp->file, &at, &end);
	imp->progress(imp->progress_ctx, at, end);
}

/*
 * If only samples have a time (Linux before 2.6.38), the records before them give a
 * task's name and mappings. perf does the same, except in a pipe.
 */
static bool in_file_order(const struct import *imp)
{
	return imp->events.data[0].format.no_id && !imp->file->pipe;
}

/* Records without a time precede all others: perf's own, of running processes. */
static uint64_t on_record(void *ctx, const void *bytes, size_t len)
{
	struct import *imp = ctx;
	const struct import_event *e;
	uint64_t time;

	if (!(++imp->taken % PROGRESS_EVERY) && imp->progress)
		tell_progress(imp);
	add_events(imp);
	if (!imp->events.len || !of_use(type_of(imp, bytes)))
		return 0;
	e = import_event_of(imp, bytes, len);
	time = e ? record_time(&e->format, bytes, len) : 0;
	if (e)
		time = import_waits_time(imp, e, bytes, len, time);
	if (time && time != UINT64_MAX && !in_file_order(imp)) {
		perf_queue_add(&imp->queue, time, bytes, len, take, imp);
		return time;
	}
	memcpy(imp->record, bytes, len);
	take(imp, imp->record, len);
	return 0;
}

static void on_round(void *ctx)
{
	struct import *imp = ctx;

	perf_queue_round(&imp->queue, take, imp);
}

static void on_until(void *ctx, uint64_t time)
{
	struct import *imp = ctx;

	perf_queue_until(&imp->queue, time, take, imp);
}

int import_records(struct import *imp, struct strbuf *err)
{
	const struct perf_file_sink sink = { on_record, on_round, on_until, imp };
	int error = perf_file_read(imp->file, &sink, err);

	if (error)
		return error;
	add_events(imp);
	learn_machine(imp); /* a pipe has ended only now */
	perf_queue_flush(&imp->queue, take, imp);
	import_waits_end(imp);
	return 0;
}
