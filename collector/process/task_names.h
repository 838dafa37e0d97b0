/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of processes and threads.  They reach the experiment with the first sample: a
 * target may rename itself a million times a second.
 */
#ifndef TASK_NAMES_H
#define TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strtab.h"
#include "experiment/intern.h"

/* The most names in the experiment: a thread can have a new one at each sample. */
enum { TASK_NAMES_MAX = 1 << 20 };

#define TASK_NO_ID UINT32_MAX

/* Stands for names beyond that. */
#define TASK_OTHER_NAME "<other names>"

/* A name that becomes a string of the experiment on demand. */
struct task_name {
	uint32_t id;   /* of string; TASK_NO_ID: still in text */
	char text[16]; /* the kernel's TASK_COMM_LEN; longer names have an id at once */
};

struct task_names {
	struct intern *in;
	uint32_t most;    /* TASK_NAMES_MAX, except in tests */
	uint32_t count;   /* that became strings of the experiment */
	uint64_t unnamed; /* … that did not */
};

void task_name_set(struct task_names *names, struct task_name *name, const char *text);

bool task_name_is(const struct task_names *names, const struct task_name *name,
		  const char *text);

/* NAME as a string of the experiment; makes it one. */
uint32_t task_name_id(struct task_names *names, struct task_name *name);

/* Whether NAME is one already. */
bool task_name_has_id(const struct task_names *names, const struct task_name *name);

/* For the next experiment: NAME's text no longer depends on the OLD one's strings. */
void task_name_turn(struct task_name *name, const struct strtab *old);

#endif
