/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disassembles ranges of code in an ELF file (x86-64, aarch64) with capstone, with the
 * names of branches' targets and the source lines.
 */
#ifndef DISASSEMBLY_H
#define DISASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/lineinfo.h"
#include "elf/object_file.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct instruction {
	uint64_t offset; /* in the file */
	uint64_t vaddr;  /* objdump's address */
	uint32_t size;
	size_t text;     /* offset in text */
	uint64_t target; /* of a jump, as vaddr; 0: none, or a call */
	bool unknown;    /* to the disassembler: text has its bytes */
};

struct disassembly {
	VEC(struct instruction) list; /* by offset */
	struct strbuf text;           /* NUL-terminated */
	struct line_answers lines;    /* by instruction; empty if nothing is known */
};

/* From 1: the instruction at OFFSET, or whose bytes contain it; 0: none. */
uint32_t disassembly_at(const struct disassembly *code, uint64_t offset);

/* How many of the instructions FROM … END are unknown. */
size_t disassembly_unknown(const struct disassembly *code, size_t from, size_t end);

/* The source line of instruction I, innermost; NULL: not known. */
const struct line_frame *disassembly_line(const struct disassembly *code, size_t i);

/* Code in a file; texts are borrowed for the call. */
struct code_range {
	struct object_place place;
	bool vdso; /* not a file: the image that the kernel maps, with place's build-id */
	/*
	 * of the kernel that RELEASE names: START is from its first byte of text, and PLACE
	 * has only its build-id.  SYMBOL must start there.  NULL: it is not the kernel's
	 */
	const char *release, *symbol;
	uint64_t start, size; /* file offsets; size 0: the symbol's size */
};

/*
 * COUNT ranges of one file (of the first's place), in order and apart from each other; those
 * without code are left out.
 *
 * 0 or a negative errno.  -ESTALE: the file, or the vDSO here, is another build.  -ENOTSUP: we do not decode
 * its machine.  -ENODATA: it has no code there.  Overwrites OUT, which the caller
 * releases.
 */
int disassemble(struct disassembly *out, const struct code_range *ranges, size_t count)
	__attribute__((warn_unused_result));
void disassembly_release(struct disassembly *d);

#endif
