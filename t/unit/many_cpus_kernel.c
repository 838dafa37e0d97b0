/* SPDX-License-Identifier: Apache-2.0 */
#include "many_cpus_kernel.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "records.h"
#include "sample/evlist_unit.h"

enum {
	DEPTH = 20,
	STACKS = 1000,      /* that recur */
	BIRTHS_ONE_IN = 16, /* CPUs that run a new process, at any time */
	KERNEL_ONE_IN = 8,  /* samples that are taken in the kernel */
};

#define SLOT_NS 7000000u /* how long a thread stays on a CPU */

/* xorshift64 */
static uint64_t draw(struct many_cpus *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	return m->random ^= m->random << 17;
}

/* ---- the kernel's side of a ring ---- */

static void put(const struct ring *ring, uint64_t at, const void *bytes, size_t len)
{
	unsigned char *data = (unsigned char *)ring->page + sysconf(_SC_PAGESIZE);
	size_t place = (size_t)at & (ring->size - 1);
	size_t first = len < ring->size - place ? len : ring->size - place;

	memcpy(data + place, bytes, first);
	memcpy(data, (const unsigned char *)bytes + first, len - first);
}

static bool has_room(const struct ring *ring, size_t len)
{
	uint64_t tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE);

	return ring->page->data_head + len - tail <= ring->size;
}

static void advance(const struct ring *ring, size_t len)
{
	__atomic_store_n(&ring->page->data_head, ring->page->data_head + len,
			 __ATOMIC_RELEASE);
}

static struct record_id id_of(const struct many_cpus *m, const struct many_cpus_cpu *cpu,
			      uint64_t time)
{
	return (struct record_id){
		.pid = cpu->pid,
		.tid = cpu->tid,
		.cpu = cpu->number,
		.time = time,
		.id = (uint64_t)*evlist_event_fd(&m->evlist, cpu->number, 0),
	};
}

/*
 * Makes room for LEN bytes and, after losses, for the record that reports them, which it
 * writes.  False: there is none, and one more is lost.
 */
static bool reserve(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time,
		    size_t len)
{
	const struct record_id at = id_of(m, cpu, time);
	struct strbuf sb = { 0 };
	bool room;

	if (cpu->lost) {
		size_t start = rec_begin(&sb, PERF_RECORD_LOST, 0);

		rec_u64(&sb, at.id);
		rec_u64(&sb, cpu->lost);
		rec_end_id(&sb, start, m->evlist.format.sample_type, &at);
	}
	room = has_room(cpu->ring, sb.len + len);
	if (room && cpu->lost) {
		put(cpu->ring, cpu->ring->page->data_head, sb.data, sb.len);
		advance(cpu->ring, sb.len);
		m->reported += cpu->lost;
		cpu->lost = 0;
	}
	cpu->lost += !room;
	strbuf_release(&sb);
	return room;
}

static void write_record(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time,
			 struct strbuf *sb)
{
	if (reserve(m, cpu, time, sb->len)) {
		put(cpu->ring, cpu->ring->page->data_head, sb->data, sb->len);
		advance(cpu->ring, sb->len);
	} else {
		m->lost_others++;
	}
	strbuf_clear(sb);
}

/* ---- samples ---- */

/* The registers that perf would give, from those of a sample of ours. */
static void add_regs(struct strbuf *sb, const struct unwind_regs *regs, uint64_t mask)
{
	const struct unwind_arch *arch = unwind_arch_host();

	rec_u64(sb, PERF_SAMPLE_REGS_ABI_64);
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t value = bit == arch->perf_pc ? regs->pc : 0;

		if (!(mask >> bit & 1))
			continue;
		for (unsigned n = 0; n < arch->nregs && bit != arch->perf_pc; n++)
			if (arch->perf_reg[n] == bit)
				value = regs->reg[n];
		rec_u64(sb, value);
	}
}

static void add_chain(struct strbuf *sb, bool kernel)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000010,
					  0xffffffff81000320, 0xffffffff81000048 };
	const size_t len = kernel ? sizeof(chain) / sizeof(*chain) : 0;

	rec_u64(sb, len);
	strbuf_add(sb, chain, len * sizeof(*chain));
}

