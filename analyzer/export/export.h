/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole call tree, or the samples, in the formats of other programs: nothing that the
 * format can hold is left out or rounded.
 *
 * Weights are whole numbers in the unit of the event (nanoseconds, cycles, events),
 * scaled if a counter was multiplexed.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <math.h>

#include "render/stream.h"
#include "session/session.h"
#include "base/vec.h"

struct export_format {
	bool apart; /* the output names each row's experiment */
	bool whole; /* others read the file at any time: it appears when it is whole */
	/* errors stay with OUT, for the caller to find */
	void (*write)(struct session *s, struct stream *out);
	/*
	 * instead, if it is not written from its beginning to its end: to the file at PATH.
	 * 0 or CMD_FAILED with a sentence in ERR
	 */
	int (*write_file)(struct session *s, const char *path, struct strbuf *err);
};

/* "main;parse;read 3000000" a line, root first; of the metric that sorts. */
extern const struct export_format export_collapsed;

/* Speedscope's JSON: a profile for each metric. */
extern const struct export_format export_speedscope;

/* A node a row, with its parent and all metrics. */
extern const struct export_format export_csv;

/* A sample a row. */
extern const struct export_format export_samples;

/*
 * pprof's profile.proto, compressed: every address with its lines, a type of sample for
 * each metric.  Only if configure found protobuf-c.
 */
extern const struct export_format export_pprof;

/*
 * Tables of an SQLite database, to which experiments are added (share/sql/SCHEMA.md).
 * Only if configure found SQLite.
 */
extern const struct export_format export_sqlite;

/* A new folder of the same tables as text, for the engines that serve many machines. */
extern const struct export_format export_tables;

/* Gauges for Prometheus. */
extern const struct export_format export_openmetrics;

/* Callgrind's: functions by line, and their calls. */
extern const struct export_format export_callgrind;

/* The Firefox Profiler's: every sample with its time, by thread. */
extern const struct export_format export_firefox;

/* The scaled WEIGHT. */
static inline uint64_t export_scaled(const struct session *s, size_t metric,
				     uint64_t weight)
{
	double scale = s->model.metrics.data[metric].scale;

	return scale == 1 ? weight : (uint64_t)llround((double)weight * scale);
}

/* The weight of the samples that end in NODE. */
static inline uint64_t export_weight(const struct session *s, const struct tree *tree,
				     size_t metric, size_t node)
{
	return export_scaled(s, metric, tree_own(tree, metric)[node].weight);
}

/* A stack: functions, root first. */
struct export_stack {
	uint32_t *data;
	size_t len, cap;
};

/* Overwrites STACK with NODE's. */
void export_stack_of(const struct tree *tree, size_t node, struct export_stack *stack);

/* Functions of a stack have semicolons between them: those in a name become colons. */
void export_end_frame(struct strbuf *stack, size_t start_of_name);

#endif
