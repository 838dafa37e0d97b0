/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All experiments of one session in one: their objects, functions and metrics, each once.
 *
 * An object is a path and a kind.  A function is a place in one build of an object: two
 * symbols are two functions, even with the same name.  Another build's function is the
 * same one if it has the same name and, where the object has several of that name, the
 * same source file and number.  A function that was only ever inlined is its name and its
 * declaration (declared.h).  So two builds of one program share their functions, and one
 * function in two objects is two.  Unnamed code is separate for each build, since its
 * offsets differ; JIT code, which is compiled again and again, is identified only by its
 * name.  Threads and processes are never merged: they stay with their experiment.
 *
 * A source is one experiment with the mapping of its own ids to these.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/read.h"
#include "filter/filter.h"
#include "base/idmap.h"
#include "elf/object_file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/strtab.h"
#include "model/totals.h"
#include "base/vec.h"

#define MODEL_NONE UINT32_MAX

struct object {
	uint32_t path; /* in strings */
	enum exp_module_kind kind;
};

struct function {
	uint32_t object;
	uint32_t name; /* in strings; the linker's name, or our label */
	bool label;    /* ours, not demangled: <Unknown>, <libx.so>+0x1230 */
	bool piece; /* of code without names, cut anywhere: these are no function's bounds */
	bool inlined;         /* has no symbol: known only from its inlining */
	uint64_t start, size; /* file offsets; size 0: unknown */
	uint32_t build;       /* their build, see struct source; 0: none */
	uint32_t tell; /* in strings: its distinction from namesakes; "": unknown */
	uint32_t file; /* in strings: its source file in the symbol table; or "" */
	/*
	 * the place of its declaration, in strings, or ""; and the same for all builds: a
	 * file without its directory, and a number
	 */
	uint32_t decl_file, decl_line, decl;
};

/* Events of the same id and unit in several experiments are one metric. */
struct metric {
	uint32_t id;            /* in strings: "cycles" */
	uint32_t label;         /* in strings: "CPU Cycles" */
	uint32_t unit;          /* in strings: "cycles", "events", "ns" */
	uint32_t source, event; /* where it occurs first */
	bool clock;             /* weights are nanoseconds, amounts seconds */
	double seconds;         /* duration of one unit; 0: it is no time */
	double scale;           /* weights are multiplied by it: scales.h */
	double mean_scale;      /* of what was recorded: for readers */
	uint64_t recorded;      /* the sum of weights without any scale */
	bool fine;              /* weights are parts of the event's unit: scales.h */
	struct value total;     /* of the samples that the filter admits */
	struct value all;       /* the recorded one */
	uint64_t sampled;       /* its weight without <Unsampled> */
	bool exact;             /* each occurrence was recorded: no estimates */
	bool known;             /* counters gave ALL, and samples its parts */
	bool split;             /* made of recorded ones: a part, whose ALL it has */
	bool sum;               /* … or a sum of several: metric_sum.h */
	/* of a sum: the weight behind a sample of its sampled part; the rest is exact */
	double each;
	bool state; /* its samples are the waits of threads, with or without a stack */
};

struct names;
struct ratio_kind;
struct region_stacks;

/* A quotient of two metrics: see ratio.h. */
struct ratio {
	const struct ratio_kind *kind; /* of a table that is const */
	uint32_t id;                   /* in strings: "IPC", "IPC.u" */
	uint32_t label;                /* in strings: "Instructions per Cycle (user)" */
	uint32_t top, bottom;          /* metrics */
};

struct source {
	struct experiment *exp;
	struct totals totals;
	struct totals admitted;   /* if there is a filter */
	uint64_t *recorded;       /* by event: the sum of weights before scaling */
	struct division division; /* of both */
	uint32_t group;           /* of compared ones, from 0 */
	uint32_t *object;         /* module → object */
	uint32_t *build;    /* module → build-id in strings; a number of its own where
				   it has none */
	uint32_t *metric;   /* event, or column of the sums → metric */
	uint32_t *function; /* frame → function */
	struct region_stacks *region_stacks; /* which its samples have; NULL: their own */
};

struct model {
	VEC(struct source) sources;
	struct strtab strings;
	VEC(struct object) objects;
	VEC(struct function) functions;
	VEC(struct metric) metrics;
	size_t splits; /* the last metrics, which are parts of others */
	VEC(struct ratio) ratios;
	struct idmap object_ids, function_ids;
	struct idmap place_ids, place_groups; /* build and start → function */
	uint32_t unbuilt;                     /* modules without a build-id, so far */
	uint64_t changes; /* of functions and their properties, so far */
	struct filter filter;
	bool any_size;  /* experiments are read whatever their decoded size */
	bool by_region; /* … with their stacks below regions (region_stacks.h) */
	struct object_search search; /* for files of objects */
	/* how answers show functions, which filters see too: names.h.  Borrowed; or NULL */
	struct names *names;
	struct progress *progress; /* borrowed: progress of long work; or NULL */
};

void model_init(struct model *model);
void model_release(struct model *model);

/* The sums that count: those of the filter, if there is one. */
static inline const struct totals *source_totals(const struct model *model,
						 const struct source *source)
{
	return filter_is_set(&model->filter) ? &source->admitted : &source->totals;
}

/* The recorded metrics, which are the first. */
static inline size_t model_recorded(const struct model *model)
{
	return model->metrics.len - model->splits;
}

static inline const char *model_string(const struct model *model, uint32_t id)
{
	return strtab_get(&model->strings, id);
}

/* Valid until the next string is interned. */
const char *object_path(const struct model *model, uint32_t object);

/* Whether it is the machine's own work: the kernel, its modules, or no code at all. */
bool object_is_machine(const struct model *model, uint32_t object);

/* The last part of its path: "libc.so.6". */
const char *object_name(const struct model *model, uint32_t object);

/* The id of a function; makes it if it is new. */
uint32_t model_function(struct model *model, const struct function *f);

/* The object of that path, which is in strings, and kind. */
uint32_t model_object(struct model *model, uint32_t path, enum exp_module_kind kind);

/*
 * The artificial function of that name.  Its object has its name, without a reason in
 * parentheses: so tables of objects say <Unsampled> or <Truncated>.
 */
uint32_t model_artificial(struct model *model, const char *name);

/*
 * Adds the function's id, 16 hex digits.  It is the same in all sessions and recordings
 * with the same object, name and tell.
 */
void function_id(const struct model *model, uint32_t function, struct strbuf *out);

/* The same as a number. */
uint64_t function_hash(const struct model *model, uint32_t function);

#endif
