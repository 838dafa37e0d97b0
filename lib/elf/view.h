/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF file in memory whose sections are parts of other files, so libdw reads them as
 * one file.  Nothing is copied.
 */
#ifndef ELF_VIEW_H
#define ELF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/cursor.h"
#include "base/strbuf.h"

/* A section, or a part of one; both texts are borrowed. */
struct elf_slice {
	const char *name;
	char *bytes; /* never changed; libelf has no const */
	size_t len;
};

/*
 * The content of the section of that name, decompressed if necessary; it lives as long as
 * ELF.  False: there is none.
 */
bool elf_slice_get(Elf *elf, const char *name, struct elf_slice *out);

/* A cursor over a slice of ELF, in ELF's byte order; it lives as long. */
struct cursor elf_slice_cursor(Elf *elf, const struct elf_slice *slice);

/* The same over the section of that name; empty if there is none. */
struct cursor elf_section_cursor(Elf *elf, const char *name);

typedef bool elf_slice_fn(Elf *elf, const struct elf_slice *slice);

/* The first section of that name that TAKES accepts.  False: there is none. */
bool elf_slice_get_where(Elf *elf, const char *name, elf_slice_fn *takes,
			 struct elf_slice *out);

/*
 * libdw (0.188) accepts any offset into a section of strings, and reads from there to a
 * NUL wherever that is, even beyond the section.  This cuts the slice, or the section,
 * behind its last NUL.
 */
void elf_slice_end_texts(struct elf_slice *slice);
void elf_section_end_texts(Elf *elf, const char *name);

/* Releases the pages of the mapped file; the kernel reads them again when needed. */
void elf_pages_forget(Elf *elf);

/* The same, each time that so many bytes of a file were passed. */
struct elf_lap {
	Elf *elf; /* borrowed; NULL: nothing is released */
	uint64_t passed;
};

/* Whether it released them. */
bool elf_lap_pass(struct elf_lap *lap, uint64_t bytes);

/*
 * libdw also returns texts among other bytes (DW_FORM_string) without looking for their
 * end.  If the section's last byte is no NUL, replaces it by a copy that ends in one; the
 * caller frees that when nothing reads ELF any more.  NULL: no copy is needed.
 */
char *elf_section_close_text(Elf *elf, const char *name);

/* Keeps SIZE bytes from OFFSET on; false: it has fewer. */
bool elf_slice_cut(struct elf_slice *slice, size_t offset, size_t size);

struct elf_view {
	Elf *elf;
	struct strbuf image; /* all of ELF except the slices */
};

/*
 * Makes one with the class and byte order of LIKE.  The slices' bytes must outlive it.
 * False: LIKE is damaged; VIEW may be released.
 */
bool elf_view_make(struct elf_view *view, Elf *like, const struct elf_slice *slices,
		   size_t count);
void elf_view_release(struct elf_view *view);

#endif
