/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen_experiment DIR SAMPLES [NODES [THREADS]]: an experiment of any size, shaped like a recording of
 * the sqlite3 shell: 2,000 frames in 800 functions of five modules, one tree of 20,000 nodes
 * or as many as NODES says, stacks 8 to 40 frames deep, one thread at about 1 kHz.  A few stacks take most of the
 * samples, and a stack is often that of the sample before.  The same arguments give the
 * same bytes of data.
 *
 * With THREADS it is like one by collect -w on: the samples are waits of so many threads, which get a
 * CPU in turn, a million times a second in all; what a thread waits for depends on the function.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/log.h"
#include "experiment/state.h"
#include "experiment/write.h"
#include "base/idmap.h"
#include "base/diag.h"
#include "base/program.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

enum {
	MODULES = 5,
	FUNCTIONS = 800,
	FRAMES = 2000,
	NODES_USUAL = 20000,
	NODES_MAX = 100000000,
	SPINE = 8, /* nodes 1 … SPINE: main and what every stack begins with */
	DEPTH_MAX = 40,
	FUNCTION_SIZE = 256,
	PERIOD_NS = 997000,
	THREADS_MAX = 100000,
	SWITCH_NS = 1000, /* between two switches of any threads */
	RUN_NS = 500,     /* between two waits of a thread, at least */
	HALVINGS = 7, /* of the time in which it might wait, so that durations differ */
};

static const char *const module_paths[MODULES] = {
	"/usr/bin/sqlite3",
	"/usr/lib/x86_64-linux-gnu/libsqlite3.so.0.8.6",
	"/usr/lib/x86_64-linux-gnu/libc.so.6",
	"/usr/lib/x86_64-linux-gnu/libm.so.6",
	"[kernel]",
};

struct generator {
	struct exp_writer *out;
	uint64_t random; /* xorshift64 */
	uint32_t strings;
	uint32_t nodes;
	uint32_t *frame; /* by node */
	uint8_t *depth;
	uint32_t waiting; /* threads; 0: the samples are no waits */
	uint64_t *ran_ns; /* by thread: when it last had a CPU */
	struct wait_sum {
		uint64_t waits, ns;
	} sums[EXP_STATES];
};

static uint64_t next_random(struct generator *g)
{
	g->random ^= g->random << 13;
	g->random ^= g->random >> 7;
	g->random ^= g->random << 17;
	return g->random;
}

/* 0 … limit - 1, the small ones far more often. */
static uint32_t skewed(struct generator *g, uint32_t limit)
{
	double u = (double)(next_random(g) >> 11) / 9007199254740992.0;

	return (uint32_t)(u * u * u * limit);
}

static uint64_t add_string(struct generator *g, const char *text)
{
	exp_write_string(g->out, text);
	return ++g->strings;
}

static uint32_t module_of(uint32_t function)
{
	/* Most of the functions are the library's. */
	return function % 8 < 4 ? 1 : function % MODULES;
}

static void add_modules(struct generator *g)
{
	for (uint32_t i = 0; i < MODULES; i++) {
		uint64_t row[EXP_MODULE_COLUMNS] = {
			[EXP_MODULE_PATH] = add_string(g, module_paths[i]),
			[EXP_MODULE_KIND] = module_paths[i][0] == '[' ? EXP_KIND_KERNEL
								      : EXP_KIND_FILE,
		};

		exp_write_row(g->out, EXP_MODULES, row);
	}
}

static void add_symbols(struct generator *g)
{
	struct strbuf name = { 0 };

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint64_t row[EXP_SYMBOL_COLUMNS] = {
			[EXP_SYMBOL_MODULE] = module_of(i),
			[EXP_SYMBOL_START] = 0x1000 + (uint64_t)i * FUNCTION_SIZE,
			[EXP_SYMBOL_SIZE] = FUNCTION_SIZE,
			[EXP_SYMBOL_SOURCE] = EXP_SOURCE_SYMTAB,
		};

		strbuf_clear(&name);
		strbuf_addf(&name, "sqlite3VdbeFunction%u", i);
		row[EXP_SYMBOL_NAME] = add_string(g, strbuf_str(&name));
		exp_write_row(g->out, EXP_SYMBOLS, row);
	}
	strbuf_release(&name);
}

