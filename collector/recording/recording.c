/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/recording.h"

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include "stack/beyond.h"
#include "stack/stack.h"

void recording_init(struct recording *rec, const struct recording_setup *setup)
{
	*rec = (struct recording){
		.format = setup->format,
		.writer = setup->writer,
		.start_ns = setup->start_ns,
		.from_ns = setup->from_ns,
		.to_ns = setup->to_ns ? setup->to_ns : UINT64_MAX,
		.alone = setup->alone,
		.unborn_pid = setup->unborn_pid,
		.everyone = setup->everyone && !setup->alone,
		.meet = setup->meet,
		.root = setup->root,
	};
	rec->details.by_thread = setup->groups;
	intern_init(&rec->in, setup->writer);
	module_table_init(&rec->modules);
	rec->modules.elsewhere = !setup->root;
	rec->modules.trust_paths = setup->trust_paths;
	rec->modules.began_ns = time(NULL) * INT64_C(1000000000);
	if (setup->root)
		kernel_map_init(&rec->kernel, &rec->modules, setup->root);
	else
		kernel_map_init_unknown(&rec->kernel, &rec->modules);
	tasks_init(&rec->tasks, &rec->in);
	rec->tasks.free_beyond = beyond_free;
	command_lines_init(&rec->command_lines, setup->root, &rec->modules.patient,
			   &rec->tasks);
	stack_builder_init(&rec->stack, setup->mode, &rec->in, &rec->modules,
			   &rec->kernel);
	rec->stack.regs_mask = setup->format.regs_user;
	rec->stack.splice = !setup->no_splice;
	rec->stack.holes = setup->holes;
	rec->stack.beyond_shared = setup->beyond_shared;
	rec->stack.made = setup->made;
	if (!setup->unborn_pid)
		return;
	rec->untraceable.told_pid = setup->untraceable ? setup->unborn_pid : 0;
	tasks_thread(&rec->tasks, setup->unborn_pid, setup->unborn_pid);
}

void recording_begin(struct recording *rec, uint64_t now_ns)
{
	rec->start_ns = now_ns;
}

void recording_release(struct recording *rec)
{
	stack_builder_release(&rec->stack);
	command_lines_release(&rec->command_lines);
	tasks_release(&rec->tasks);
	kernel_map_release(&rec->kernel);
	module_table_release(&rec->modules);
	intern_release(&rec->in);
	group_counts_release(&rec->counts);
	tally_release(&rec->tally);
	details_release(&rec->details);
	generated_release(&rec->generated);
	stagger_book_release(&rec->stagger);
	sources_release(&rec->sources);
	vec_release(&rec->events);
}

uint64_t recording_bytes(const struct recording *rec)
{
	return exp_writer_bytes(rec->writer);
}

int recording_flush(struct recording *rec)
{
	return exp_writer_flush(rec->writer);
}

int recording_status(const struct recording *rec)
{
	return exp_writer_status(rec->writer);
}

void recording_expect(struct recording *rec, uint32_t events)
{
	while (rec->events.len < events)
		*vec_push(&rec->events) = (struct recording_event){ 0 };
}

/*
 * Nanoseconds from the start.  Earlier times count as the start, and so do an import's
 * before its first sample (0: none so far).
 */
static uint64_t time_of(const struct recording *rec, const struct record *r)
{
	return rec->start_ns && r->at.time > rec->start_ns ? r->at.time - rec->start_ns
							   : 0;
}

/* Whether PID belongs to the target. */
static bool ours(const struct recording *rec, uint32_t pid)
{
	return rec->everyone || tasks_know(&rec->tasks, pid);
}

static bool wanted(const struct recording *rec, const struct record *r)
{
	uint64_t time = time_of(rec, r);

	return time >= rec->from_ns && time < rec->to_ns && ours(rec, r->at.pid);
}

