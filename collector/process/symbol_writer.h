/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the frames that were seen, written into the experiment when the recording
 * ends: so it reads the same on another machine, and after a rebuild.  Only objects that
 * have frames are opened.
 */
#ifndef SYMBOL_WRITER_H
#define SYMBOL_WRITER_H

#include "experiment/intern.h"
#include "process/kernel_map.h"
#include "process/module.h"
#include "elf/objsyms.h"

/*
 * Names that an imported recording has brought along, for what is not on this machine.
 * find fills OUT and gives true where it has names of M; KERNEL is the address of the
 * kernel's offset 0.
 */
struct carried_symbols {
	bool (*find)(void *ctx, const struct module *m, uint64_t kernel,
		     struct objsyms *out);
	void *ctx;
};

/*
 * How much of all perf maps is read, and the share that one may take of what is left of
 * that: the maps of one user do not keep the others' from being read.
 */
enum { PERF_MAPS_MIB = 2048, PERF_MAP_SHARE = 8 };

/*
 * Writes the symbols of all frames in IN.  What has no name gets a label.  ROOT is put
 * before /proc; CARRIED may be NULL.  Returns how many addresses in code without a file
 * have no name, and may have one in the part of a perf map that was not read.
 */
uint64_t symbol_writer_run(struct intern *in, struct module_table *modules,
			   const struct kernel_map *kernel, const char *root,
			   const struct carried_symbols *carried);

#endif
