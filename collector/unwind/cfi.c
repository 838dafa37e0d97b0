/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/cfi.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/cfi_read.h"

/* The one form of the table that linkers write. */
#define TABLE_ENCODING (DW_EH_PE_datarel | DW_EH_PE_sdata4)
#define TABLE_PAIR     8

/*
 * Augmentations have up to five letters.  The limit is what keeps the reading of an entry
 * from depending on the section's size.
 */
#define MAX_AUGMENTATION 8

/* One entry of the section, as far as both kinds are alike. */
struct entry {
	struct cursor body; /* behind the id */
	uint64_t next;      /* offset of the next entry */
	bool is_cie;
	uint64_t cie; /* offset, for an FDE */
};

/* False at the end of the section, its terminator, or damage. */
static bool read_entry(const struct cfi *cfi, uint64_t offset, struct entry *entry)
{
	struct cursor c;
	uint64_t len, id, id_at;
	bool wide;

	if (offset >= cfi->len)
		return false;
	cursor_init(&c, cfi->bytes + offset, cfi->len - offset);
	len = cursor_u32(&c);
	wide = len == UINT32_MAX;
	if (wide)
		len = cursor_u64(&c);
	if (!len)
		return false;
	entry->body = cursor_sub(&c, len);
	id_at = (uint64_t)(entry->body.at - cfi->bytes);
	if (!cursor_ok(&c))
		return false;
	entry->next = id_at + len;
	/* .eh_frame's ids have four bytes also behind a wide length. */
	if (cfi->eh || !wide)
		id = cursor_u32(&entry->body);
	else
		id = cursor_u64(&entry->body);
	entry->is_cie = cfi->eh ? id == 0 : id == (wide ? UINT64_MAX : UINT32_MAX);
	/* .eh_frame counts back from the id, .debug_frame from the section's start. */
	entry->cie = cfi->eh ? id_at - id : id;
	return cursor_ok(&entry->body);
}

/* What the letters behind a 'z' say; other letters stand for data that can be skipped. */
static void read_augmentation(const struct cfi *cfi, const char *letters,
			      struct cursor *data, struct cfi_fde *fde)
{
	for (; *letters && cursor_ok(data); letters++)
		switch (*letters) {
		case 'S':
			fde->signal = true;
			break;
		case 'R':
			fde->encoding = cursor_u8(data);
			break;
		case 'L':
			cursor_u8(data);
			break;
		case 'P': /* the routine's address is of no use here, only its length */
			cfi_pointer(data, cursor_u8(data) & ~DW_EH_PE_indirect,
				    cfi->bytes, cfi->vaddr, 0);
			break;
		case 'B': /* signed with key B: cleared as the other key's signature is */
			break;
		default:
			return;
		}
}

/* The augmentation's letters, behind which the cursor is then. */
static const char *read_letters(struct cursor *c)
{
	size_t max = cursor_left(c) < MAX_AUGMENTATION ? cursor_left(c)
						       : MAX_AUGMENTATION;

	if (max && memchr(c->at, '\0', max))
		return cursor_str(c);
	cursor_fail(c);
	return "";
}

/* The part of FDE that is the CIE's.  *SIZED: the FDE has augmentation data of its own.
 */
static bool read_cie(const struct cfi *cfi, uint64_t offset, struct cfi_fde *fde,
		     bool *sized)
{
	struct entry entry;
	struct cursor *c = &entry.body, data;
	const char *letters;
	uint8_t version;

	if (!read_entry(cfi, offset, &entry) || !entry.is_cie)
		return false;
	version = cursor_u8(c);
	letters = read_letters(c);
	*sized = letters[0] == 'z';
	if ((version != 1 && version != 3 && version != 4) || (letters[0] && !*sized))
		return false;
	/* Version 4: addresses of eight bytes, no segments. */
	if (version == 4 && (cursor_u8(c) != 8 || cursor_u8(c) != 0))
		return false;
	fde->code_align = cursor_varint(c);
	fde->data_align = cfi_sleb(c);
	fde->ra = version == 1 ? cursor_u8(c) : cursor_varint(c);
	fde->signal = false;
	fde->encoding = DW_EH_PE_absptr;
	if (*sized) {
		data = cursor_sub(c, cursor_varint(c));
		read_augmentation(cfi, letters + 1, &data, fde);
		if (!cursor_ok(&data))
			return false;
	}
	fde->initial = c->at;
	fde->initial_end = c->end;
	return cursor_ok(c);
}

static bool read_fde(const struct cfi *cfi, const struct entry *entry,
		     struct cfi_fde *fde)
{
	struct cursor c = entry->body;
	uint64_t len;
	bool sized;

