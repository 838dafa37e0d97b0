/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings: equal text has one id, ids count up from 0 in the order of first
 * appearance.  Id 0 is always "".  Text may not hold NULs.
 */
#ifndef STRTAB_H
#define STRTAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"

struct strtab {
	VEC(const char *) texts; /* by id */
	VEC(char *) chunks;      /* memory that holds them; never moved */
	char *end;               /* of the last text, in the last chunk */
	size_t left;             /* bytes behind it there */
	uint64_t key;            /* of hashes */
	struct idmap ids;        /* by hash, and a number for those with equal hashes */
};

void strtab_init(struct strtab *tab);
void strtab_release(struct strtab *tab);

uint32_t strtab_intern(struct strtab *tab, const char *text);
uint32_t strtab_intern_len(struct strtab *tab, const char *text, size_t len);

/* Its id, or STRTAB_NONE if it is not interned. */
#define STRTAB_NONE IDMAP_NONE
uint32_t strtab_find(const struct strtab *tab, const char *text);

/* The text of an id below strtab_count; lives as long as the table. */
const char *strtab_get(const struct strtab *tab, uint32_t id);

static inline uint32_t strtab_count(const struct strtab *tab)
{
	return (uint32_t)tab->texts.len;
}

#endif
