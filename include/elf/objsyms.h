/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function names of one ELF object (program, shared library, vDSO): from a file offset to
 * the function that contains it.
 *
 * Names come from .symtab, .dynsym and the PLT of the file that ran and, if that was
 * stripped, from .symtab of its debug file (debugfile.h) or of .gnu_debugdata, and from
 * Go's own table (go_table.h).  Code
 * without a name still belongs to functions: the unwind table (.eh_frame) has their
 * bounds even in a stripped file (SYMBOL_FDE, no name).  Without that, code is divided
 * into pages of 4 KiB of the file's addresses (SYMBOL_NONE).  Either way one place of the
 * program keeps one label, and different ones keep different labels: objsyms_label.
 *
 * objsyms_read reads everything once and closes the file; look-ups use only memory.  A
 * file that changes while it is read gives -ESTALE, and no name.
 */
#ifndef OBJSYMS_H
#define OBJSYMS_H

#include "elf/image.h"
#include "elf/object_file.h"
#include "base/strbuf.h"
#include "elf/symtab.h"

struct objsyms {
	struct symtab named;  /* by virtual address */
	struct symtab bounds; /* functions of .eh_frame, without names */
	VEC(struct elf_segment) loads;
	struct build_id build_id;
	bool has_debug_file;
};

/*
 * 0 or a negative errno, see object_file_open.  After a failure SYMS is empty but usable:
 * objsyms_at then gives SYMBOL_NONE, by pages of the file.
 */
int objsyms_read(struct objsyms *syms, const struct object_place *place)
	__attribute__((warn_unused_result));

/* The same from an open image (the vDSO); PLACE as above, or NULL for no debug file. */
int objsyms_read_image(struct objsyms *syms, const struct elf_image *img,
		       const struct object_place *place)
	__attribute__((warn_unused_result));

/* The same of NAMES alone, which it takes over: offset 0 of the file is their address
 * BIAS. */
void objsyms_of_names(struct objsyms *syms, struct symtab *names, uint64_t bias);

void objsyms_release(struct objsyms *syms);

/*
 * The function at a file offset; always fills OUT.  out->start and until are file
 * offsets, vaddr the address of start in the file's own terms.
 */
void objsyms_at(const struct objsyms *syms, uint64_t offset, struct symbol *out);

/* The label of SYM: its raw name, or "<libfoo.so.1>+0x1230" by its vaddr. */
void objsyms_label(struct strbuf *out, const char *object, const struct symbol *sym);

#endif
