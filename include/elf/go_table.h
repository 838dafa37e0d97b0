/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go's own table of its functions (.gopclntab), by which its runtime unwinds, and which
 * has their names.
 *
 * Unlike call frame information it survives stripping, so a Go program always has it.  It
 * has the bounds of each function, the distance of the stack pointer below the return
 * address at each instruction, and marks functions that switch stacks.
 *
 * Read as Go 1.16 and later write it.
 *
 * FUEL pays for reading, one unit for each function or change of the depth.  If it
 * becomes 0, nothing is found.
 */
#ifndef ELF_GO_TABLE_H
#define ELF_GO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All-zero is one without functions.  The bytes are borrowed, and must outlive it. */
struct go_table {
	const unsigned char *bytes;
	size_t len;
	const struct go_layout *layout; /* of the version */
	uint64_t text;                  /* the base of addresses */
	uint64_t names, pctab, pcln;    /* the starts of these parts */
	uint64_t nfuncs;
	uint8_t quantum; /* length of the shortest instruction */
};

/* False if it is damaged, or has an unknown version. */
bool go_table_init(struct go_table *t, const void *bytes, size_t len);

#define GO_FUNC_TOP     1 /* nothing called it */
#define GO_FUNC_SPWRITE 2 /* it sets the stack pointer other than by a distance */

struct go_func {
	uint64_t start, end; /* addresses */
	uint32_t name;       /* for go_func_is */
	uint32_t pcsp;       /* for go_func_depth */
	uint8_t flags;
};

/* Function I, from 0 up to NFUNCS; false if its record is damaged. */
bool go_table_func(const struct go_table *t, uint64_t i, struct go_func *f);

/* Borrowed from the table; "" if there is none, or it is too long. */
const char *go_func_name(const struct go_table *t, const struct go_func *f);

/* The function that contains VADDR. */
bool go_table_find(const struct go_table *t, uint64_t vaddr, struct go_func *f);

bool go_func_is(const struct go_table *t, const struct go_func *f, const char *name);

/* The function in which the closure F was written, by its name: outer.func1. */
bool go_table_find_outer(const struct go_table *t, const struct go_func *f,
			 uint32_t *fuel, struct go_func *outer);

/* The bytes between the stack pointer and the return address at VADDR: 0 to 1 GiB. */
bool go_func_depth(const struct go_table *t, const struct go_func *f, uint64_t vaddr,
		   uint32_t *fuel, int32_t *depth);

#endif
