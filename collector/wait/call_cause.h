/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sleeping thread waits for, by what /proc shows of it: the kernel's function that it
 * sleeps in (cause.h), or where that says nothing, its system call and the call's file.
 */
#ifndef CALL_CAUSE_H
#define CALL_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/state.h"
#include "process/sleeper.h"

struct call_row {
	int64_t call; /* the number on this machine */
	enum exp_state state;
	bool by_file; /* the file decides; STATE if that is not known */
};

extern const struct call_row call_rows[];
extern const size_t call_count;

/* A sleeper_wants_file: whether only the file can tell. */
bool call_cause_wants_file(const struct sleeper *s);

enum exp_state call_cause_state(const struct sleeper *s);

/*
 * The address of the futex that it waits for, or of the instruction that wants a page; 0: not
 * known, or it waits for something else.
 */
uint64_t call_cause_address(const struct sleeper *s);

/* Whether its registers are those of a 32-bit program, whose calls have other numbers. */
bool call_cause_is_narrow(const struct sleeper *s);

#endif