/* PID executes a program, or maps its code: either record may be lost. */
static void note_exec(struct recording *rec, uint32_t pid)
{
	if (rec->unborn_pid == pid)
		rec->unborn_pid = 0;
}

/*
 * The first record of a process that was moved into the group: its fork and its mappings
 * were recorded for another group, if at all.
 */
static void meet(struct recording *rec, uint32_t pid)
{
	if (rec->meet && pid && pid <= INT32_MAX && !tasks_know(&rec->tasks, pid))
		rec->meet(rec, rec->root, (pid_t)pid);
}

/* A sample to write, once or for each member of its group. */
struct arrival {
	struct recording *rec;
	const struct record *record;
	uint32_t event;  /* the sampled one */
	uint64_t weight; /* its own */
	bool wanted;     /* of this recording: in its time, of its tasks */
	bool dropped;    /* not written; its weight is counted as dropped */
	bool placed;     /* its thread and node are known: */
	uint32_t process, thread, node;
};

static void place(struct arrival *a)
{
	struct recording *rec = a->rec;
	const struct record *r = a->record;
	struct thread *thread;
	bool entered = false;

	meet(rec, r->at.pid);
	thread = tasks_thread(&rec->tasks, r->at.pid, r->at.tid);
	a->process = thread->process;
	a->node = stack_node(&rec->stack, r, &rec->tasks.processes.data[a->process],
			     thread);
	generated_take(&rec->generated, &rec->modules,
		       &rec->tasks.processes.data[a->process].space, r->sample.ip);
	if (rec->stack.mode == STACK_CFI)
		tasks_limit_stacks(&rec->tasks, thread);
	if (rec->details.by_thread && r->sample.cgroup)
		entered = tasks_enter_group(thread, r->sample.cgroup);
	a->thread = tasks_thread_id(&rec->tasks, thread);
	if (entered)
		details_write_group(&rec->details, &rec->in, a->thread, r->sample.cgroup);
	command_lines_want(&rec->command_lines, a->process);
	a->placed = true;
}

/* Writes a sample of EVENT with WEIGHT; the data's address is the sampled event's. */
static void write_sample(struct arrival *a, uint32_t event, uint64_t weight)
{
	static const struct record_sample none;
	struct recording *rec = a->rec;
	const struct record *r = a->record;
	const struct record_sample *data = event == a->event ? &r->sample : &none;

	if (a->dropped)
		rec->events.data[event].dropped += weight;
	if (a->dropped || !a->wanted)
		return;
	if (!a->placed)
		place(a);
	details_write(&rec->details, &rec->in, data, rec->stack.mode != STACK_LBR);
	exp_write_row(rec->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){
			      time_of(rec, r), a->thread, r->at.cpu, event, weight,
			      a->node, data->address, data->latency, data->data_source });
	tally_sample(&rec->tally, &rec->tasks, a->process, r->at.tid, event, weight);
	rec->samples++;
	rec->events.data[event].samples++;
	rec->events.data[event].weight += weight;
	rec->events.data[event].addressed += data->address != 0;
}

/* A group_counts_fn. */
static void write_member(void *ctx, uint64_t id, uint64_t weight)
{
	struct arrival *a = ctx;
	const struct sources *sources = &a->rec->sources;
	const struct source *source = sources_find(sources, id);

	if (!source)
		return;
	if (sources_event(sources, source)->ticks_idle)
		weight = a->weight;
	write_sample(a, source->event, weight);
}

/* The counters began before the target, and stopped a little after its end. */
static bool drops(const struct recording *rec, const struct record *r)
{
	return (rec->unborn_pid && rec->unborn_pid == r->at.pid) ||
	       (time_of(rec, r) >= rec->to_ns && ours(rec, r->at.pid));
}

/* The generation of random periods that TID inherited; 0: none. */
static uint32_t heir_of(const struct recording *rec, uint32_t tid)
{
	const struct thread *th = tasks_find_thread(&rec->tasks, tid);

	return th ? th->heir : 0;
}

