/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MKEXP_H
#define MKEXP_H

/* The parts of mkexp.  All of them end the program if they fail. */
#include <stdbool.h>
#include <stdint.h>

#include "experiment/log.h"
#include "experiment/write.h"
#include "base/idmap.h"
#include "base/strtab.h"

enum { MKEXP_PERIOD_NS = 1000000 };

struct maker {
	const char *dir;
	struct exp_writer *out;
	struct exp_log log;
	bool no_names;
	struct strtab strings;
	uint32_t strings_written;
	struct strtab functions; /* "MODULE!FUNCTION": its place follows from its id */
	struct strtab paths;     /* "MODULE=PATH", "MODULE#BUILD-ID" */
	struct idmap modules, frames, nodes, threads, processes, region_paths;
	uint32_t counts[EXP_TABLES]; /* rows written */
	uint64_t time_ns, step_ns, thread, cpu, event, weight, address, waker;
};

void mkexp_fail(const char *what, const char *text) __attribute__((noreturn));

/* ---- rows ---- */

/* The id of TEXT in the experiment. */
uint64_t mkexp_string(struct maker *m, const char *text);

/* Returns the row's number, from 0. */
uint32_t mkexp_row(struct maker *m, enum exp_table table, const uint64_t *row);

void mkexp_set_thread(struct maker *m, uint64_t pid, uint64_t tid, const char *name);
void mkexp_add_event(struct maker *m, const char *metric, const char *unit,
		     const char *label);

/* ---- stacks ---- */

/* Samples: "main;f 3".  LINE is cut up. */
void mkexp_take_stack(struct maker *m, char *line);

/* The node of a stack, "main;f".  LINE is cut up. */
uint32_t mkexp_node(struct maker *m, char *line);

/* The functions of all stacks so far. */
void mkexp_write_symbols(struct maker *m);

/* ---- directives ---- */

/* False if LINE begins with none. */
bool mkexp_take_directive(struct maker *m, char *line);

#endif
