/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources from which objsyms gathers names of an ELF image, one function each.  They
 * add to an unfinished table, by virtual address; a missing or damaged source adds
 * nothing, because the others may still be good.
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
	uint32_t names, names_len; /* its string table in the symtab's names */
};

struct elf_symbol {
	uint64_t value, size;
	uint32_t name;         /* offset in the symtab's names; 0: none */
	uint16_t section;      /* SHN_* or an index */
	uint8_t type, binding; /* STT_*, STB_* */
};

/* The places in the file of a symbol table and its string table, in bytes. */
struct elf_symbols_place {
	uint64_t symbols, symbols_len, strings, strings_len;
};

/* .dynsym, found without section headers: through PT_DYNAMIC and the hash table. */
bool elf_symbols_place_of_dynamic(const struct elf_image *img,
				  struct elf_symbols_place *out);

/* Reads .symtab, or .dynsym; a missing or damaged one has no symbols. */
void elf_symbols_read(struct elf_symbols *syms, const struct elf_image *img, bool dynamic,
		      struct symtab *names);

void elf_symbols_release(struct elf_symbols *syms);

/* False past the end. */
bool elf_symbols_get(const struct elf_symbols *syms, uint32_t i, struct elf_symbol *out);

/* The functions among them. */
void elf_add_functions(struct symtab *tab, const struct elf_symbols *syms,
		       enum symbol_source source);

/*
 * Adds "name@plt" for each stub; DYNSYM is .dynsym of IMG.  Call after elf_add_functions,
 * which adds the functions that IRELATIVE slots resolve to.
 */
void elf_add_plt(struct symtab *tab, const struct elf_image *img,
		 const struct elf_symbols *dynsym);

/* The functions of a Go program by Go's own table, which stripped files keep. */
void elf_add_go(struct symtab *tab, const struct elf_image *img);

/* The bounds of the functions of .eh_frame. */
void elf_add_fdes(struct symtab *tab, const struct elf_image *img);

#endif
