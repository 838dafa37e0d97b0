/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/cfi_entry.h"

#include <dwarf.h>
#include <string.h>

/* Parts of a pointer's encoding byte. */
enum { FORMAT_BITS = 0x0f, BASE_BITS = 0x70 };

/*
 * Augmentations have up to five letters.  The limit makes the time to read an entry
 * independent of the section's size.
 */
#define MAX_AUGMENTATION 8

static uint64_t pointer_base(struct cursor *c, uint8_t how, uint64_t here,
			     uint64_t datarel)
{
	switch (how) {
	case DW_EH_PE_absptr:
		return 0;
	case DW_EH_PE_pcrel:
		return here;
	case DW_EH_PE_datarel:
		return datarel;
	default:
		cursor_fail(c);
		return 0;
	}
}

static uint64_t pointer_value(const struct cfi_section *s, struct cursor *c,
			      uint8_t format)
{
	switch (format) {
	case DW_EH_PE_absptr:
		return s->narrow ? cursor_u32(c) : cursor_u64(c);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor_u64(c);
	case DW_EH_PE_udata4:
		return cursor_u32(c);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)cursor_u32(c);
	case DW_EH_PE_udata2:
		return cursor_u16(c);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)cursor_u16(c);
	case DW_EH_PE_uleb128:
		return cursor_varint(c);
	case DW_EH_PE_sleb128:
		return (uint64_t)cursor_sleb(c);
	default:
		cursor_fail(c);
		return 0;
	}
}

uint64_t cfi_pointer(const struct cfi_section *s, struct cursor *c, uint8_t encoding,
		     uint64_t datarel)
{
	uint64_t here = s->vaddr + (uint64_t)(c->at - s->bytes);
	uint64_t base = pointer_base(c, encoding & BASE_BITS, here, datarel);
	uint64_t value = base + pointer_value(s, c, encoding & FORMAT_BITS);

	/* An indirect pointer is in memory that the file does not have. */
	if (encoding & DW_EH_PE_indirect)
		cursor_fail(c);
	if (!cursor_ok(c))
		return 0;
	return s->narrow ? value & UINT32_MAX : value;
}

bool cfi_entry_read(const struct cfi_section *s, uint64_t offset, struct cfi_entry *entry)
{
	struct cursor c;
	uint64_t len, id, id_at;
	bool wide;

	if (offset >= s->len)
		return false;
	cursor_init(&c, s->bytes + offset, s->len - offset);
	c.swap = s->swap;
	len = cursor_u32(&c);
	wide = len == UINT32_MAX;
	if (wide)
		len = cursor_u64(&c);
	if (!len)
		return false;
	entry->body = cursor_sub(&c, len <= cursor_left(&c) ? (size_t)len : SIZE_MAX);
	if (!cursor_ok(&c))
		return false;
	id_at = (uint64_t)(entry->body.at - s->bytes);
	entry->next = id_at + len;
	/* .eh_frame's ids have four bytes even behind a wide length. */
	if (s->eh || !wide)
		id = cursor_u32(&entry->body);
	else
		id = cursor_u64(&entry->body);
	entry->is_cie = s->eh ? id == 0 : id == (wide ? UINT64_MAX : UINT32_MAX);
	/* .eh_frame counts back from the id, .debug_frame from the section's start. */
	entry->cie = s->eh ? id_at - id : id;
	return cursor_ok(&entry->body);
}

/* Reads the letters behind a 'z'; the data of other letters can be skipped. */
static void read_augmentation(const struct cfi_section *s, const char *letters,
			      struct cursor *data, struct cfi_cie *cie)
{
	for (; *letters && cursor_ok(data); letters++)
		switch (*letters) {
		case 'S':
			cie->signal = true;
			break;
		case 'R':
			cie->encoding = cursor_u8(data);
			break;
		case 'L':
			cursor_u8(data);
			break;
		case 'P': /* only the length of the routine's address matters here */
			cfi_pointer(s, data, cursor_u8(data) & ~DW_EH_PE_indirect, 0);
			break;
		case 'B': /* signed with key B: cleared as the other key's signature is */
		case 'G': /* memory tags, which concern unwinding's actions alone */
			break;
		default:
			return;
		}
}

/* Reads the augmentation's letters, and leaves the cursor behind them. */
static const char *read_letters(struct cursor *c)
{
	size_t max = cursor_left(c) < MAX_AUGMENTATION ? cursor_left(c)
						       : MAX_AUGMENTATION;

	if (max && memchr(c->at, '\0', max))
		return cursor_str(c);
	cursor_fail(c);
	return "";
}

bool cfi_cie_read(const struct cfi_section *s, uint64_t offset, struct cfi_cie *cie)
{
	struct cfi_entry entry;
	struct cursor *c = &entry.body, data;
	const char *letters;
	uint8_t version;

	if (!cfi_entry_read(s, offset, &entry) || !entry.is_cie)
		return false;
	*cie = (struct cfi_cie){ .encoding = DW_EH_PE_absptr };
	version = cursor_u8(c);
	letters = read_letters(c);
	cie->sized = letters[0] == 'z';
	if ((version != 1 && version != 3 && version != 4) || (letters[0] && !cie->sized))
		return false;
	/*
	 * Version 4 has the size of addresses and of segment selectors, which must be
	 * none.
	 */
	if (version == 4 && (cursor_u8(c) != (s->narrow ? 4 : 8) || cursor_u8(c) != 0))
		return false;
	cie->code_align = cursor_varint(c);
	cie->data_align = cursor_sleb(c);
	cie->ra = version == 1 ? cursor_u8(c) : cursor_varint(c);
	if (cie->sized) {
		data = cursor_sub(c, cursor_varint(c));
		read_augmentation(s, letters + 1, &data, cie);
		if (!cursor_ok(&data))
			return false;
	}
	cie->initial = c->at;
	cie->initial_end = c->end;
	return cursor_ok(c);
}

bool cfi_range_read(const struct cfi_section *s, const struct cfi_cie *cie,
		    struct cursor *c, uint64_t *start, uint64_t *end)
{
	uint64_t len;

	*start = cfi_pointer(s, c, cie->encoding, 0);
	/* The length has the same form, but is relative to nothing. */
	len = cfi_pointer(s, c, cie->encoding & FORMAT_BITS, 0);
	return !__builtin_add_overflow(*start, len, end) && cursor_ok(c);
}

bool cfi_hdr_read(const struct cfi_section *s, struct cfi_hdr *hdr)
{
	struct cursor c;
	uint8_t version, pointer, count;

	cursor_init(&c, s->bytes, s->len);
	c.swap = s->swap;
	version = cursor_u8(&c);
	pointer = cursor_u8(&c);
	count = cursor_u8(&c);
	hdr->table_encoding = cursor_u8(&c);
	if (version != 1)
		return false;
	hdr->eh_frame = cfi_pointer(s, &c, pointer, s->vaddr);
	if (!cursor_ok(&c))
		return false;
	hdr->count = 0;
	if (count != DW_EH_PE_omit)
		hdr->count = cfi_pointer(s, &c, count, s->vaddr);
	hdr->table = c;
	return true;
}
