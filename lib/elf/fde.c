/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function bounds from .eh_frame, which survives stripping because exceptions need it:
 * only the start and length of each entry's function.
 */
#include <dwarf.h>
#include <elf.h>

#include "elf/cfi_entry.h"
#include "elf/symbols.h"

/* The base of an address: none, or its own place. */
enum { PE_BASES = 0x70 };

/* A sparse file can claim any size; Chromium has 30 MB. */
#define EH_FRAME_MAX ((uint64_t)256 << 20)

struct eh_frame {
	const struct elf_image *img;
	struct strbuf bytes;
	struct cfi_section section;
	uint64_t cie_at; /* the CIE read last; UINT64_MAX: none yet */
	struct cfi_cie cie;
	bool usable; /* addresses of its FDEs can be read */
};

static struct cfi_section section_of(const struct elf_image *img,
				     const struct strbuf *bytes, uint64_t vaddr)
{
	return (struct cfi_section){
		.bytes = (const unsigned char *)strbuf_str(bytes),
		.len = bytes->len,
		.vaddr = vaddr,
		.eh = true,
		.narrow = !img->is64,
		.swap = img->swap,
	};
}

/* Finds the table through its header, which the program headers name. */
static bool locate_by_header(const struct elf_image *img, uint64_t *vaddr)
{
	const struct elf_segment *header = elf_segment_typed(img, PT_GNU_EH_FRAME);
	struct strbuf bytes = { 0 };
	struct cfi_section section;
	struct cfi_hdr hdr;
	bool found;

	if (!header || elf_image_read(img, header->offset, 8, &bytes) != 0)
		return false;
	section = section_of(img, &bytes, header->vaddr);
	found = cfi_hdr_read(&section, &hdr);
	*vaddr = found ? hdr.eh_frame : 0;
	strbuf_release(&bytes);
	return found;
}

static bool eh_frame_read(struct eh_frame *eh, const struct elf_image *img)
{
	const struct elf_section *section = elf_section_named(img, ".eh_frame");
	const struct elf_segment *segment;
	uint64_t vaddr, skip, rest;
	bool whole;

	*eh = (struct eh_frame){ .img = img, .cie_at = UINT64_MAX };
	if (section) {
		vaddr = section->vaddr;
		whole = elf_section_read(img, section, EH_FRAME_MAX, &eh->bytes) == 0;
	} else {
		if (!locate_by_header(img, &vaddr))
			return false;
		segment = elf_segment_at_vaddr(img, vaddr);
		if (!segment)
			return false;
		skip = vaddr - segment->vaddr;
		rest = segment->filesz - skip;
		whole = elf_image_read(img, segment->offset + skip,
				       rest < EH_FRAME_MAX ? rest : EH_FRAME_MAX,
				       &eh->bytes) == 0;
	}
	eh->section = section_of(img, &eh->bytes, vaddr);
	return whole;
}

static void use_cie(struct eh_frame *eh, uint64_t at)
{
	unsigned base;

	if (eh->cie_at == at)
		return;
	eh->cie_at = at;
	eh->usable = cfi_cie_read(&eh->section, at, &eh->cie);
	base = eh->cie.encoding & PE_BASES;
	if (base != DW_EH_PE_absptr && base != DW_EH_PE_pcrel)
		eh->usable = false;
}

static void add_fde(struct symtab *tab, const struct eh_frame *eh, struct cursor *c)
{
	const struct elf_segment *segment;
	uint64_t start, end;

	if (!cfi_range_read(&eh->section, &eh->cie, c, &start, &end) || start == end)
		return;
	segment = elf_segment_at_vaddr(eh->img, start);
	if (segment && segment->flags & PF_X)
		symtab_add(tab, &(struct symbol_entry){ .start = start,
							.size = end - start,
							.source = SYMBOL_FDE });
}

void elf_add_fdes(struct symtab *tab, const struct elf_image *img)
{
	struct eh_frame eh;
	struct cfi_entry entry;

	if (!eh_frame_read(&eh, img))
		goto out;
	/* A length of 0 ends the table, but not always the segment. */
	for (uint64_t at = 0; cfi_entry_read(&eh.section, at, &entry); at = entry.next) {
		if (entry.is_cie)
			continue;
		use_cie(&eh, entry.cie);
		if (eh.usable)
			add_fde(tab, &eh, &entry.body);
	}
out:
	strbuf_release(&eh.bytes);
}
