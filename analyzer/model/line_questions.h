/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What experiments ask the debug information of object files: an address that several of
 * them have in one file is asked once.  A thousand ranks of a job read their program once.
 */
#ifndef LINE_QUESTIONS_H
#define LINE_QUESTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/lineinfo_apart.h"
#include "elf/object_file.h"
#include "experiment/read.h"
#include "base/idmap.h"
#include "base/progress.h"
#include "base/strtab.h"
#include "base/vec.h"

/* A file, by all that finds and proves it. */
struct line_object {
	const struct experiment *exp; /* borrowed: the first that asked, which opens it */
	uint32_t module;
	VEC(uint64_t) offsets; /* the questions */
	/* filled in: */
	int error; /* 0, or why there is no answer (lineinfo_open, line_job) */
	bool debug_file, stated; /* see lineinfo.h */
	struct line_reply reply; /* with an answer for each question */
};

/* All-zero: none yet. */
struct line_questions {
	VEC(struct line_object) objects;
	struct strtab
		files;    /* what tells one file from another; object N is text N + 1 */
	struct idmap ids; /* (offset, object) → its question */
};

void line_questions_init(struct line_questions *q);
void line_questions_release(struct line_questions *q);

/* The object of an experiment's MODULE, of kind EXP_KIND_FILE. */
uint32_t line_questions_object(struct line_questions *q, const struct experiment *exp,
			       uint32_t module);

/* Asks about OFFSET of OBJECT.  Returns the number of its answer there. */
uint32_t line_questions_add(struct line_questions *q, uint32_t object, uint64_t offset);

/* Reads the files, and fills in the objects.  PROGRESS may be NULL. */
void line_questions_ask(struct line_questions *q, const struct object_search *search,
			struct progress *progress);

#endif
