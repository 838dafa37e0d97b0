/* SPDX-License-Identifier: Apache-2.0 */
/* A module's rules and rows by address, for the unwinder. */
#ifndef UNWIND_LOOKUP_H
#define UNWIND_LOOKUP_H

#include "unwind/cfi.h"
#include "unwind/elf.h"
#include "unwind/go_frame.h"
#include "unwind/rule.h"

struct unwinder;

/* A rule for [start, end), for modules made from a table. */
struct unwind_range {
	uint64_t start, end;
	struct unwind_rule rule;
};

struct unwind_module {
	const struct unwind_arch *arch;
	/*
	 * The unwinder that caches its rules, and its number there from 1; 0: none yet.
	 */
	const struct unwinder *user;
	uint32_t serial;

	struct elf_file file;
	bool hdr_loaded, go_loaded, sections_loaded;
	bool has_eh_frame, refused;
	struct quota *memory; /* NULL: ELF_MAX_BYTES for each table */
	VEC(void *) tables;   /* the bytes of CFIS and GO; owned */
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

/*
 * How far the frame pointer lies above the stack pointer at VADDR, by the code of the function
 * that its entry describes.  False: that is not known.
 */
bool unwind_module_fp(struct unwind_module *module, uint64_t vaddr, uint32_t *fuel,
		      int64_t *above);

/* The row of VADDR; false if there is none, or FUEL ran out (it is then 0). */
bool unwind_module_row(struct unwind_module *module, uint64_t vaddr, uint32_t *fuel,
		       struct cfi_row *row);

/* The same without loading any table: what takes one takes all FUEL. */
bool unwind_module_known_row(const struct unwind_module *module, uint64_t vaddr,
			     uint32_t *fuel, struct cfi_row *row);

/*
 * The rule of VADDR; IS_RETURN: it is the last byte of a call.  RULE_NONE if there is
 * none.  Invalid if FUEL ran out.
 */
struct unwind_rule unwind_module_rule(struct unwind_module *module, uint64_t vaddr,
				      bool is_return, uint32_t *fuel);

/*
 * The same without changing the module, for several threads: what takes tables that were not
 * loaded yet takes all FUEL.
 */
struct unwind_rule unwind_module_known_rule(struct unwind_module *module, uint64_t vaddr,
					    bool is_return, uint32_t *fuel);

#endif
