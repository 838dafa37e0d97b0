/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function bounds from .eh_frame, which survives stripping because exceptions need it.
 *
 * It is a list of entries, each a length, an id and a body.  Id 0 is a CIE, which says
 * how the addresses of its FDEs are encoded; any other is an FDE, its id the distance
 * back to its CIE.  Of an FDE only the first two numbers are wanted: where the function
 * begins and how long it is.
 */
#include <elf.h>

#include "elf/symbols.h"

/* How addresses are encoded (DW_EH_PE_*): four bits of format, three of base. */
enum {
	PE_ABSPTR = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORMAT = 0x0f,
	PE_PCREL = 0x10,
	PE_BASE = 0x70,
	PE_INDIRECT = 0x80,
};

struct eh_frame {
	const struct elf_image *img;
	struct strbuf bytes;
	uint64_t vaddr;    /* of the first byte */
	size_t cie;        /* the CIE that ENCODING is of; SIZE_MAX for none yet */
	unsigned encoding; /* of FDE addresses; PE_INDIRECT where it is not readable */
};

/* The table begins where its header, which the program headers name, says. */
static bool locate_by_header(const struct elf_image *img, uint64_t *vaddr)
{
	const struct elf_segment *header = elf_segment_typed(img, PT_GNU_EH_FRAME);
	struct strbuf bytes = { 0 };
	struct cursor c;
	bool found;

	if (!header || elf_image_read(img, header->offset, 8, &bytes) != 0)
		return false;
	c = elf_image_cursor(img, &bytes);
	found = cursor_u8(&c) == 1 && cursor_u8(&c) == (PE_PCREL | PE_SDATA4);
	cursor_u16(&c); /* the encodings of the search table */
	*vaddr = header->vaddr + 4 + (uint64_t)(int32_t)cursor_u32(&c);
	strbuf_release(&bytes);
	return found;
}

static bool eh_frame_read(struct eh_frame *eh, const struct elf_image *img)
{
	const struct elf_section *section = elf_section_named(img, ".eh_frame");
	const struct elf_segment *segment;
	uint64_t skip;

	*eh = (struct eh_frame){ .img = img, .cie = SIZE_MAX };
	if (section) {
		eh->vaddr = section->vaddr;
		return elf_section_read(img, section, &eh->bytes) == 0;
	}
	if (!locate_by_header(img, &eh->vaddr))
		return false;
	segment = elf_segment_at_vaddr(img, eh->vaddr);
	if (!segment)
		return false;
	skip = eh->vaddr - segment->vaddr;
	return elf_image_read(img, segment->offset + skip, segment->filesz - skip,
			      &eh->bytes) == 0;
}

static uint64_t read_format(const struct elf_image *img, struct cursor *c,
			    unsigned encoding)
{
	switch (encoding & PE_FORMAT) {
	case PE_ABSPTR:
		return elf_cursor_word(img, c);
	case PE_UDATA2:
		return cursor_u16(c);
	case PE_UDATA4:
		return cursor_u32(c);
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor_u64(c);
	case PE_ULEB128:
		return cursor_varint(c);
	case PE_SDATA2:
		return (uint64_t)(int16_t)cursor_u16(c);
	case PE_SDATA4:
		return (uint64_t)(int32_t)cursor_u32(c);
	default:
		cursor_fail(c);
		return 0;
	}
}

/* A signed LEB128 whose value does not matter. */
static void skip_leb128(struct cursor *c)
{
	while (cursor_u8(c) & 0x80)
		;
}

/* C is behind the CIE's id.  The encoding of its FDEs' addresses. */
static unsigned cie_encoding(const struct elf_image *img, struct cursor *c)
{
	unsigned version = cursor_u8(c), encoding = PE_ABSPTR;
	const char *augmentation = cursor_str(c);

	skip_leb128(c); /* code alignment */
	skip_leb128(c); /* data alignment */
	if (version == 1)
		cursor_u8(c); /* return address column */
	else
		skip_leb128(c);
	if (augmentation[0] != 'z')
		return augmentation[0] ? PE_INDIRECT : PE_ABSPTR;
	cursor_varint(c); /* length of what follows */
	for (const char *letter = augmentation + 1; *letter; letter++) {
		if (*letter == 'R')
			encoding = cursor_u8(c);
		else if (*letter == 'P')
			read_format(img, c, cursor_u8(c)); /* personality */
		else if (*letter == 'L')
			cursor_u8(c);
		else if (*letter != 'S' && *letter != 'B' && *letter != 'G')
			break; /* unknown, but R comes first in all that is known */
	}
	return cursor_ok(c) ? encoding : PE_INDIRECT;
}

/* An entry from AT on: where its body ends; C is then behind the length. */
static bool entry_begin(const struct eh_frame *eh, size_t at, struct cursor *c)
{
	struct cursor all = elf_image_cursor(eh->img, &eh->bytes);
	uint64_t len;

	cursor_bytes(&all, at);
	len = cursor_u32(&all);
	if (len == UINT32_MAX)
		len = cursor_u64(&all);
	*c = cursor_sub(&all, len <= cursor_left(&all) ? (size_t)len : SIZE_MAX);
	return cursor_ok(c) && len;
}

/*
 * Only the head of a CIE is looked at: real ones take 20 bytes, and two endless ones that
 * FDEs use in turn would be read again and again.
 */
#define CIE_HEAD_MAX 256

static void use_cie(struct eh_frame *eh, size_t at)
{
	struct cursor c;

	if (eh->cie == at)
		return;
	eh->cie = at;
	eh->encoding = PE_INDIRECT;
	if (!entry_begin(eh, at, &c) || cursor_u32(&c) != 0)
		return;
	if (cursor_left(&c) > CIE_HEAD_MAX)
		c = cursor_sub(&c, CIE_HEAD_MAX);
	eh->encoding = cie_encoding(eh->img, &c);
}

/* C is behind the FDE's id. */
static void add_fde(struct symtab *tab, const struct eh_frame *eh, struct cursor *c)
{
	uint64_t here = eh->vaddr + (uint64_t)(c->at - (unsigned char *)eh->bytes.data);
	const struct elf_segment *segment;
	uint64_t start, size;

	start = read_format(eh->img, c, eh->encoding);
	size = read_format(eh->img, c, eh->encoding & 0x07);
	if ((eh->encoding & PE_BASE) == PE_PCREL)
		start += here;
	if (!eh->img->is64)
		start &= UINT32_MAX;
	segment = elf_segment_at_vaddr(eh->img, start);
	if (!cursor_ok(c) || !size || !segment || !(segment->flags & PF_X))
		return;
	symtab_add(tab, &(struct symbol_entry){
				.start = start, .size = size, .source = SYMBOL_FDE });
}

void elf_add_fdes(struct symtab *tab, const struct elf_image *img)
{
	struct eh_frame eh;
	struct cursor c;
	size_t at = 0;

	if (!eh_frame_read(&eh, img))
		goto out;
	/* A length of 0 ends the table, which the segment may go on behind. */
	while (entry_begin(&eh, at, &c)) {
		size_t id_at = (size_t)(c.at - (unsigned char *)eh.bytes.data);
		uint32_t id;

		at = (size_t)(c.end - (unsigned char *)eh.bytes.data);
		id = cursor_u32(&c);
		if (!id || id > id_at)
			continue;
		use_cie(&eh, id_at - id);
		if (!(eh.encoding & PE_INDIRECT) &&
		    ((eh.encoding & PE_BASE) == 0 || (eh.encoding & PE_BASE) == PE_PCREL))
			add_fde(tab, &eh, &c);
	}
out:
	strbuf_release(&eh.bytes);
}