/* What the kernel makes of the size of a copy behind LEN bytes: a record has 16 bits. */
static uint64_t room_for_copy(uint64_t bytes, size_t len)
{
	uint64_t most = (UINT16_MAX - len - 3 * sizeof(uint64_t) + 7) & ~UINT64_C(7);

	return bytes < most ? bytes : most;
}

/*
 * A sample takes the room of a whole copy, and the kernel writes into it what there is of the
 * stack, and behind the room how much that was.
 */
static void write_sample(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time)
{
	const struct perf_event_attr *attr = &fake.last;
	const bool kernel = draw(m) % KERNEL_ONE_IN == 0;
	uint64_t room, used;
	struct rec_sample sample = {
		.at = id_of(m, cpu, time),
		.ip = m->sample->regs.pc,
		.period = 1000000000u / m->setup.hz,
	};
	struct strbuf sb = { 0 };
	size_t start = rec_begin(&sb, PERF_RECORD_SAMPLE,
				 kernel ? PERF_RECORD_MISC_KERNEL
					: PERF_RECORD_MISC_USER);
	struct perf_event_header header;
	size_t len;

	rec_sample_ids(&sb, attr->sample_type, &sample);
	add_chain(&sb, kernel);
	add_regs(&sb, &m->sample->regs, attr->sample_regs_user);
	room = room_for_copy(evlist_copy_bytes(&m->evlist), sb.len);
	used = m->sample->stack_len < room ? m->sample->stack_len & ~UINT64_C(7) : room;
	rec_u64(&sb, room);
	len = sb.len + room + 8;
	rec_end(&sb, start);
	memcpy(&header, sb.data, sizeof(header));
	header.size = (uint16_t)len;
	memcpy(sb.data, &header, sizeof(header));
	m->samples++;
	if (reserve(m, cpu, time, len)) {
		uint64_t head = cpu->ring->page->data_head;

		put(cpu->ring, head, sb.data, sb.len);
		put(cpu->ring, head + sb.len, m->sample->stack, used);
		put(cpu->ring, head + len - 8, &used, sizeof(used));
		advance(cpu->ring, len);
		while (m->threads.len <= cpu->tid - MANY_CPUS_TID)
			*vec_push(&m->threads) = (struct many_cpus_thread){ 0 };
		m->threads.data[cpu->tid - MANY_CPUS_TID].written++;
	} else {
		m->lost++;
	}
	strbuf_release(&sb);
}

/* Four functions of different frames call each other, on a way that PATH chooses. */
typedef unsigned step_fn(struct many_cpus *m, int depth, uint64_t path);
static step_fn small_frame, many_registers, large_frame, two_words;
static step_fn *const steps[] = { small_frame, many_registers, large_frame, two_words };

static __attribute__((noinline)) unsigned look_here(struct many_cpus *m)
{
	SELF_SAMPLE_HERE(m->sample, &m->space, evlist_copy_bytes(&m->evlist));
	return 1;
}

static __attribute__((noinline)) unsigned next(struct many_cpus *m, int depth,
					       uint64_t path)
{
	if (depth <= 0)
		return look_here(m) + 1;
	return steps[path & 3](m, depth - 2, path >> 2) + 1;
}

static __attribute__((noinline)) unsigned small_frame(struct many_cpus *m, int depth,
						      uint64_t path)
{
	return next(m, depth, path) + 1;
}

static __attribute__((noinline)) unsigned many_registers(struct many_cpus *m, int depth,
							 uint64_t path)
{
	unsigned x = (unsigned)depth, p = x * 3, q = x ^ 5, r = x | 7, s = x / 11;
	unsigned y = next(m, depth, path);

	return y + p * q + r * s;
}

static __attribute__((noinline)) unsigned large_frame(struct many_cpus *m, int depth,
						      uint64_t path)
{
	volatile unsigned table[16];

	table[depth & 15] = (unsigned)depth;
	return next(m, depth, path) + table[(depth + 1) & 15];
}

