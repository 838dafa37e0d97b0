/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment in memory: its log, its dictionaries, and the places of its samples in
 * the data file. read.h fills and checks it: every id is in range.
 */
#ifndef EXP_EXPERIMENT_H
#define EXP_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/decode.h"
#include "experiment/format.h"
#include "experiment/log.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/spans.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct exp_module {
	uint32_t path, build_id; /* strings */
	enum exp_module_kind kind;
	struct file_mark mark; /* if there is no build-id */
};

struct exp_frame {
	uint64_t offset;
	uint32_t module;
	uint32_t flags; /* EXP_FRAME_RETURN */
};

struct exp_node {
	uint32_t parent; /* 0: the empty stack, which has no node of its own before it */
	uint32_t frame;
};

struct exp_process {
	int64_t pid;
	uint32_t parent; /* process + 1, or 0 */
	uint32_t name;   /* string */
	uint64_t start_ns;
	/* its command line in arguments; none: it is unknown */
	uint32_t argument, arguments;
	bool cut; /* … and goes on */
};

struct exp_thread {
	uint32_t process;
	uint32_t name; /* string */
	int64_t tid;
	uint64_t born_ns;
	uint32_t cgroup; /* string, path of its control group; 0: not known */
	uint32_t number; /* from 1, by birth: its rows under all its names have one */
	uint32_t last;   /* row, with its last name */
};

struct exp_symbol {
	uint64_t start, size;
	uint32_t module;
	uint32_t name; /* string, linkage name */
	enum exp_symbol_source source;
	uint32_t file; /* string: the source file, if TWIN is not 0 */
	uint32_t
		twin; /* from 1: of the functions of this name and file; 0: it is the only
			  one of its name, or the recording does not say */
};

struct exp_loss {
	uint64_t time_ns, count;
	uint32_t thread; /* thread + 1, or 0 */
	uint32_t cpu;
};

/* From a thread's birth to its end, as far as it was recorded. */
struct exp_life {
	uint64_t from_ns, to_ns;
	uint32_t thread;
	unsigned flags; /* EXP_LIFE_* */
};

/* Who ended waits, and where it did so. */
struct exp_waker {
	enum exp_waker_kind kind; /* 0: unknown */
	uint32_t thread, node;    /* of EXP_WAKER_OF_RECORDING */
};

/* A branch identifier: the names of open regions, as a path in one tree. */
struct exp_region_path {
	uint32_t parent; /* comes before; 0: none */
	uint32_t name;   /* string */
	uint32_t domain; /* string; 0: none */
	uint16_t depth;  /* its names; at most EXP_REGION_DEPTH_MAX */
	bool apart;      /* its regions do not nest on a thread */
};

/* From a region's begin to its end, [BEGIN_NS, END_NS).  There may be tens of millions. */
struct exp_region {
	uint64_t begin_ns, end_ns;
	uint32_t path;
	uint32_t thread : 32 - EXP_REGION_FLAG_BITS;
	uint32_t flags : EXP_REGION_FLAG_BITS; /* EXP_REGION_* */
};

/* What a program said at an instant. */
struct exp_mark {
	uint64_t time_ns;
	uint64_t value; /* by type; a string is one of the experiment's */
	uint32_t thread;
	uint32_t name, domain; /* strings; domain 0: none */
	enum exp_mark_kind kind;
	enum exp_value_type type;
};

/* What the kernel accounted to the target by then, and what its counters had. */
struct exp_point {
	uint64_t time_ns;
	uint64_t user_ns, system_ns;
	uint64_t minor_faults, major_faults;
	uint64_t voluntary, involuntary; /* switches */
	uint32_t name;                   /* string; 0: none */
	enum exp_point_kind kind;
	unsigned known; /* EXP_KNOWN_* */
	/* its counts in point_counts, by event */
	uint32_t count, counts;
};

struct exp_point_count {
	uint64_t count, enabled_ns, running_ns;
	uint32_t event;
};

/* The place of a block of samples. */
struct exp_extent {
	uint64_t offset; /* of its header */
	/* the sizes of the dictionaries when it was written: its ids are below these */
	uint32_t nodes, threads;
	uint64_t first; /* number of its first sample */
};

struct exp_samples;

/* Gives a sample another node than the recorded one, which S has. */
struct exp_divider {
	/* may add nodes to the experiment */
	uint32_t (*node)(struct exp_divider *divider, const struct exp_samples *s,
			 size_t i);
	/* frees it; the experiment is as it was recorded */
	void (*release)(struct exp_divider *divider);
};

struct experiment {
	char *path;
	int dir;               /* its directory, for folder.h; its files are not open */
	struct folder archive; /* of the files that ran, if there is one */
	struct exp_log log;
	struct strbuf text;  /* the strings, each with its NUL */
	VEC(size_t) strings; /* id → where in text */
	VEC(struct exp_module) modules;
	VEC(struct exp_frame) frames;
	VEC(struct exp_node) nodes; /* [0] is the empty stack; its fields mean nothing */
	VEC(struct exp_process) processes;
	VEC(uint32_t) arguments; /* of processes: strings */
	VEC(struct exp_thread) threads;
	VEC(struct exp_symbol) symbols; /* as written: by module, then start */
	VEC(struct exp_loss) losses;
	VEC(struct exp_life) lives;
	VEC(struct exp_waker) wakers;             /* id → waker; [0] is unknown */
	VEC(struct exp_region_path) region_paths; /* [0] is no region */
	VEC(struct exp_region) regions;           /* of a thread by their ends */
	uint64_t region_faults[EXP_REGION_FAULTS_COUNT];
	VEC(struct exp_mark) marks; /* of a thread by their times */
	bool paused;        /* at some time, or at first: it went on only in … */
	struct spans spans; /* … these */
	VEC(struct exp_point) points;
	VEC(struct exp_point_count) point_counts; /* of points: by point */
	VEC(struct exp_extent) extents;
	VEC(uint64_t) details; /* where their blocks lie; read by exp_details.h */
	uint64_t samples;      /* in the extents */
	uint64_t digest;       /* of the checksums and rows of the extents' blocks */
	uint64_t bytes;        /* of the data file */
	struct exp_budget budget;
	bool truncated;
	bool damaged; /* not because the file ends there, as far as its size shows */
	uint64_t truncated_at;
	struct exp_divider *divider; /* of read samples; NULL: none */
	double *factors;             /* of their weights, by event; NULL: 1 */
	int fd;
};

static inline const char *experiment_string(const struct experiment *exp, uint32_t id)
{
	return exp->text.data + exp->strings.data[id];
}

#endif
