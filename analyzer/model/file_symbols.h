/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names from the files that ran, for modules of which a recording keeps none, as its
 * collector was killed before it could store them; and from their debug files, for
 * functions without a name: these may have come since.
 *
 * A file is asked only if it has the build-id of the module: a wrong name would be worse
 * than none.  It is read when the first of its places is looked up.
 */
#ifndef FILE_SYMBOLS_H
#define FILE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/debuginfod.h"
#include "experiment/read.h"
#include "elf/objsyms.h"

struct file_symbols {
	const struct experiment *exp; /* borrowed */
	struct objsyms **by_module;   /* NULL: not read */
	bool *tried;
	struct debuginfod *online; /* borrowed; or NULL */
};

/* Overwrites OUT, which is the caller's to release. */
void file_symbols_init(struct file_symbols *out, const struct experiment *exp,
		       struct debuginfod *online);
void file_symbols_release(struct file_symbols *files);

/*
 * False where nothing is known.  OUT's texts are good until the release.  DEBUG_ONLY:
 * what has no debug file is not read; all calls for a module say the same.
 */
bool file_symbols_find(struct file_symbols *files, uint32_t module, uint64_t offset,
		       bool debug_only, struct symbol *out);

#endif
