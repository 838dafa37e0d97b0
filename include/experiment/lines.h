/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source lines of an experiment's frames, stored in it: looked up once, and available even
 * without the files that ran.
 *
 * They have their own file of blocks beside the data (ringprof-experiment(5)), since a
 * complete data file never changes.  The file identifies its data, and is ignored with
 * other data.
 */
#ifndef EXP_LINES_H
#define EXP_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/read.h"
#include "base/strtab.h"
#include "base/vec.h"

/* One function at a frame; those of a frame follow one another, innermost first. */
struct exp_line {
	uint32_t frame;
	uint32_t function, file, line; /* as in struct line_frame; ids in texts */
	uint32_t decl_file, decl_line;
};

/* A module whose frames were looked up; frames without a row of lines have none. */
struct exp_line_module {
	uint32_t module;
	bool debug_file;
	bool declared; /* declarations were looked up too; older versions did not */
};

struct exp_lines {
	VEC(struct exp_line_module) modules;
	VEC(struct exp_line) lines; /* by frame */
	struct strtab texts;
};

void exp_lines_init(struct exp_lines *lines);
void exp_lines_release(struct exp_lines *lines);

/*
 * 0, or a negative code: there are no lines for this data, or they are damaged; LINES are
 * then empty.  Every id is in range.
 */
int exp_lines_read(struct exp_lines *lines, const struct experiment *exp)
	__attribute__((warn_unused_result));

/*
 * Replaces the stored lines.  0, or a negative errno and the lines unchanged; -EACCES in
 * another user's experiment, where root would leave files of its own.
 */
int exp_lines_write(const struct exp_lines *lines, const struct experiment *exp)
	__attribute__((warn_unused_result));

#endif