	if (entry->is_cie || !read_cie(cfi, entry->cie, fde, &sized))
		return false;
	fde->start = cfi_pointer(&c, fde->encoding, cfi->bytes, cfi->vaddr, 0);
	/* The length has the same form, but is relative to nothing. */
	len = cfi_pointer(&c, fde->encoding & 0x0f, cfi->bytes, cfi->vaddr, 0);
	if (__builtin_add_overflow(fde->start, len, &fde->end))
		return false;
	if (sized)
		cursor_bytes(&c, cursor_varint(&c));
	fde->insns = c.at;
	fde->insns_end = c.end;
	return cursor_ok(&c);
}

void cfi_init(struct cfi *cfi, const void *bytes, size_t len, uint64_t vaddr, bool eh)
{
	*cfi = (struct cfi){ .bytes = bytes, .len = len, .vaddr = vaddr, .eh = eh };
}

void cfi_release(struct cfi *cfi)
{
	vec_release(&cfi->index);
}

static int by_start(const void *a, const void *b)
{
	const struct cfi_index_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

void cfi_make_index(struct cfi *cfi)
{
	struct entry entry;
	struct cfi_fde fde;

	for (uint64_t at = 0; read_entry(cfi, at, &entry); at = entry.next)
		if (read_fde(cfi, &entry, &fde) && fde.start < fde.end)
			*vec_push(&cfi->index) = (struct cfi_index_entry){
				.start = fde.start, .offset = at
			};
	if (cfi->index.len)
		qsort(cfi->index.data, cfi->index.len, sizeof(*cfi->index.data),
		      by_start);
}

struct hdr {
	uint64_t eh_frame, count;
	uint8_t table_encoding;
	struct cursor rest;
};

static bool read_hdr(const void *bytes, size_t len, uint64_t vaddr, struct hdr *hdr)
{
	struct cursor c;
	uint8_t version, pointer, count;

	cursor_init(&c, bytes, len);
	version = cursor_u8(&c);
	pointer = cursor_u8(&c);
	count = cursor_u8(&c);
	hdr->table_encoding = cursor_u8(&c);
	if (version != 1)
		return false;
	hdr->eh_frame = cfi_pointer(&c, pointer, bytes, vaddr, vaddr);
	if (!cursor_ok(&c))
		return false;
	hdr->count = 0;
	if (count != DW_EH_PE_omit)
		hdr->count = cfi_pointer(&c, count, bytes, vaddr, vaddr);
	hdr->rest = c;
	return true;
}

bool cfi_hdr_target(const void *hdr, size_t hdr_len, uint64_t hdr_vaddr, uint64_t *vaddr)
{
	struct hdr h;

	if (!read_hdr(hdr, hdr_len, hdr_vaddr, &h))
		return false;
	*vaddr = h.eh_frame;
	return true;
}

void cfi_set_table(struct cfi *cfi, const void *hdr, size_t hdr_len, uint64_t hdr_vaddr)
{
	struct hdr h;

	if (!read_hdr(hdr, hdr_len, hdr_vaddr, &h) || !h.count ||
	    h.table_encoding != TABLE_ENCODING ||
	    h.count > cursor_left(&h.rest) / TABLE_PAIR)
		return;
	cfi->table = h.rest.at;
	cfi->table_len = h.count;
	cfi->table_base = hdr_vaddr;
}

/* The addresses of pair I: of the code (WORD 0) or of its entry (WORD 1). */
static uint64_t table_word(const struct cfi *cfi, size_t i, unsigned int word)
{
	int32_t value;

	memcpy(&value, cfi->table + i * TABLE_PAIR + word * sizeof(value), sizeof(value));
	return cfi->table_base + (uint64_t)(int64_t)value;
}

static uint64_t start_of(const struct cfi *cfi, size_t i)
{
	return cfi->table ? table_word(cfi, i, 0) : cfi->index.data[i].start;
}

/* The offset of the last entry that starts at or before ADDRESS. */
static bool offset_of(const struct cfi *cfi, uint64_t address, uint64_t *offset)
{
	size_t low = 0, high = cfi->table ? cfi->table_len : cfi->index.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start_of(cfi, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	*offset = cfi->table ? table_word(cfi, low - 1, 1) - cfi->vaddr
			     : cfi->index.data[low - 1].offset;
	return true;
}

bool cfi_find(const struct cfi *cfi, uint64_t address, struct cfi_fde *fde)
{
	struct entry entry;
	uint64_t offset;

	return offset_of(cfi, address, &offset) && read_entry(cfi, offset, &entry) &&
	       read_fde(cfi, &entry, fde) && address >= fde->start && address < fde->end;
}
