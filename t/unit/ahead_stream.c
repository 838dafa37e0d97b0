/* SPDX-License-Identifier: Apache-2.0 */
#include "ahead_maker.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "random.h"
#include "records.h"
#include "sample/sample_attr.h"
#include "base/xalloc.h"

uint32_t maker_below(struct maker *m, uint32_t limit)
{
	return random_below(&m->random, limit);
}

bool maker_happens(struct maker *m, unsigned rate)
{
	return maker_below(m, 1000) < rate;
}

/* ---- records ---- */

size_t maker_begin(struct maker *m, uint32_t type, uint16_t misc)
{
	struct stream *s = m->stream;

	*vec_push(&s->starts) = s->bytes.len;
	return rec_begin(&s->bytes, type, misc);
}

void maker_end(struct maker *m, size_t start, const struct record_id *at)
{
	struct stream *s = m->stream;

	rec_end_id(&s->bytes, start, s->format.sample_type, at);
}

uint64_t *maker_shift_of(struct maker *m, uint32_t pid)
{
	return &m->shifts[pid % STREAM_TASKS];
}

static uint32_t any_pid(struct maker *m)
{
	return STREAM_PID + maker_below(m, m->setup->processes);
}

/* The first is the process's own number; the others are further threads'. */
static uint32_t tid_of(struct maker *m, uint32_t pid)
{
	return pid + STREAM_TASKS * maker_below(m, m->setup->threads);
}

struct record_id maker_id_of(struct maker *m)
{
	struct record_id at = { .cpu = maker_below(m, 4),
				.time = m->time,
				.id = STREAM_EVENT };

	at.pid = any_pid(m);
	at.tid = tid_of(m, at.pid);
	if (m->hot && maker_below(m, 8)) {
		at.tid = m->hot;
		at.pid = STREAM_PID + (m->hot - STREAM_PID) % STREAM_TASKS;
	}
	return at;
}

void maker_be_strange(struct maker *m, struct record_id *at)
{
	static const uint32_t numbers[] = { UINT32_MAX, 0, 77, STREAM_PID };
	const uint32_t number = numbers[maker_below(m, 4)];

	switch (maker_below(m, 5)) {
	case 0:
		at->pid = number;
		break;
	case 1:
		at->tid = number;
		break;
	case 2:
		at->pid = at->tid = number;
		break;
	case 3:
		at->pid = any_pid(m);
		break;
	default:
		at->id = STREAM_EVENT + 1;
	}
}

/* ---- code ---- */

static void add_mmap(struct maker *m, const struct record_id *at, uint64_t from,
		     uint64_t len, uint64_t offset, const char *path)
{
	struct strbuf *sb = &m->stream->bytes;
	size_t start = maker_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);

	rec_u32(sb, at->pid);
	rec_u32(sb, at->tid);
	rec_u64(sb, from);
	rec_u64(sb, len);
	rec_u64(sb, offset);
	for (unsigned i = 0; i < 3; i++)
		rec_u64(sb, 0); /* no device, inode, generation */
	rec_u32(sb, PROT_READ | PROT_EXEC);
	rec_u32(sb, MAP_PRIVATE);
	rec_text(sb, path);
	maker_end(m, start, at);
}

/* The same file has another name there. */
#define ALIAS "/proc/self/root"

static void add_map(struct maker *m, const struct record_id *at,
		    const struct self_map *map, bool alias)
{
	char *path = xasprintf("%s%s", alias ? ALIAS : "", map->name);

	add_mmap(m, at, map->map.start + *maker_shift_of(m, at->pid),
		 map->map.end - map->map.start, map->map.file_offset, path);
	free(path);
}

static void add_all_maps(struct maker *m, const struct record_id *at)
{
	for (size_t i = 0; i < m->maps.len; i++)
		add_map(m, at, m->maps.data[i], false);
}

static const struct self_map *any_map(struct maker *m)
{
	return m->maps.data[maker_below(m, (uint32_t)m->maps.len)];
}

