/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of call frame information (DWARF 5 § 6.4.1, and .eh_frame of the LSB): lists of
 * a length, an id and a body.  Several functions share a CIE; each FDE describes one
 * function and refers to its CIE.
 *
 * Both address sizes and byte orders are read.  All bytes are read through a cursor, and
 * nothing is allocated.
 */
#ifndef CFI_ENTRY_H
#define CFI_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

/* The bytes are borrowed. */
struct cfi_section {
	const unsigned char *bytes;
	size_t len;
	uint64_t vaddr; /* of the first byte */
	bool eh;        /* .eh_frame, not .debug_frame */
	bool narrow;    /* addresses of four bytes */
	bool swap;      /* of the other byte order */
};

struct cfi_entry {
	struct cursor body; /* behind the id */
	uint64_t next;      /* offset of the next entry */
	bool is_cie;
	uint64_t cie; /* offset, for an FDE */
};

/* The entry at OFFSET.  False at the section's end, its terminator, or damage. */
bool cfi_entry_read(const struct cfi_section *s, uint64_t offset,
		    struct cfi_entry *entry);

struct cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;      /* the return address's register */
	uint8_t encoding; /* of FDEs' addresses: DW_EH_PE_* */
	bool signal;      /* frames of signal handlers */
	bool sized;       /* an FDE has augmentation data of its own */
	const unsigned char *initial, *initial_end; /* instructions */
};

/* False if OFFSET has none, or one of a kind that no compiler writes. */
bool cfi_cie_read(const struct cfi_section *s, uint64_t offset, struct cfi_cie *cie);

/*
 * The addresses of a function's code, with which the body C of an FDE begins.  False if
 * it is damaged.
 */
bool cfi_range_read(const struct cfi_section *s, const struct cfi_cie *cie,
		    struct cursor *c, uint64_t *start, uint64_t *end);

/*
 * Reads a pointer by its encoding byte (DW_EH_PE_…) from C, a cursor over S.
 * Data-relative pointers count from DATAREL.  An encoding that needs more than the file
 * makes the cursor fail.
 */
uint64_t cfi_pointer(const struct cfi_section *s, struct cursor *c, uint8_t encoding,
		     uint64_t datarel);

/* .eh_frame_hdr, which points to .eh_frame and may have an index of it. */
struct cfi_hdr {
	uint64_t eh_frame; /* address */
	uint64_t count;    /* of the table's pairs */
	uint8_t table_encoding;
	struct cursor table;
};

/* S has it all, or the first 8 bytes: then without a table.  False if it is damaged. */
bool cfi_hdr_read(const struct cfi_section *s, struct cfi_hdr *hdr);

#endif
