/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information (DWARF 5 § 6.4, and .eh_frame of the LSB) of one section.
 *
 * Entries are found through .eh_frame_hdr's sorted table, or through an index from one
 * pass over the section.  Running an entry's instructions up to an address gives its row:
 * the places of its CFA and of each register.
 *
 * libdw is not used because its interpreter allocates memory in proportion to any
 * register number that it finds, reads beyond the section's end, gives a wrong row start
 * after DW_CFA_restore_state, and allocates for each look-up.  Here every byte is read
 * through a cursor, only the index is allocated, and each run has a budget.  The tests
 * compare every row of the system's libraries with libdw's.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/cfi_entry.h"
#include "unwind/regs.h"
#include "base/vec.h"

struct cfi_index_entry {
	uint64_t start;  /* first address of the code */
	uint64_t offset; /* of the entry in the section */
};

/* The section's bytes are borrowed, and must outlive it. */
struct cfi {
	struct cfi_section section;

	const unsigned char *table; /* of .eh_frame_hdr: pairs of int32, or NULL */
	size_t table_len;           /* pairs */
	uint64_t table_base;        /* the base of the pairs */

	VEC(struct cfi_index_entry) index; /* sorted; if there is no table */
};

/*
 * Sets up CFI for a section of LEN BYTES at VADDR.  HDR (or NULL) is the .eh_frame_hdr
 * at HDR_VADDR; without one, or with one of a form that no linker writes, the section is
 * read through once.
 */
void cfi_init(struct cfi *cfi, const void *bytes, size_t len, uint64_t vaddr, bool eh);
void cfi_set_table(struct cfi *cfi, const void *hdr, size_t hdr_len, uint64_t hdr_vaddr);
void cfi_make_index(struct cfi *cfi);
void cfi_release(struct cfi *cfi);

/* The address of .eh_frame from HDR, at HDR_VADDR; false if that is damaged. */
bool cfi_hdr_target(const void *hdr, size_t hdr_len, uint64_t hdr_vaddr, uint64_t *vaddr);

/* A function's entry (FDE) with its shared one (CIE). */
struct cfi_fde {
	uint64_t start, end; /* addresses of its code */
	struct cfi_cie cie;
	const unsigned char *insns, *insns_end;
};

/* The entry whose code contains ADDRESS; false if there is none. */
bool cfi_find(const struct cfi *cfi, uint64_t address, struct cfi_fde *fde);

/* The place of a register of the caller, or of the CFA. */
enum cfi_how {
	CFI_UNSPECIFIED, /* by the ABI: unchanged, or lost in the call */
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_OFFSET,     /* in memory at CFA + number */
	CFI_VAL_OFFSET, /* is CFA + number */
	CFI_REGISTER,   /* is register reg (for the CFA: plus number) */
	CFI_EXPR,       /* in memory at the expression's value */
	CFI_VAL_EXPR,   /* is the expression's value */
};

struct cfi_place {
	uint8_t how;
	uint8_t reg;
	uint32_t expr_len;
	union {
		int64_t number;
		const unsigned char *expr;
	};
};

struct cfi_row {
	uint64_t start, end; /* its addresses */
	bool signal;
	uint8_t ra;
	struct cfi_place cfa; /* CFI_REGISTER, CFI_VAL_EXPR, or CFI_UNDEFINED */
	struct cfi_place reg[UNWIND_REGS];
};

/*
 * The row of ADDRESS.  FUEL counts down by one for each instruction; at 0 there is no
 * row.  False also if the instructions are damaged.
 */
bool cfi_row_at(const struct cfi *cfi, const struct cfi_fde *fde, uint64_t address,
		uint32_t *fuel, struct cfi_row *row);

#endif