/* Whether samples of random periods replace this one, of EVENT. */
static bool is_replaced(const struct recording *rec, const struct record *r,
			uint32_t event)
{
	return rec->stagger.last && event < STAGGER_EVENTS &&
	       rec->stagger.plans[event].period > 0 &&
	       stagger_book_covers(&rec->stagger, heir_of(rec, r->at.tid), r->at.time);
}

/*
 * A sample with a random period counts only in an heir.  Its first number is the event's
 * count, which for a clock is its task's run time on this CPU.
 */
static void take_staggered(struct recording *rec, const struct record *r)
{
	struct arrival a = { .rec = rec, .record = r, .wanted = wanted(rec, r) };
	const struct stagger_generation *g = stagger_book_find(&rec->stagger, r->at.id,
							       &a.event);
	struct thread *th = tasks_find_thread(&rec->tasks, r->at.tid);
	uint64_t weight, position;

	if (!g || !th || !r->sample.counts.len || th->heir != g->number ||
	    !stagger_book_covers(&rec->stagger, g->number, r->at.time))
		return;
	position = r->sample.counts.words[0];
	weight = stagger_plan_weight(&rec->stagger.plans[a.event], r->sample.period,
				     position);
	weight = stagger_book_spend(&rec->stagger, &th->seen_ns, position, weight);
	a.dropped = drops(rec, r);
	if (weight)
		write_sample(&a, a.event, weight);
	if (a.placed) {
		rec->stagger.samples++;
		rec->events.data[a.event].variance += (double)weight * (double)weight;
	}
}

/* A task that inherited the event has an interval of its own. */
static uint64_t weight_of(struct source *source, const struct record *r)
{
	bool own = source->owner < 0 || (uint32_t)source->owner == r->at.tid;

	return pace_weight(&source->pace, r->at.time, r->sample.period, own);
}

/*
 * A group's sample has the counters of all its members, whose weights are the changes since
 * the sample before.  A sample that is not written is therefore read too: its changes, of
 * tasks that are not the target's, must not fall to the next one.
 */
static void take_sample(struct recording *rec, const struct record *r)
{
	struct source *source = sources_find(&rec->sources, r->at.id);
	struct arrival a = { .rec = rec, .record = r, .wanted = wanted(rec, r) };

	if (!source) {
		take_staggered(rec, r);
		return;
	}
	if (is_replaced(rec, r, source->event))
		return;
	a.event = source->event;
	a.weight = weight_of(source, r);
	a.dropped = sources_is_double(&rec->sources, source, r->at.tid) || drops(rec, r);
	if (sources_event(&rec->sources, source)->leads)
		group_counts_take(&rec->counts, &r->sample.counts, true, r->at.id,
				  source->owner < 0 ? 0 : r->at.tid, write_member, &a);
	else
		write_sample(&a, a.event, a.weight);
}

/* Has the time of the newest record, so rows stay in time order. */
void recording_add_count(struct recording *rec, uint32_t event, uint32_t pid,
			 uint64_t count)
{
	uint64_t time = rec->last_ns > rec->start_ns ? rec->last_ns - rec->start_ns : 0;
	struct intern *in = &rec->in;
	struct thread *thread;
	uint32_t node;

	if (time < rec->from_ns || time >= rec->to_ns)
		return;
	thread = tasks_thread(&rec->tasks, pid, pid);
	node = intern_node(in, 0, intern_artificial(in, EXP_NOT_PROGRAM));
	exp_write_row(rec->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){
			      time, tasks_thread_id(&rec->tasks, thread), 0, event, count,
			      node });
	rec->events.data[event].samples++;
	rec->events.data[event].weight += count;
}

static void take_build_id(struct module *m, const struct record_mmap *map)
{
	for (unsigned i = 0; i < map->build_id_len; i++)
		snprintf(m->build_id.hex + 2 * i, 3, "%02x", map->build_id[i]);
}

