/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of kernel addresses.
 *
 * The kernel takes some 40 ms to print /proc/kallsyms, perhaps for the name of a single
 * address.  So the sorted table is kept in $XDG_CACHE_HOME/ringprof/kernel-names (mode
 * 0600: it reveals the kernel's addresses), valid for this boot and these modules.
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "elf/symtab.h"

struct kernel_names {
	struct strbuf file; /* as it is in the cache */
	const void *rows;   /* in file */
	size_t count;
	const char *texts; /* in file, with a NUL at the end */
	size_t texts_len;
	bool cached; /* read from the cache: programs loaded since (BPF) may be missing */
};

/*
 * ROOT precedes /proc.  0, or a negative errno if the kernel hides its addresses; then K
 * is empty, and finds nothing.
 */
int kernel_names_open(struct kernel_names *k, const char *root)
	__attribute__((warn_unused_result));

/* Asks the kernel again, after a name was missing.  Errors as above. */
int kernel_names_refresh(struct kernel_names *k, const char *root)
	__attribute__((warn_unused_result));

void kernel_names_release(struct kernel_names *k);

/* False if nothing covers ADDRESS.  OUT's texts live as long as K. */
bool kernel_names_find(const struct kernel_names *k, uint64_t address,
		       struct symbol *out);

/* The one with that INDEX, in the order of addresses; false if its row is damaged. */
bool kernel_names_at(const struct kernel_names *k, size_t index, struct symbol *out);

/* The end of the last function of the kernel itself, not of a module; 0: there is none. */
uint64_t kernel_names_end(const struct kernel_names *k);

/*
 * The start of the function NAME that has SIZE bytes, of a module as "[ext4]", or "" for the
 * kernel itself.  False if there is none, or more than one.
 */
bool kernel_names_locate(const struct kernel_names *k, const char *name,
			 const char *object, uint32_t size, uint64_t *start);

#endif
