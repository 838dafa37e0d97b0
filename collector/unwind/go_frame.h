/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of Go's functions on x86-64, by Go's table and a little of their code.
 */
#ifndef UNWIND_GO_FRAME_H
#define UNWIND_GO_FRAME_H

#include <stdbool.h>

#include "unwind/cfi.h"
#include "unwind/elf.h"
#include "elf/go_table.h"

/* A Go program's code. */
struct go_code {
	struct go_table table;
	const struct elf_file *file; /* borrowed */
	unsigned searches;           /* of the whole table (go_chain.c) */
};

/*
 * The row of VADDR, including the place of the saved frame pointer, which neither Go's
 * table nor its call frame information has.
 */
bool go_row_at(const struct go_code *go, uint64_t vaddr, uint32_t *fuel,
	       struct cfi_row *row);

/*
 * Whether F, at VADDR, keeps its caller's frame pointer right below its return address,
 * as all of Go's functions with a frame do.
 */
bool go_saves_fp(const struct go_code *go, const struct go_func *f, uint64_t vaddr,
		 uint32_t *fuel);

#endif
