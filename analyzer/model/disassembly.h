/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of a stretch of code in an ELF file (x86-64, aarch64), as capstone
 * decodes them, with the functions named that branches go to, and their source lines.
 */
#ifndef DISASSEMBLY_H
#define DISASSEMBLY_H

#include <stdint.h>

#include "elf/lineinfo.h"
#include "elf/object_file.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct instruction {
	uint64_t offset; /* in the file */
	uint64_t vaddr;  /* what objdump calls it */
	uint32_t size;
	size_t text; /* where in text */
};

struct disassembly {
	VEC(struct instruction) list; /* by offset */
	struct strbuf text;           /* NUL-terminated */
	struct line_answers lines;    /* by instruction; empty where nothing is known */
};

/* Code in a file; texts are borrowed for the call. */
struct code_range {
	struct object_place place;
	uint64_t start, size; /* file offsets; size 0: as far as the symbol goes */
};

/*
 * 0 or a negative errno.  -ESTALE: the file is of another build.  -ENOTSUP: of a machine
 * that we do not decode.  -ENODATA: it has nothing there.  Overwrites OUT, which is the
 * caller's to release.
 */
int disassemble(struct disassembly *out, const struct code_range *range)
	__attribute__((warn_unused_result));
void disassembly_release(struct disassembly *d);

#endif