/* In code without a file, and in the vDSO, the kernel's offset means nothing. */
static uint64_t offset_of(enum exp_module_kind kind, const struct record_mmap *map)
{
	switch (kind) {
	case EXP_KIND_FILE:
		return map->pgoff;
	case EXP_KIND_VDSO:
		return 0;
	default:
		return map->start;
	}
}

void recording_add_mapping(struct recording *rec, const struct record_mmap *map)
{
	struct process *process = tasks_process(&rec->tasks, map->pid);
	bool compat = module_kind_of(map->path) == EXP_KIND_VDSO &&
		      map->start <= UINT32_MAX;
	struct module m = {
		.path = (char *)(uintptr_t)(compat ? MODULE_VDSO32 : map->path),
		.kind = module_kind_of(map->path),
		.file = map->file,
		.pid = map->pid,
		.start = map->start,
		.end = map->start + map->len,
	};
	struct mapping mapping = {
		.start = m.start,
		.end = m.end,
		.offset = offset_of(m.kind, map),
	};

	m.offset = mapping.offset;
	process->bare = false;
	take_build_id(&m, map);
	mapping.module = module_table_add(&rec->modules, &m);
	if (mapping.module == MODULE_NO_ID) {
		rec->left_out[EXP_LEFT_MODULES]++;
		rec->left_out[EXP_LEFT_MAPPINGS] += tasks_cut(&rec->tasks, process,
							      m.start, m.end);
	} else {
		rec->left_out[EXP_LEFT_MAPPINGS] += tasks_map(&rec->tasks, process,
							      &mapping);
	}
}

/* Only an importable recording has these; the running kernel's come from /proc. */
static void add_kernel_mapping(struct recording *rec, const struct record_mmap *map)
{
	struct module m = { 0 };

	take_build_id(&m, map);
	rec->left_out[EXP_LEFT_KERNEL] += kernel_map_add(&rec->kernel, &rec->modules,
							 map->path, map->start, map->len,
							 map->pgoff, &m.build_id);
}

static void take_mmap(struct recording *rec, const struct record *r)
{
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
		return; /* of a virtual machine that PID runs */
	if (mode == PERF_RECORD_MISC_KERNEL) {
		add_kernel_mapping(rec, &r->mmap);
	} else if (r->mmap.prot & PROT_EXEC && ours(rec, r->mmap.pid)) {
		meet(rec, r->mmap.pid);
		note_exec(rec, r->mmap.pid);
		recording_add_mapping(rec, &r->mmap);
	}
}

static void take_fork(struct recording *rec, const struct record *r)
{
	struct thread *th;

	bool left_out = rec->alone && r->task.pid != r->task.ppid;

	if (r->task.pid != r->task.ppid)
		command_lines_settle(&rec->command_lines, r->task.pid, r->at.time);
	if (left_out || !ours(rec, r->task.ppid)) {
		tasks_forget(&rec->tasks, r->task.pid);
		return;
	}
	meet(rec, r->task.ppid);
	tasks_fork(&rec->tasks, r->task.pid, r->task.ppid, r->task.tid, time_of(rec, r));
	tasks_inherit_name(&rec->tasks, r->task.tid, r->task.ptid);
	th = tasks_find_thread(&rec->tasks, r->task.tid);
	th->heir = stagger_book_fork(&rec->stagger, r->task.ptid,
				     heir_of(rec, r->task.ptid), r->at.time);
	/* perf synthesized the record for a process that executed its program long ago */
	if (r->misc & PERF_RECORD_MISC_FORK_EXEC && r->task.pid != r->task.ppid)
		tasks_unmap(&rec->tasks, r->task.pid);
}

/* Removed code needs no handling: new code in its place replaces it. */
static void take_ksymbol(struct recording *rec, const struct record *r)
{
	const struct record_ksymbol *k = &r->ksymbol;

	if (!k->gone && k->len)
		rec->left_out[EXP_LEFT_KERNEL] += kernel_map_add(
			&rec->kernel, &rec->modules, k->name, k->start, k->len, 0,
			&(struct build_id){ { 0 } });
}

