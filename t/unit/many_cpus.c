/* SPDX-License-Identifier: Apache-2.0 */
#include "many_cpus_kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "experiment/log.h"
#include "experiment/read.h"
#include "sample/evlist_unit.h"
#include "scratch.h"
#include "base/thread_time.h"
#include "base/xalloc.h"

enum { SPARE = 64 << 10 /* of our stack, to be mapped before we look */ };

#define BOOT_NS 1000000000u
#define STEP_NS 1000000u /* the time between two looks at the rings' fill */

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "many_cpus: %s\n", what);
	exit(99);
}

/* ---- time ---- */

static void pass(struct many_cpus *m, uint64_t ns)
{
	fake.now += ns;
	for (size_t i = 0; i < m->setup.cpus; i++)
		many_cpus_work(m, &m->cpus[i], fake.now);
}

static bool is_half_full(const struct many_cpus *m)
{
	for (size_t i = 0; i < m->setup.cpus; i++) {
		const struct ring *ring = m->cpus[i].ring;

		if (ring->page->data_head - ring->page->data_tail >= ring->size / 2)
			return true;
	}
	return false;
}

/*
 * CPU time along the longest way: this thread's, and while several read, that of the one that
 * takes longest, as if each had a CPU.
 */
static uint64_t used_ns(const struct many_cpus *m)
{
	const struct crew_times times = readers_stats(&m->loop.readers).times;

	return thread_time_ns() + times.longest_ns - times.caller_ns;
}

