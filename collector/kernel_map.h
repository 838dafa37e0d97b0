/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the kernel and its modules lie, so that their addresses become offsets that mean
 * the same after the next boot (KASLR).  Sources: the first lines of /proc/kallsyms,
 * /proc/modules.  Where the kernel hides its addresses everything is in one module from
 * address 0, and offsets are addresses.
 */
#ifndef KERNEL_MAP_H
#define KERNEL_MAP_H

#include <stdint.h>

#include "space.h"

struct module_table;

struct kernel_map {
	struct space areas; /* the modules of the kernel */
	uint64_t text;      /* of the first text byte; 0: hidden */
	uint32_t kernel;    /* index in the module table */
};

/* ROOT is put before /proc and /sys. */
void kernel_map_init(struct kernel_map *k, struct module_table *modules,
		     const char *root);
void kernel_map_release(struct kernel_map *k);

/* The module of a kernel address, and the offset in it. */
void kernel_map_find(const struct kernel_map *k, uint64_t address, uint32_t *module,
		     uint64_t *offset);

#endif