static __attribute__((noinline)) unsigned two_words(struct many_cpus *m, int depth,
						    uint64_t path)
{
	volatile uint64_t words[2] = { path, path };

	return next(m, depth, path) + (unsigned)words[depth & 1];
}

static void take_sample(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time)
{
	uint64_t path = draw(m);

	if (draw(m) % m->setup.new_each)
		path %= STACKS;
	next(m, DEPTH, path);
	write_sample(m, cpu, time);
}

/* ---- tasks ---- */

static void write_task(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time,
		       uint32_t type, uint32_t parent)
{
	const struct record_id at = id_of(m, cpu, time);
	struct strbuf sb = { 0 };
	size_t start = rec_begin(&sb, type, 0);

	rec_u32(&sb, cpu->pid);
	rec_u32(&sb, parent);
	rec_u32(&sb, cpu->tid);
	rec_u32(&sb, parent);
	rec_u64(&sb, time);
	rec_end_id(&sb, start, m->evlist.format.sample_type, &at);
	write_record(m, cpu, time, &sb);
	strbuf_release(&sb);
}

static void write_exec(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time)
{
	const struct record_id at = id_of(m, cpu, time);
	struct strbuf sb = { 0 };
	size_t start = rec_begin(&sb, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);

	rec_u32(&sb, cpu->pid);
	rec_u32(&sb, cpu->tid);
	rec_text(&sb, "born");
	rec_end_id(&sb, start, m->evlist.format.sample_type, &at);
	write_record(m, cpu, time, &sb);
	strbuf_release(&sb);
}

static void write_mmap(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time,
		       const struct self_map *map)
{
	const struct record_id at = id_of(m, cpu, time);
	struct strbuf sb = { 0 };
	size_t start = rec_begin(&sb, PERF_RECORD_MMAP2, 0);

	rec_u32(&sb, cpu->pid);
	rec_u32(&sb, cpu->tid);
	rec_u64(&sb, map->map.start);
	rec_u64(&sb, map->map.end - map->map.start);
	rec_u64(&sb, map->map.file_offset);
	for (unsigned i = 0; i < 3; i++)
		rec_u64(&sb, 0); /* no device, inode, generation */
	rec_u32(&sb, PROT_READ | PROT_EXEC);
	rec_u32(&sb, MAP_PRIVATE);
	rec_text(&sb, map->name);
	rec_end_id(&sb, start, m->evlist.format.sample_type, &at);
	write_record(m, cpu, time, &sb);
	strbuf_release(&sb);
}

/* The number of the first process that is born; those before run already. */
static uint32_t first_born(const struct many_cpus *m)
{
	return MANY_CPUS_TID + (uint32_t)m->setup.cpus;
}

/* The CPU's process starts another one, of this program. */
static void be_born(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time)
{
	uint32_t parent = cpu->pid;

	cpu->pid = cpu->tid = first_born(m) + m->births++;
	write_task(m, cpu, time, PERF_RECORD_FORK, parent);
	write_exec(m, cpu, time);
	vec_for_each(const struct self_map, map, &m->space.maps)
		if (map->map.executable && map->name[0])
			write_mmap(m, cpu, time, map);
}

/* Another thread comes to the CPU; no two CPUs have the same. */
static void change_thread(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t time)
{
	uint64_t slot = time / SLOT_NS, thread;

	if (cpu->slot == slot)
		return;
	if (cpu->pid >= first_born(m))
		write_task(m, cpu, time, PERF_RECORD_EXIT, 1);
	thread = (cpu->number + slot) % m->setup.cpus;
	cpu->slot = slot;
	cpu->pid = MANY_CPUS_TID + (uint32_t)(thread / MANY_CPUS_GROUP * MANY_CPUS_GROUP);
	cpu->tid = MANY_CPUS_TID + (uint32_t)thread;
	if (slot % BIRTHS_ONE_IN == cpu->number % BIRTHS_ONE_IN)
		be_born(m, cpu, time);
}

void many_cpus_work(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t until)
{
	for (; cpu->next_ns <= until; cpu->next_ns += 1000000000u / m->setup.hz) {
		change_thread(m, cpu, cpu->next_ns);
		take_sample(m, cpu, cpu->next_ns);
	}
}