static uint64_t real_ns(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void read_rings(struct many_cpus *m)
{
	uint64_t from = used_ns(m), real = real_ns(), samples = m->rec.samples, used;

	if (loop_round(&m->loop))
		give_up("the experiment cannot be written");
	m->real_ns += real_ns() - real;
	used = used_ns(m) - from;
	m->used_ns += used;
	m->rounds++;
	pass(m,
	     m->setup.sample_ns ? (m->rec.samples - samples) * m->setup.sample_ns : used);
}

static void rest(struct many_cpus *m, uint64_t until)
{
	uint64_t wake = fake.now + (uint64_t)loop_rest_ms(&m->loop) * 1000000u;

	if (wake > until)
		wake = until;
	while (fake.now < wake && !is_half_full(m))
		pass(m, wake - fake.now < STEP_NS ? wake - fake.now : STEP_NS);
}

void many_cpus_run(struct many_cpus *m, uint64_t ns)
{
	uint64_t until = fake.now + ns;

	while (fake.now < until) {
		rest(m, until);
		read_rings(m);
	}
}

/* ---- from start to end ---- */

/* As a look at /proc before the first sample finds them. */
static void add_process(struct many_cpus *m, uint32_t pid)
{
	vec_for_each(const struct self_map, map, &m->space.maps)
		if (map->map.executable && map->name[0])
			recording_add_mapping(
				&m->rec, &(struct record_mmap){
						 .pid = pid,
						 .tid = pid,
						 .start = map->map.start,
						 .len = map->map.end - map->map.start,
						 .pgoff = map->map.file_offset,
						 .path = map->name });
}

static void make_cpus(struct many_cpus *m)
{
	struct ring *rings = evlist_rings(&m->evlist).first;

	m->cpus = xcalloc(m->setup.cpus, sizeof(*m->cpus));
	for (size_t i = 0; i < m->setup.cpus; i++) {
		uint64_t first = 1000000000u / m->setup.hz * i / m->setup.cpus;

		m->cpus[i] = (struct many_cpus_cpu){
			.number = (uint32_t)i,
			.next_ns = fake.now + first + 1,
			.slot = UINT64_MAX,
			.ring = &rings[i],
		};
		if (i % MANY_CPUS_GROUP == 0)
			add_process(m, MANY_CPUS_TID + (uint32_t)i);
	}
}

static void open_events(struct many_cpus *m)
{
	struct rung rung = { 0 };
	struct strbuf err = { 0 };
	struct evlist_setup setup = {
		.sys = &m->sys,
		.ladder = &m->ladder,
		.mode = STACK_CFI,
		.scope = SCOPE_CPU,
		.follow = true,
		.vary = true,
	};

	event_clock(1000000000u / m->setup.hz, &rung.event);
	*vec_push(&m->ladder.rungs) = rung;
	m->ladder.features = ATTR_LOST;
	if (evlist_open(&m->evlist, &setup, &err))
		give_up(strbuf_str(&err));
	strbuf_release(&err);
}

static void begin_recording(struct many_cpus *m)
{
	struct recording_setup setup = {
		.format = m->evlist.format,
		.mode = STACK_CFI,
		.everyone = true,
		.trust_paths = true,
		.start_ns = fake.now,
	};

	if (exp_writer_open(m->dir, &setup.writer))
		give_up("no experiment");
	recording_init(&m->rec, &setup);
	recording_expect(&m->rec, 1);
	if (evlist_register(&m->evlist, &m->rec.sources))
		give_up("the events have no numbers");
}

/* For the experiment, and for what the machine reports of itself. */
static void make_folder(struct many_cpus *m)
{
	char *text = xasprintf("MemAvailable: %llu kB\n",
			       (unsigned long long)m->setup.memory_mib << 10);

	m->dir = scratch_make();
	m->sys.root = m->dir;
	if (m->setup.memory_mib)
		scratch_text(m->dir, "proc/meminfo", text);
	free(text);
}

/* Our stack's mapping grows now: it is looked up once. */
static __attribute__((noinline)) void touch_stack(void)
{
	volatile char spare[SPARE];

	spare[0] = spare[SPARE - 1] = 0;
	(void)spare[0];
}

void many_cpus_init(struct many_cpus *m, const struct many_cpus_setup *setup)
{
	fake_boot();
	fake.cpus_here = (long)setup->cpus;
	fake.now = BOOT_NS;
	*m = (struct many_cpus){
		.setup = *setup,
		.sys = fake_sys,
		.target = TARGET_NONE,
		.random = 88172645463325252u,
		.sample = xcalloc(1, sizeof(*m->sample)),
	};
	make_folder(m);
	touch_stack();
	self_space_init(&m->space);
	open_events(m);
	begin_recording(m);
	make_cpus(m);
	m->loop = (struct loop){
		.sys = &m->sys,
		.evlist = &m->evlist,
		.rec = &m->rec,
		.sockets = &m->sockets,
		.target = &m->target,
		.signals = -1,
		.stop_ns = UINT64_MAX,
		.bytes_max = UINT64_MAX,
		.readers_wanted = setup->readers ? setup->readers : 1,
	};
	loop_begin(&m->loop);
}

static void write_log(const struct many_cpus *m)
{
	struct exp_log log = { 0 };
	int dir = open(m->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*vec_push(&log.events) = (struct exp_event){
		.asked = xstrdup("cpu"),
		.got = xstrdup("cpu-clock"),
		.reason = xstrdup(""),
		.metric = xstrdup("cpu"),
		.label = xstrdup("CPU"),
		.unit = xstrdup("ns"),
		.leader = xstrdup(""),
		.skid = xstrdup(""),
	};
	if (dir < 0 || exp_log_write_at(&log, dir))
		give_up("no log");
	close(dir);
	exp_log_release(&log);
}

void many_cpus_finish(struct many_cpus *m)
{
	uint64_t from = used_ns(m), real = real_ns();

	loop_end(&m->loop, true);
	m->real_ns += real_ns() - real;
	m->used_ns += used_ns(m) - from;
	if (recording_flush(&m->rec))
		give_up("the experiment cannot be written");
	write_log(m);
}

void many_cpus_release(struct many_cpus *m)
{
	struct exp_writer *writer = m->rec.writer;

	recording_release(&m->rec);
	if (exp_writer_close(writer))
		give_up("the experiment cannot be closed");
	evlist_release(&m->evlist);
	ladder_release(&m->ladder);
	self_space_release(&m->space);
	vec_release(&m->threads);
	free(m->cpus);
	free(m->sample);
	scratch_remove(m->dir);
}

/* ---- reading it again ---- */

/* Of a thread: its last sample's time, and how many there were. */
struct seen {
	uint64_t time_ns, count;
};

static void look_at(const struct experiment *exp, const struct exp_samples *s,
		    struct seen *seen, struct many_cpus_found *found)
{
	for (size_t i = 0; i < s->count; i++) {
		int64_t tid = exp->threads.data[s->thread[i]].tid;
		struct seen *of = &seen[tid - MANY_CPUS_TID];

		found->late += of->count && s->time_ns[i] <= of->time_ns;
		of->time_ns = s->time_ns[i];
		of->count++;
	}
	found->samples += s->count;
}

void many_cpus_read(const struct many_cpus *m, struct many_cpus_found *found)
{
	struct seen *seen = xcalloc(m->threads.len, sizeof(*seen));
	struct strbuf err = { 0 };
	struct exp_walk walk = { 0 };
	struct exp_samples samples;
	struct experiment *exp;

	*found = (struct many_cpus_found){ 0 };
	if (experiment_open_unbounded(m->dir, &exp, &err))
		give_up(strbuf_str(&err));
	while (experiment_next(exp, &walk, &samples) > 0)
		look_at(exp, &samples, seen, found);
	for (size_t i = 0; i < m->threads.len; i++)
		found->missing += m->threads.data[i].written - seen[i].count;
	found->nodes = exp->nodes.len;
	exp_walk_release(&walk);
	experiment_free(exp);
	strbuf_release(&err);
	free(seen);
}