static void change_maps(struct maker *m)
{
	const struct record_id at = maker_id_of(m);
	const struct self_map *map = any_map(m), *other = any_map(m);
	const uint64_t from = map->map.start + *maker_shift_of(m, at.pid);
	const uint64_t len = map->map.end - map->map.start;

	switch (maker_below(m, 10)) {
	case 0:
		add_mmap(m, &at, from, len, 0, "/nowhere/at/all");
		break;
	case 1:
		add_mmap(m, &at, from, len, 0, "//anon");
		break;
	case 2:
		add_mmap(m, &at, from, len, other->map.file_offset, other->name);
		break;
	case 3:
		add_mmap(m, &at, from + maker_below(m, 2) * 4096, 4096, 0, "//anon");
		break;
	case 4:
	case 5:
		add_map(m, &at, map, true);
		break;
	default:
		add_all_maps(m, &at);
	}
}

static void change_kernel(struct maker *m)
{
	const struct record_id at = maker_id_of(m);
	const bool symbol = maker_below(m, 2), of_process = maker_below(m, 2);
	struct strbuf *sb = &m->stream->bytes;
	size_t start = maker_begin(m, symbol ? PERF_RECORD_KSYMBOL : PERF_RECORD_MMAP,
				   symbol ? 0 : PERF_RECORD_MISC_KERNEL);

	if (symbol) {
		rec_u64(sb, MAKER_KERNEL + 4096 * maker_below(m, 0x1000));
		rec_u32(sb, 4096 * (1 + maker_below(m, 100)));
		rec_u32(sb, PERF_RECORD_KSYMBOL_TYPE_BPF);
		rec_text(sb, maker_below(m, 2) ? "bpf_prog_1" : "bpf_prog_2");
	} else {
		rec_u32(sb, of_process ? at.pid : UINT32_MAX);
		rec_u32(sb, of_process ? at.tid : 0);
		rec_u64(sb, MAKER_KERNEL + 4096 * maker_below(m, 0x1000));
		rec_u64(sb, 4096 * (1 + maker_below(m, 1000)));
		rec_u64(sb, 0);
		rec_text(sb, maker_below(m, 2) ? "/lib/modules/6.1/a.ko"
					       : "[kernel.kallsyms]_text");
	}
	maker_end(m, start, &at);
}

/* ---- tasks ---- */

static void add_task(struct maker *m, uint32_t type, const struct record_id *at,
		     const struct record_task *task)
{
	struct strbuf *sb = &m->stream->bytes;
	size_t start = maker_begin(m, type, 0);

	rec_u32(sb, task->pid);
	rec_u32(sb, task->ppid);
	rec_u32(sb, task->tid);
	rec_u32(sb, task->ptid);
	rec_u64(sb, m->time);
	maker_end(m, start, at);
}

/* A child has its parent's code. */
static void add_fork(struct maker *m, const struct record_id *at)
{
	struct record_task task = { .ppid = at->pid, .ptid = at->tid };

	m->time += 2000000; /* a fork within a millisecond is the same: tasks_fork */
	if (maker_below(m, 2)) {
		task.pid = any_pid(m);
		task.tid = task.pid;
		*maker_shift_of(m, task.pid) = *maker_shift_of(m, at->pid);
	} else {
		task.pid = at->pid;
		task.tid = tid_of(m, at->pid);
	}
	if (m->setup->rates.strange && !maker_below(m, 4))
		task.tid = maker_id_of(m).tid;
	add_task(m, PERF_RECORD_FORK, at, &task);
}

/* Of some processes all threads, one after another. */
static void add_exit(struct maker *m, const struct record_id *at)
{
	struct record_task task = { at->pid, at->pid, at->tid, at->tid };

	if (m->setup->rates.strange && maker_below(m, 2))
		task.pid = any_pid(m);
	add_task(m, PERF_RECORD_EXIT, at, &task);
	for (unsigned i = 0; i < m->setup->threads && at->pid % 3 == 0; i++) {
		task.tid = at->pid + STREAM_TASKS * i;
		add_task(m, PERF_RECORD_EXIT, at, &task);
	}
}

