/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes names of the sampled frames into the experiment when the recording ends: so it
 * reads the same on another machine, and after a rebuild.  Only objects with frames are
 * opened.
 */
#ifndef SYMBOL_WRITER_H
#define SYMBOL_WRITER_H

#include "experiment/intern.h"
#include "process/kernel_map.h"
#include "process/module.h"
#include "elf/objsyms.h"

/*
 * Names from an imported recording, for objects that this machine lacks. find fills OUT
 * and returns true if it has names of M; KERNEL is the address of the kernel's offset 0.
 */
struct carried_symbols {
	bool (*find)(void *ctx, const struct module *m, uint64_t kernel,
		     struct objsyms *out);
	void *ctx;
};

/*
 * The budget for all perf maps, and the share of its remainder that one may use: one
 * user's maps do not prevent reading the others'.
 */
enum { PERF_MAPS_MIB = 2048, PERF_MAP_SHARE = 8 };

/*
 * The quotas of all symbol tables, which take a multiple of that in memory, one file after
 * the other; and of the names that are written.  Files of our own user are not
 * charged.  And the longest name, 250 times that of any in 40 large libraries.
 */
enum {
	SYMBOLS_MIB = 4096,
	SYMBOLS_KEPT = 8, /* an eighth of what a file's table took is not given back */
	LABELS_MIB = 1024,
	LABEL_MAX = 1 << 18,
};

struct symbols_left_out {
	uint64_t jit;     /* addresses whose names may be in the unread part of a map */
	uint64_t symbols; /* files whose symbols were not all read */
	uint64_t labels;  /* functions without their names */
};

/*
 * Writes the symbols of all frames in IN.  Frames without a name get a label.  ROOT
 * precedes /proc; CARRIED may be NULL.
 */
struct symbols_left_out symbol_writer_run(struct intern *in, struct module_table *modules,
					  const struct kernel_map *kernel,
					  const char *root,
					  const struct carried_symbols *carried);

#endif