static void add_frames(struct generator *g)
{
	for (uint32_t i = 0; i < FRAMES; i++) {
		uint32_t function = i % FUNCTIONS;
		uint64_t row[EXP_FRAME_COLUMNS] = {
			[EXP_FRAME_MODULE] = module_of(function),
			[EXP_FRAME_OFFSET] = 0x1000 + (uint64_t)function * FUNCTION_SIZE +
					     16 * (i / FUNCTIONS) + 5,
			[EXP_FRAME_FLAGS] = i % 3 ? EXP_FRAME_RETURN : 0,
		};

		exp_write_row(g->out, EXP_FRAMES, row);
	}
}

/* A parent that is not too deep: recent nodes, so that the tree has long branches. */
static uint32_t pick_parent(struct generator *g, uint32_t node)
{
	uint32_t parent;

	if (node <= SPINE)
		return node - 1;
	do
		parent = node - 1 - skewed(g, node - SPINE);
	while (g->depth[parent] >= DEPTH_MAX);
	return parent;
}

static void add_nodes(struct generator *g)
{
	struct idmap seen = { 0 };

	g->frame = xcalloc(g->nodes + 1, sizeof(*g->frame));
	g->depth = xcalloc(g->nodes + 1, sizeof(*g->depth));
	for (uint32_t i = 1; i <= g->nodes; i++) {
		uint64_t row[EXP_NODE_COLUMNS];
		uint32_t parent, frame;

		/* A function calls a handful of others; a stack has one node. */
		do {
			parent = pick_parent(g, i);
			frame = (g->frame[parent] * 31 + skewed(g, 40) * 17 + 1) % FRAMES;
		} while (idmap_intern(&seen, parent, frame, i) != i);
		g->frame[i] = frame;
		g->depth[i] = (uint8_t)(g->depth[parent] + 1);
		row[EXP_NODE_PARENT] = parent;
		row[EXP_NODE_FRAME] = frame;
		exp_write_row(g->out, EXP_NODES, row);
	}
	idmap_release(&seen);
	free(g->depth);
}

static void add_threads(struct generator *g)
{
	uint64_t name = add_string(g, "sqlite3");
	uint64_t process[EXP_PROCESS_COLUMNS] = {
		[EXP_PROCESS_PID] = 4711,
		[EXP_PROCESS_NAME] = name,
	};
	uint64_t thread[EXP_THREAD_COLUMNS] = {
		[EXP_THREAD_TID] = 4711,
		[EXP_THREAD_NAME] = name,
	};

	exp_write_row(g->out, EXP_PROCESSES, process);
	do
		exp_write_row(g->out, EXP_THREADS, thread);
	while (++thread[EXP_THREAD_TID] < 4711 + g->waiting);
}

/* Makes the sample in ROW, the I-th, a wait. */
static void make_wait(struct generator *g, uint64_t i, uint64_t *row)
{
	const uint32_t thread = (uint32_t)(i % g->waiting);
	const uint32_t function = g->frame[row[EXP_SAMPLE_NODE]] % FUNCTIONS;
	const uint32_t state = function % EXP_STATES;
	const uint64_t time = (i + 1) * SWITCH_NS;

	row[EXP_SAMPLE_TIME_NS] = time;
	row[EXP_SAMPLE_THREAD] = thread;
	row[EXP_SAMPLE_EVENT] = 1 + state;
	row[EXP_SAMPLE_WEIGHT] = (time - g->ran_ns[thread]) >> next_random(g) % HALVINGS;
	g->ran_ns[thread] = time + RUN_NS;
	g->sums[state].waits++;
	g->sums[state].ns += row[EXP_SAMPLE_WEIGHT];
}

static void add_lives(struct generator *g, uint64_t end_ns)
{
	for (uint32_t i = 0; i < g->waiting; i++)
		exp_write_row(g->out, EXP_LIVES,
			      (uint64_t[EXP_LIFE_COLUMNS]){ i, 0, end_ns + RUN_NS, 0 });
}