static void change_tasks(struct maker *m)
{
	const struct record_id at = maker_id_of(m);

	if (maker_below(m, 3))
		add_fork(m, &at);
	else
		add_exit(m, &at);
}

static void change_name(struct maker *m)
{
	const struct record_id at = maker_id_of(m);
	const bool executes = maker_below(m, 2);
	struct strbuf *sb = &m->stream->bytes;
	size_t start = maker_begin(m, PERF_RECORD_COMM,
				   executes ? PERF_RECORD_MISC_COMM_EXEC : 0);

	rec_u32(sb, at.pid);
	rec_u32(sb, executes ? at.pid : at.tid);
	rec_text(sb, maker_below(m, 2) ? "this" : "that");
	maker_end(m, start, &at);
	if (!executes)
		return;
	*maker_shift_of(m, at.pid) = maker_below(m, 2) * UINT64_C(0x10000000);
	if (maker_below(m, 4))
		add_all_maps(m, &at);
}

/* Neither sample nor anything that changes code. */
static void add_strange(struct maker *m)
{
	struct record_id at = maker_id_of(m);
	struct strbuf *sb = &m->stream->bytes;
	size_t start;

	maker_be_strange(m, &at);
	switch (maker_below(m, 4)) {
	case 0: /* it ends too early */
		start = maker_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		rec_u64(sb, STREAM_EVENT);
		rec_end(sb, start);
		break;
	case 1:
		add_task(m, PERF_RECORD_EXIT, &at,
			 &(struct record_task){ at.pid, at.pid, at.tid, at.tid });
		break;
	case 2:
		start = maker_begin(m, 200, 0);
		maker_end(m, start, &at);
		break;
	default:
		start = maker_begin(m, PERF_RECORD_LOST, 0);
		rec_u64(sb, at.id);
		rec_u64(sb, 3);
		maker_end(m, start, &at);
	}
}

/* ---- a stream ---- */

static void add_one(struct maker *m)
{
	const struct stream_rates *rates = &m->setup->rates;

	m->time += 1 + random_next(&m->random) % (2 * STREAM_STEP_NS);
	if (maker_happens(m, 4))
		m->hot = maker_below(m, 2) ? maker_id_of(m).tid : 0;
	if (maker_happens(m, rates->maps))
		change_maps(m);
	else if (maker_happens(m, rates->tasks))
		change_tasks(m);
	else if (maker_happens(m, rates->names))
		change_name(m);
	else if (maker_happens(m, rates->kernel))
		change_kernel(m);
	else if (maker_happens(m, rates->strange))
		add_strange(m);
	else
		maker_add_sample(m);
}

static void find_maps(struct maker *m)
{
	vec_for_each(const struct self_map, map, &m->stream->space.maps)
		if (map->map.executable && map->name[0] == '/')
			*vec_push(&m->maps) = map;
}

/* The processes that run already; some have their code elsewhere. */
static void begin_processes(struct maker *m)
{
	for (uint32_t i = 0; i < m->setup->processes; i++) {
		const uint32_t pid = STREAM_PID + i;
		const struct record_id at = { .pid = pid, .tid = pid, .time = m->time };

		*maker_shift_of(m, pid) = i % 3 * UINT64_C(0x10000000);
		add_all_maps(m, &at);
	}
}

void stream_make(struct stream *stream, const struct stream_setup *setup,
		 unsigned records)
{
	struct maker m = {
		.setup = setup,
		.stream = stream,
		.random = setup->seed,
		.time = STREAM_BEGIN_NS,
		.sample = xcalloc(1, sizeof(*m.sample)),
	};

	*stream = (struct stream){ .format = sample_format(STACK_CFI) };
	own_stacks_init(&m.stacks, m.sample, &stream->space);
	find_maps(&m);
	begin_processes(&m);
	for (unsigned i = 0; i < records; i++)
		add_one(&m);
	*vec_push(&stream->starts) = stream->bytes.len;
	vec_release(&m.maps);
	free(m.sample);
}

void stream_release(struct stream *stream)
{
	self_space_release(&stream->space);
	vec_release(&stream->starts);
	strbuf_release(&stream->bytes);
}
