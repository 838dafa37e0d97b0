/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What objsyms gathers from an ELF image, one function a source.  Each adds to a table
 * that is not yet finished, by virtual address; a source that the file lacks, or that is
 * damaged, adds nothing, because the other ones may still be good.
 */
#ifndef ELF_SYMBOLS_H
#define ELF_SYMBOLS_H

#include "elf/image.h"
#include "elf/symtab.h"

/* A symbol table in memory, with the names kept in a symtab. */
struct elf_symbols {
	const struct elf_image *img;
	struct strbuf bytes;
	uint64_t entry_size;
	uint32_t count;
	uint32_t names, names_len; /* where its string table lies in the symtab's names */
};

struct elf_symbol {
	uint64_t value, size;
	uint32_t name;         /* where in the symtab's names; 0 for none */
	uint16_t section;      /* SHN_* or an index */
	uint8_t type, binding; /* STT_*, STB_* */
};

/* Where in the file a symbol table and its string table lie, in bytes. */
struct elf_symbols_place {
	uint64_t symbols, symbols_len, strings, strings_len;
};

/* Those of a section; false where SECTION is NULL or no symbol table. */
bool elf_symbols_place_of_section(const struct elf_image *img,
				  const struct elf_section *section,
				  struct elf_symbols_place *out);

/* .dynsym, found without section headers: through PT_DYNAMIC and the hash table. */
bool elf_symbols_place_of_dynamic(const struct elf_image *img,
				  struct elf_symbols_place *out);

/* Reads .symtab, or .dynsym; one that is missing or damaged has no symbols. */
void elf_symbols_read(struct elf_symbols *syms, const struct elf_image *img, bool dynamic,
		      struct symtab *names);

void elf_symbols_release(struct elf_symbols *syms);

/* False past the end. */
bool elf_symbols_get(const struct elf_symbols *syms, uint32_t i, struct elf_symbol *out);

/* The functions among them. */
void elf_add_functions(struct symtab *tab, const struct elf_symbols *syms,
		       enum symbol_source source);

/*
 * "name@plt" for each stub; DYNSYM is .dynsym of IMG.  After elf_add_functions, which
 * knows the functions that IRELATIVE slots resolve to.
 */
void elf_add_plt(struct symtab *tab, const struct elf_image *img,
		 const struct elf_symbols *dynsym);

/* The bounds of the functions of .eh_frame. */
void elf_add_fdes(struct symtab *tab, const struct elf_image *img);

#endif
