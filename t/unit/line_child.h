/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of lineinfo_ask: questions about the test program itself, and code that takes
 * over the child that answers them.
 */
#ifndef LINE_CHILD_H
#define LINE_CHILD_H

#include "elf/lineinfo_apart.h"

enum { PLACES = 512 };

/* PLACES of this program's code. */
void fill_offsets(uint64_t *offsets);

/* This program's file; the caller gives it to lineinfo_free. */
struct lineinfo *open_self(void);

/* Asks a child for them.  0 and OUT, the caller's to release; or the job's error. */
int ask_self(const uint64_t *offsets, struct line_reply *out);

/*
 * From now on, each child calls FN right after its start, with the end of the pipe that it
 * answers by; NULL: children do what they should.
 */
void take_over_with(void (*fn)(int out));

#endif
