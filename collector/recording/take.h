/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What takes the records of a recording: one function for each kind (the table is in take.c),
 * and what several of them ask.  For this folder alone.
 */
#ifndef RECORDING_TAKE_H
#define RECORDING_TAKE_H

#include "recording/recording.h"

/*
 * Nanoseconds from the start.  Earlier times count as the start, and so do an import's
 * before its first sample (0: none so far).
 */
uint64_t time_of(const struct recording *rec, const struct record *r);

/* Whether PID belongs to the target. */
bool ours(const struct recording *rec, uint32_t pid);

/*
 * The first record of a process that was moved into the group: its fork and its mappings
 * were recorded for another group, if at all.
 */
void meet(struct recording *rec, uint32_t pid);

/* PID executes a program, or maps its code: either record may be lost. */
void note_exec(struct recording *rec, uint32_t pid);

/* Whether PID's waits are recorded: neither the idle task's, 0, nor those of collect
 * before it becomes the program. */
bool has_waits(const struct recording *rec, uint32_t pid);

/* The generation of random periods that TID inherited; 0: none. */
uint32_t heir_of(const struct recording *rec, uint32_t tid);

/* take_sample.c */
void take_sample(struct recording *rec, const struct record *r);

/* take_code.c */
void take_mmap(struct recording *rec, const struct record *r);
void take_ksymbol(struct recording *rec, const struct record *r);

/* take_task.c */
void take_fork(struct recording *rec, const struct record *r);
void take_exit(struct recording *rec, const struct record *r);
void take_comm(struct recording *rec, const struct record *r);

#endif