/* What is flushed at once is what collect would keep for about half a minute. */
static uint64_t add_samples(struct generator *g, uint64_t count)
{
	uint64_t time = 0, node = SPINE;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t random = next_random(g);
		uint64_t row[EXP_SAMPLE_COLUMNS] = { 0 };

		time += PERIOD_NS + random % 4096;
		if (random >> 62)
			node = SPINE + skewed(g, g->nodes - SPINE + 1);
		row[EXP_SAMPLE_TIME_NS] = time;
		row[EXP_SAMPLE_THREAD] = 0;
		row[EXP_SAMPLE_CPU] = i / 5000 % 2;
		row[EXP_SAMPLE_EVENT] = 0;
		row[EXP_SAMPLE_WEIGHT] = PERIOD_NS;
		row[EXP_SAMPLE_NODE] = node;
		if (g->waiting)
			make_wait(g, i, row);
		exp_write_row(g->out, EXP_SAMPLES, row);
		if (i % 32768 == 32767 && exp_writer_flush(g->out))
			break; /* the error sticks */
	}
	return g->waiting ? count * SWITCH_NS : time;
}

static void describe_states(const struct generator *g, struct exp_log *log)
{
	for (unsigned state = 0; g->waiting && state < EXP_STATES; state++) {
		struct exp_event *event = vec_push(&log->events);

		exp_state_describe(event, (enum exp_state)state, "-w on");
		event->samples = g->sums[state].waits;
		event->count = g->sums[state].ns;
	}
}

static int write_log(const struct generator *g, const char *dir, uint64_t samples,
		     uint64_t duration_ns)
{
	const uint64_t sampled = g->waiting ? 0 : samples;
	struct exp_log log = {
		.complete = true,
		.version = xstrdup("generated"),
		.cwd = xstrdup("/"),
		.pid = 4711,
		.hostname = xstrdup("generated"),
		.kernel = xstrdup("generated"),
		.arch = xstrdup("generated"),
		.cpu = xstrdup("generated"),
		.cpus = 2,
		.page_size = 4096,
		.started = xstrdup("2000-01-01T00:00:00Z"),
		.duration_ns = duration_ns,
		.rusage_user_ns = sampled * PERIOD_NS,
		.comment = xstrdup(""),
		.stack = xstrdup("fp"),
		.samples = sampled,
		.processes = 1,
		.threads = g->waiting ? g->waiting : 1,
		.stack_ends[EXP_END_ROOT] = samples,
	};
	int error;

	*vec_push(&log.command) = xstrdup("sqlite3");
	*vec_push(&log.events) = (struct exp_event){
		.asked = xstrdup("-p hi"),
		.got = xstrdup("cpu-clock"),
		.reason = xstrdup(""),
		.metric = xstrdup("totalcpu"),
		.label = xstrdup("Total CPU Time"),
		.unit = xstrdup("ns"),
		.period = PERIOD_NS,
		.scale = 1,
		.samples = sampled,
		.count = sampled * PERIOD_NS,
	};
	describe_states(g, &log);
	error = exp_log_write(&log, dir);
	exp_log_release(&log);
	return error;
}

static int generate(const char *dir, uint64_t samples, uint32_t nodes, uint32_t waiting)
{
	struct generator g = { .random = 0x9e3779b97f4a7c15u,
			       .nodes = nodes,
			       .waiting = waiting,
			       .ran_ns = xcalloc(waiting + 1, sizeof(*g.ran_ns)) };
	uint64_t duration_ns;
	int error;

	if (mkdir(dir, 0777) < 0)
		return -errno;
	error = exp_writer_open(dir, &g.out);
	if (error)
		return error;
	add_modules(&g);
	add_threads(&g);
	add_frames(&g);
	add_nodes(&g);
	duration_ns = add_samples(&g, samples);
	add_lives(&g, duration_ns);
	add_symbols(&g);
	error = exp_writer_close(g.out);
	free(g.ran_ns);
	free(g.frame);
	return error ? error : write_log(&g, dir, samples, duration_ns);
}

int main(int argc, char **argv)
{
	uint64_t samples = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t nodes = argc > 3 ? strtoull(argv[3], NULL, 10) : NODES_USUAL;
	uint64_t threads = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	int error;

	program_set_name("gen_experiment");
	if (argc > 5 || !samples || nodes <= SPINE || nodes > NODES_MAX ||
	    threads > THREADS_MAX) {
		fprintf(stderr, "usage: gen_experiment DIR SAMPLES [NODES [THREADS]]\n");
		return 2;
	}
	error = generate(argv[1], samples, (uint32_t)nodes, (uint32_t)threads);
	if (error)
		diag_error("%s: %s", argv[1], strerror(-error));
	return error ? 1 : 0;
}
