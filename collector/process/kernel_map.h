/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of the kernel and its modules, which convert addresses to offsets that stay
 * valid after the next boot (KASLR).  Sources: the first lines of /proc/kallsyms,
 * /proc/modules.  If the kernel hides its addresses, everything is in one module from
 * address 0, and offsets are addresses.
 */
#ifndef KERNEL_MAP_H
#define KERNEL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "process/kernel_entries.h"
#include "process/space.h"

struct build_id;
struct module_table;

struct kernel_map {
	struct space_room room;
	struct space areas; /* the modules of the kernel */
	uint64_t text;      /* of the first text byte; 0: hidden */
	uint32_t kernel;    /* index in the module table */
	/* if the recorded kernel is the running one, from its names: */
	bool is_named;
	uint64_t code; /* bytes of its code, see kernel_map_add */
	struct kernel_entries entries;
};

/*
 * A map of the running kernel, with ROOT before /proc and /sys; or an empty map of another
 * kernel.  K must not move from then on.
 */
void kernel_map_init_unknown(struct kernel_map *k, struct module_table *modules);
void kernel_map_init(struct kernel_map *k, struct module_table *modules,
		     const char *root);
void kernel_map_release(struct kernel_map *k);

/* The address of the running kernel's first text byte; 0: hidden. */
uint64_t kernel_text_start(const char *root);

/*
 * Adds the kernel or one of its modules at [START, START + LEN), as a mapping of that
 * NAME reports: "[kernel.kallsyms]_text", "[ext4]", "/lib/modules/…/ext4.ko.xz".  TEXT is
 * where the kernel's first text byte is, 0 for a module.  Perf's mapping of the kernel ends
 * with its text; if it is the running kernel, the area goes on to the end of the code that
 * it had at boot, where the stacks of idle tasks begin (start_kernel).  Older areas give
 * way.  Returns how many areas were left out, as there are too many of them or of modules.
 */
unsigned kernel_map_add(struct kernel_map *k, struct module_table *modules,
			const char *name, uint64_t start, uint64_t len, uint64_t text,
			const struct build_id *build_id);

/* The module of a kernel address, and the offset in it. */
void kernel_map_find(const struct kernel_map *k, uint64_t address, uint32_t *module,
		     uint64_t *offset);

#endif
