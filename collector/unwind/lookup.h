/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the unwinder itself asks of a module: rules and rows by address.
 */
#ifndef UNWIND_LOOKUP_H
#define UNWIND_LOOKUP_H

#include "unwind/cfi.h"
#include "unwind/elf.h"
#include "unwind/go_frame.h"
#include "unwind/rule.h"

struct unwinder;

/* A rule for [start, end), for modules that are made of a table. */
struct unwind_range {
	uint64_t start, end;
	struct unwind_rule rule;
};

struct unwind_module {
	const struct unwind_arch *arch;
	/* The unwinder that has rules of it, and its number in there from 1; 0: none yet.
	 */
	const struct unwinder *user;
	uint32_t serial;

	struct elf_file file;
	bool hdr_loaded, go_loaded, sections_loaded;
	bool has_eh_frame, refused;
	struct quota *memory; /* NULL: ELF_MAX_BYTES for each table */
	VEC(void *) tables;   /* what CFIS and GO read; owned */
	/* unwind_module_set_debug's; NULL: none, or asked already */
	int (*find_debug)(const void *context, int fd);
	const void *find_context;
	VEC(struct cfi) cfis; /* asked in this order */
	struct go_code go;

	const struct unwind_range *ranges; /* instead of all that; borrowed */
	size_t nranges;
};

/*
 * A module without a file, whose rules are RANGES (sorted, borrowed).  Its addresses and
 * file offsets are the same.
 */
struct unwind_module *unwind_module_of_ranges(const struct unwind_arch *arch,
					      const struct unwind_range *ranges,
					      size_t n);

/* The row of VADDR; false where there is none, or FUEL ran out (it is 0 then). */
bool unwind_module_row(struct unwind_module *module, uint64_t vaddr, uint32_t *fuel,
		       struct cfi_row *row);

/*
 * The rule of VADDR, which IS_RETURN tells to be the last byte of a call.  RULE_NONE
 * where there is none.  Where FUEL ran out it is not valid.
 */
struct unwind_rule unwind_module_rule(struct unwind_module *module, uint64_t vaddr,
				      bool is_return, uint32_t *fuel);

#endif
