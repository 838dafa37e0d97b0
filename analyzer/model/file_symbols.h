/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names from the files that ran, for modules whose names a recording lacks because its
 * collector was killed first; and from debug files, perhaps installed since, for
 * functions without a name.  Only the file that ran counts (object_file.h): a wrong name
 * would be worse than none.  It is read at the first lookup in it.
 */
#ifndef FILE_SYMBOLS_H
#define FILE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/read.h"
#include "elf/object_file.h"
#include "elf/objsyms.h"

struct file_symbols {
	const struct experiment *exp; /* borrowed */
	struct objsyms **by_module;   /* NULL: not read */
	bool *tried;
	const struct object_search *search; /* borrowed */
};

/* Overwrites OUT, which the caller releases. */
void file_symbols_init(struct file_symbols *out, const struct experiment *exp,
		       const struct object_search *search);
void file_symbols_release(struct file_symbols *files);

/*
 * False if nothing is known.  OUT's texts are valid until the release.  DEBUG_ONLY: files
 * without a debug file are not read; the same for all calls for a module.
 */
bool file_symbols_find(struct file_symbols *files, uint32_t module, uint64_t offset,
		       bool debug_only, struct symbol *out);

#endif
