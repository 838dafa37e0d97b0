/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shape of a unit's tree of DIEs: which tag a DIE has, where its children begin and
 * where its sibling does.
 *
 * Finding a DIE's sibling means passing everything in the DIE, unless an attribute says
 * where the sibling is: gcc writes that attribute, clang does not.  This is most of the
 * work on a unit, and libdw takes a lock for each abbreviation that it looks up.
 */
#ifndef LINEINFO_DIES_H
#define LINEINFO_DIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/idmap.h"
#include "base/vec.h"

/* How to pass one attribute, or several of known size. */
struct die_step {
	uint16_t kind, size;
};

struct die_abbrev {
	uint64_t code;
	uint32_t first, count; /* its steps */
	uint32_t tag;
	bool children;
};

struct dies {
	struct cursor unit; /* from its header to its end */
	unsigned address_size, offset_size;
	uint16_t version;
	uint64_t abbrevs_at;   /* where its abbreviations begin */
	size_t abbrevs_passed; /* bytes of them */
	VEC(struct die_abbrev) abbrevs;
	VEC(struct die_step) steps;
	struct idmap by_code; /* empty where the codes are 1, 2, 3 … */
};

/*
 * The unit that begins at AT in SECTION, .debug_info; ABBREVS is .debug_abbrev.  False if it
 * is damaged, has an abbreviation of more than ATTRIBUTES_MAX, or more than BYTES_MAX of
 * them.  DIES is the caller's to release in any case.
 */
bool dies_init(struct dies *dies, struct cursor section, size_t at, struct cursor abbrevs,
	       unsigned attributes_max, uint64_t bytes_max);
void dies_release(struct dies *dies);

/* AT is where a DIE is; each gives 0 or NULL where it is damaged. */
uint32_t dies_tag(const struct dies *dies, const void *at);

/* Its first child, or the end of its empty list of children; NULL also for none. */
const char *dies_child(const struct dies *dies, const void *at);

/* What follows it and all that lies in it: its sibling, or the end of the list. */
const char *dies_behind(const struct dies *dies, const void *at);

/* What follows the zero that ends a list; NULL: a DIE is there. */
const char *dies_list_end(const struct dies *dies, const void *at);

#endif
