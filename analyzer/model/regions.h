/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions that programs name: their durations, which are exact, and the metrics of the
 * samples in them.  A sample belongs to the innermost region that is open on its thread at
 * its time.  Regions are summed by branch: the names of the regions around one, outermost
 * first, and its own.
 */
#ifndef REGIONS_H
#define REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "model/durations.h"
#include "model/frame_map.h"
#include "model/model.h"

/* What a view of regions says if a recording has none. */
#define REGIONS_MISSING                                                                  \
	"no regions were recorded; collect --regions on records those that a program "   \
	"names"

/* The row of samples outside all regions. */
#define REGION_OUTSIDE 0

struct region_row {
	uint32_t parent;            /* comes before; REGION_OUTSIDE: none */
	uint32_t name, domain;      /* in the model's strings; domain may be empty */
	uint32_t depth;             /* 1: in no other */
	bool apart;                 /* of no thread alone, so it has no samples */
	uint64_t shortest_ns;       /* if durations has any */
	uint64_t unended;           /* instances whose duration is not known, … */
	struct durations durations; /* … and of the others */
};

struct region_sums {
	VEC(struct region_row) rows;
	struct idmap ids;    /* parent and label → row */
	struct idmap labels; /* domain × 2 + apart, and name → label */
	size_t metrics;      /* the model's */
	struct value *own;   /* [row × metrics + metric]: without nested regions */
	struct value *whole; /* the same, with them */
	uint64_t faults[EXP_REGION_FAULTS_COUNT];
};

/*
 * Durations of a paused recording leave out the pauses, as its samples do; instances that
 * lie in one have none, and are not counted.  Returns whether it counts, and its duration,
 * which of one without an end means nothing.
 */
bool region_is_recorded(const struct experiment *exp, const struct exp_region *region,
			uint64_t *ns);

/* Whether a source has regions. */
bool model_has_regions(const struct model *model);

/*
 * Instances whatever the filter, and the samples that it admits.  FRAMES are functions.
 * Overwrites OUT, which the caller releases.
 */
void region_sums_read(struct region_sums *out, struct model *model,
		      const struct frame_map *frames);
void region_sums_release(struct region_sums *sums);

/* By path of a source that the sums are of: its row.  The caller frees it. */
uint32_t *region_rows_of_paths(struct region_sums *sums, struct model *model,
			       const struct experiment *exp);

/* Adds what went wrong, in words; nothing if nothing did. */
void region_sums_put_faults(const struct region_sums *sums, struct strbuf *out);

/*
 * Sums up the branches of a name, or of a domain: a row of each, in none.  A sample in
 * several regions of one is counted once.
 */
void region_sums_group(struct region_sums *sums, struct model *model, bool by_domain);

/* Adds the branch's names, joined by a space. */
void region_put_branch(const struct region_sums *sums, const struct model *model,
		       uint32_t row, struct strbuf *out);

#endif
