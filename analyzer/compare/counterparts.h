/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches the objects, functions and lines of two sides of a comparison.
 *
 * Each run has its own objects, functions and lines, even of the same program.  A row is
 * a set of these that correspond:
 *
 *	objects     by the last part of their paths; the targets of the runs are one row,
 *	            whatever their names
 *	functions   by name, in corresponding objects; several of one name in an object
 *	            by source file and number (symtab_number_twins), inlined ones by
 *	            their declaration; our labels only match themselves
 *	lines       by number, in corresponding functions and files of the same last part
 */
#ifndef COUNTERPARTS_H
#define COUNTERPARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "model/sites.h"
#include "model/twins.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct counterparts {
	VEC(uint32_t) row;   /* by object, function or site */
	VEC(uint32_t) first; /* by row: its first member, which represents it */
};

/* Each overwrites OUT, which the caller releases. */
void counterparts_objects(struct counterparts *out, const struct model *model);
void counterparts_functions(struct counterparts *out, const struct model *model);
void counterparts_sites(struct counterparts *out, const struct model *model,
			const struct sites *sites);
void counterparts_release(struct counterparts *parts);

/* For names that both sides share (model/twins.h). */
void counterparts_represent(const struct model *model, struct represented *out);

/*
 * Whether ROW of functions belongs to the machine rather than the program: the kernel's
 * code, or no code at all.
 */
bool counterparts_is_machine(const struct counterparts *functions,
			     const struct model *model, uint32_t row);

static inline size_t counterparts_rows(const struct counterparts *parts)
{
	return parts->first.len;
}

/*
 * Notes for line numbers which objects' builds differ between sources: OBJECT, or with
 * MODEL_NONE any.
 */
void counterparts_note_builds(const struct model *model, uint32_t object,
			      struct strbuf *out);

/* Replaces the groups of MAP, functions or sites, by their rows. */
void counterparts_apply(const struct counterparts *parts, struct frame_map *map);

#endif