static void take_exit(struct recording *rec, const struct record *r)
{
	const struct thread *th;

	if (!ours(rec, r->task.pid))
		return;
	if (r->task.tid == r->task.pid) {
		untraceable_exit(&rec->untraceable, &rec->tasks,
				 tasks_process(&rec->tasks, r->task.pid));
		command_lines_settle(&rec->command_lines, r->task.pid, r->at.time);
	}
	th = tasks_find_thread(&rec->tasks, r->task.tid);
	stagger_book_exit(&rec->stagger, th ? th->born_ns : 0, time_of(rec, r));
	group_counts_end(&rec->counts, r->task.tid);
	tasks_exit(&rec->tasks, r->task.tid);
}

/* A thread that is not the leader takes its number, and its own counters with it. */
static void take_exec(struct recording *rec, const struct record *r)
{
	uint32_t pid = r->comm.pid, executor = tasks_executor(&rec->tasks, pid);

	note_exec(rec, pid);
	command_lines_settle(&rec->command_lines, pid, r->at.time);
	tasks_exec(&rec->tasks, pid, r->comm.name, time_of(rec, r));
	if (executor == pid)
		return;
	group_counts_move(&rec->counts, executor, pid);
	tasks_exit(&rec->tasks, executor);
}

static void take_comm(struct recording *rec, const struct record *r)
{
	if (!ours(rec, r->comm.pid))
		return;
	meet(rec, r->comm.pid);
	if (r->comm.exec) {
		take_exec(rec, r);
	} else {
		tasks_rename(&rec->tasks, r->comm.pid, r->comm.tid, r->comm.name);
	}
}

/* The owners of lost records are unknown: the thread is the one that then ran. */
static void take_lost(struct recording *rec, const struct record *r)
{
	uint32_t thread = 0;

	if (ours(rec, r->at.pid))
		thread = 1 +
			 tasks_thread_id(&rec->tasks,
					 tasks_thread(&rec->tasks, r->at.pid, r->at.tid));
	if (r->type == PERF_RECORD_LOST)
		rec->lost += r->lost;
	else
		rec->lost_samples += r->lost;
	exp_write_row(rec->writer, EXP_LOSSES,
		      (uint64_t[]){ time_of(rec, r), thread, r->at.cpu, r->lost });
}

static void take_read(struct recording *rec, const struct record *r)
{
	const struct source *source = sources_find(&rec->sources, r->read.id);
	struct thread *th;

	if (!source || !r->read.value ||
	    sources_is_double(&rec->sources, source, r->read.tid))
		return;
	stagger_book_count(&rec->stagger, source->event, r->read.value);
	th = tasks_find_thread(&rec->tasks, r->read.tid);
	if (th && th->heir)
		stagger_book_ran(&rec->stagger, &th->seen_ns, r->read.value);
	tally_count(&rec->tally, &rec->tasks, tasks_index(&rec->tasks, r->read.pid),
		    r->read.tid, source->event, r->read.value);
}

static void take_cgroup(struct recording *rec, const struct record *r)
{
	details_add_cgroup(&rec->details, &rec->in, &r->cgroup);
}

static void take_throttle(struct recording *rec, const struct record *r)
{
	(void)r;
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
	[PERF_RECORD_READ] = take_read,
};

void recording_take_record(struct recording *rec, const struct record *r)
{
	if (r->at.time > rec->last_ns)
		rec->last_ns = r->at.time;
	if (r->type < sizeof(takers) / sizeof(takers[0]) && takers[r->type])
		takers[r->type](rec, r);
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

void recording_take(void *ctx, const void *bytes, size_t len)
{
	struct recording *rec = ctx;
	struct record r;

	if (record_decode(format_of(rec, bytes, len), bytes, len, &r) < 0)
		rec->bad++;
	else
		recording_take_record(rec, &r);
}
