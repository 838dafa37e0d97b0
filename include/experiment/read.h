/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an experiment.
 *
 * The dictionaries (strings, modules, frames, nodes, …) are loaded whole when it is
 * opened; samples stay on the disk and are handed out a block at a time, so that memory
 * does not grow with them.  What is loaded is checked: every id is in range, a node's
 * parent comes before it.  The bytes are hostile until then.
 *
 * Where the data file ends early or is damaged, what lies before is loaded, and
 * truncated_at says where that was.
 */
#ifndef EXP_READ_H
#define EXP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/block.h"
#include "experiment/format.h"
#include "experiment/log.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct exp_module {
	uint32_t path, build_id; /* strings */
	enum exp_module_kind kind;
	struct file_mark mark; /* where there is no build-id */
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
};

struct exp_thread {
	uint32_t process;
	uint32_t name; /* string */
	int64_t tid;
	uint64_t born_ns;
	uint32_t number; /* from 1, by birth: its rows under all its names have one */
	uint32_t last;   /* row, with its last name */
};

struct exp_symbol {
	uint64_t start, size;
	uint32_t module;
	uint32_t name; /* string, linkage name */
	enum exp_symbol_source source;
	uint32_t file; /* string: of the source, where TWIN is not 0 */
	uint32_t
		twin; /* from 1: of the functions of this name and file; 0: it is the only
			  one of its name, or the recording does not say */
};

struct exp_loss {
	uint64_t time_ns, count;
	uint32_t thread; /* thread + 1, or 0 */
	uint32_t cpu;
};

/* Where a block of samples lies. */
struct exp_extent {
	uint64_t offset; /* of its header */
	/* what the dictionaries held when it was written: its ids are below these */
	uint32_t nodes, threads;
	uint64_t first; /* number of its first sample */
};

struct experiment {
	char *path;
	int dir;               /* its directory, for folder.h; its files are not open */
	struct folder archive; /* of the files that ran, where there is one */
	struct exp_log log;
	struct strbuf text;  /* the strings, each with its NUL */
	VEC(size_t) strings; /* id → where in text */
	VEC(struct exp_module) modules;
	VEC(struct exp_frame) frames;
	VEC(struct exp_node) nodes; /* [0] is the empty stack; its fields mean nothing */
	VEC(struct exp_process) processes;
	VEC(struct exp_thread) threads;
	VEC(struct exp_symbol) symbols; /* as written: by module, then start */
	VEC(struct exp_loss) losses;
	VEC(struct exp_extent) extents;
	VEC(uint64_t) details; /* where their blocks lie; read by exp_details.h */
	uint64_t samples;      /* in the extents */
	uint64_t bytes;        /* of the data file */
	struct exp_budget budget;
	bool truncated;
	uint64_t truncated_at;
	int fd;
};

/*
 * 0, or a negative code with one sentence in ERR that names the path and the remedy.
 * *OUT is the caller's, for experiment_free.
 */
int experiment_open(const char *path, struct experiment **out, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The same, without a limit on its decoded size. */
int experiment_open_unbounded(const char *path, struct experiment **out,
			      struct strbuf *err) __attribute__((warn_unused_result));

void experiment_free(struct experiment *exp);

static inline const char *experiment_string(const struct experiment *exp, uint32_t id)
{
	return exp->text.data + exp->strings.data[id];
}

/* A block of samples, a column each; good until the next call. */
struct exp_samples {
	size_t count;
	uint64_t first; /* number of the first among all samples */
	const uint64_t *time_ns, *thread, *cpu, *event, *weight, *node;
	const uint64_t *address, *latency, *data_source; /* 0: not told */
};

/* A walk over an experiment's samples; zero it to start, release it at the end. */
struct exp_walk {
	size_t next;
	struct strbuf stored, raw;
	struct exp_rows rows;
};

/*
 * The next block in time order.  1: *OUT is filled; 0: no more; negative: the block is
 * damaged (EXP_BLOCK_DAMAGED) or unreadable (errno), the walk may go on after it.
 * Every thread, node and event in *OUT is in range.
 */
int experiment_next(struct experiment *exp, struct exp_walk *walk,
		    struct exp_samples *out) __attribute__((warn_unused_result));

/*
 * The rows of the block of TABLE whose header is at OFFSET, into WALK.  0 or negative,
 * likewise; a file that was changed since it was opened may have another table there, and
 * is damaged.
 */
int experiment_load(struct experiment *exp, enum exp_table table, uint64_t offset,
		    struct exp_walk *walk) __attribute__((warn_unused_result));

void exp_walk_release(struct exp_walk *walk);

#endif
