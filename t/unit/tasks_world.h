/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of tasks: their rows in an experiment, written and read back. */
#ifndef TASKS_WORLD_H
#define TASKS_WORLD_H

#include <stdint.h>

#include "experiment/intern.h"
#include "experiment/read.h"
#include "experiment/write.h"
#include "process/tasks.h"

struct world {
	char *root;
	struct exp_writer *writer;
	struct intern in;
	struct tasks tasks;
	struct experiment *exp; /* after world_read */
	unsigned refused;       /* mappings */
};

void world_open(struct world *w);

/* What was written, read back. */
void world_read(struct world *w);

void world_close(struct world *w);

/* A sample of that thread: its row, and by it the process's. */
uint32_t hit(struct world *w, uint32_t pid, uint32_t tid);

/* A page at START. */
void map(struct world *w, uint32_t pid, uint64_t start, uint32_t module);

/* 0: none. */
uint32_t module_at(struct world *w, uint32_t pid, uint64_t address);

/* A text of the experiment that was read. */
const char *name_of(const struct world *w, uint32_t string);

#endif
