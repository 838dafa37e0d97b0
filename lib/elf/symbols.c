/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/symbols.h"

#include <elf.h>

/* Reads a string table into the names, NUL-terminated whatever its end. */
static bool keep_strings(struct elf_symbols *syms, uint64_t offset, uint64_t len,
			 struct symtab *tab)
{
	size_t at = tab->names.len;

	if (len >= SYMTAB_NAMES_MAX - at ||
	    elf_image_read(syms->img, offset, len, &tab->names) != 0)
		return false;
	strbuf_addch(&tab->names, '\0');
	syms->names = (uint32_t)at;
	syms->names_len = (uint32_t)len;
	return true;
}

/* Those of a section; false if SECTION is NULL or no symbol table. */
static bool place_of_section(const struct elf_image *img,
			     const struct elf_section *section,
			     struct elf_symbols_place *out)
{
	const struct elf_section *strings;

	if (!section || section->link >= img->sections.len)
		return false;
	strings = &img->sections.data[section->link];
	*out = (struct elf_symbols_place){ section->offset, section->size,
					   strings->offset, strings->size };
	return strings->type == SHT_STRTAB;
}

void elf_symbols_read(struct elf_symbols *syms, const struct elf_image *img, bool dynamic,
		      struct symtab *names)
{
	struct elf_symbols_place at;

	*syms = (struct elf_symbols){
		.img = img,
		.entry_size = img->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym),
	};
	if (!place_of_section(img,
			      elf_section_typed(img, dynamic ? SHT_DYNSYM : SHT_SYMTAB),
			      &at) &&
	    !(dynamic && elf_symbols_place_of_dynamic(img, &at)))
		return;
	if (elf_image_read(img, at.symbols, at.symbols_len, &syms->bytes) == 0 &&
	    keep_strings(syms, at.strings, at.strings_len, names))
		syms->count = (uint32_t)(syms->bytes.len / syms->entry_size);
}

void elf_symbols_release(struct elf_symbols *syms)
{
	strbuf_release(&syms->bytes);
	syms->count = 0;
}

bool elf_symbols_get(const struct elf_symbols *syms, uint32_t i, struct elf_symbol *out)
{
	const struct elf_image *img = syms->img;
	struct cursor c;
	uint32_t name;
	uint8_t info;

	if (i >= syms->count)
		return false;
	cursor_init(&c, syms->bytes.data + i * syms->entry_size, syms->entry_size);
	c.swap = img->swap;
	name = cursor_u32(&c);
	if (!img->is64) {
		out->value = cursor_u32(&c);
		out->size = cursor_u32(&c);
	}
	info = cursor_u8(&c);
	cursor_u8(&c); /* st_other */
	out->section = cursor_u16(&c);
	if (img->is64) {
		out->value = cursor_u64(&c);
		out->size = cursor_u64(&c);
	}
	out->type = ELF64_ST_TYPE(info);
	out->binding = ELF64_ST_BIND(info);
	out->name = name && name < syms->names_len ? syms->names + name : 0;
	return true;
}

/* The furthest end of a symbol, or 0 for one outside code. */
static uint64_t code_limit(const struct elf_image *img, const struct elf_symbol *sym)
{
	const struct elf_segment *segment;
	const struct elf_section *section;

	if (sym->section < img->sections.len) {
		section = &img->sections.data[sym->section];
		if (!(section->flags & SHF_EXECINSTR) || sym->value < section->vaddr ||
		    sym->value - section->vaddr >= section->size)
			return 0;
		return section->vaddr + section->size;
	}
	segment = elf_segment_at_vaddr(img, sym->value);
	if (!segment || !(segment->flags & PF_X))
		return 0;
	return segment->vaddr + segment->filesz;
}

/*
 * Functions, and labels of hand-written assembly.  Names that begin with '.' or '$' are
 * the tools' own: .L labels, annobin notes, the $x and $d that mark code and data on Arm.
 */
static bool is_function(const struct elf_symbol *sym, const char *name)
{
	if (!sym->name || !name[0] || sym->section == SHN_UNDEF)
		return false;
	if (sym->type == STT_NOTYPE)
		return name[0] != '.' && name[0] != '$';
	return sym->type == STT_FUNC || sym->type == STT_GNU_IFUNC;
}

static enum symbol_binding binding_of(const struct elf_symbol *sym)
{
	if (sym->binding == STB_LOCAL)
		return SYMBOL_LOCAL;
	return sym->binding == STB_WEAK ? SYMBOL_WEAK : SYMBOL_GLOBAL;
}

void elf_add_functions(struct symtab *tab, const struct elf_symbols *syms,
		       enum symbol_source source)
{
	struct elf_symbol sym;
	uint32_t file = 0; /* of the local symbols that follow it */

	for (uint32_t i = 0; elf_symbols_get(syms, i, &sym); i++) {
		uint64_t limit;

		if (sym.type == STT_FILE)
			file = sym.name;
		if (!is_function(&sym, tab->names.data + sym.name))
			continue;
		limit = code_limit(syms->img, &sym);
		if (!limit)
			continue;
		symtab_add(tab, &(struct symbol_entry){
					.start = sym.value,
					.size = sym.size,
					.limit = limit,
					.name = sym.name,
					.file = sym.binding == STB_LOCAL ? file : 0,
					.source = (uint8_t)source,
					.binding = (uint8_t)binding_of(&sym),
					.label = sym.type == STT_NOTYPE,
				});
	}
}
