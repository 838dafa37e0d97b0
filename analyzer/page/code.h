/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source lines and the instructions of the hottest functions, with the values of the
 * whole recording.  None while two groups are compared: their builds may differ.
 */
#ifndef PAGE_CODE_H
#define PAGE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/disassembly.h"
#include "model/pcs.h"
#include "model/source_text.h"
#include "model/sums.h"
#include "session/session.h"

struct page_file {
	uint32_t name;   /* in the model's strings: the debug information's path */
	uint32_t object; /* of the function that led to it */
	struct source_text text;
	size_t first; /* its line N is group first + N - 1 of lines */
	bool *kept;   /* by line, from 0 */
	bool newer;   /* changed after the recording began */
};

/* The code of one file's functions, one after another. */
struct page_code_object {
	struct disassembly code;
	size_t first; /* its instruction I is group first + I of instructions */
	bool *kept;   /* by instruction */
};

struct page_code_function {
	uint32_t function; /* of the model */
	uint32_t file;     /* from 1; 0: no text */
	uint32_t object;   /* from 1; 0: no instructions */
	size_t from, end;  /* of the object's instructions */
	uint32_t within;   /* without instructions: the function with most of its code */
	int error; /* why there are none: a negative errno, or 0: it has no code */
	struct code_range range;
};

struct page_code {
	VEC(struct page_code_function) functions; /* the hottest first */
	VEC(struct page_file) files;
	VEC(struct page_code_object) objects;
	struct sums lines, instructions; /* group 0: none of them */
	struct pcs pcs;
	/* by site of the session, by pc: their groups in these sums; NULL: no code was read */
	uint32_t *line_of, *instruction_of;
};

/* METRIC decides which are the hottest; SOURCE: also read their lines.  Overwrites OUT, which the caller releases. */
void page_code_read(struct page_code *out, struct session *s, uint32_t metric,
		    bool source);
void page_code_release(struct page_code *code);

#endif
