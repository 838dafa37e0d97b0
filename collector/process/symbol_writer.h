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
 * Writes the symbols of all frames in IN.  What has no name gets a label.  ROOT is put
 * before /proc; CARRIED may be NULL.
 */
void symbol_writer_run(struct intern *in, struct module_table *modules,
		       const struct kernel_map *kernel, const char *root,
		       const struct carried_symbols *carried);

#endif
