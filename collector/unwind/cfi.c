/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/cfi.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* The one form of the table that linkers write. */
#define TABLE_ENCODING (DW_EH_PE_datarel | DW_EH_PE_sdata4)
#define TABLE_PAIR     8

/*
 * No compiler writes a shorter entry (4 bytes each for length, id, start and size), so an
 * index takes no more memory than its section.
 */
#define FDE_MIN sizeof(struct cfi_index_entry)

static bool read_fde(const struct cfi *cfi, const struct cfi_entry *entry,
		     struct cfi_fde *fde)
{
	struct cursor c = entry->body;

	if (entry->is_cie || !cfi_cie_read(&cfi->section, entry->cie, &fde->cie) ||
	    !cfi_range_read(&cfi->section, &fde->cie, &c, &fde->start, &fde->end))
		return false;
	if (fde->cie.sized)
		cursor_bytes(&c, cursor_varint(&c));
	fde->insns = c.at;
	fde->insns_end = c.end;
	return cursor_ok(&c);
}

void cfi_init(struct cfi *cfi, const void *bytes, size_t len, uint64_t vaddr, bool eh)
{
	*cfi = (struct cfi){
		.section = { .bytes = bytes, .len = len, .vaddr = vaddr, .eh = eh },
	};
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
	const size_t most = cfi->section.len / FDE_MIN;
	struct cfi_entry entry;
	struct cfi_fde fde;

	for (uint64_t at = 0;
	     cfi->index.len < most && cfi_entry_read(&cfi->section, at, &entry);
	     at = entry.next)
		if (read_fde(cfi, &entry, &fde) && fde.start < fde.end)
			*vec_push(&cfi->index) = (struct cfi_index_entry){
				.start = fde.start, .offset = at
			};
	if (cfi->index.len)
		qsort(cfi->index.data, cfi->index.len, sizeof(*cfi->index.data),
		      by_start);
}

static bool read_hdr(const void *bytes, size_t len, uint64_t vaddr, struct cfi_hdr *hdr)
{
	const struct cfi_section section = { .bytes = bytes, .len = len, .vaddr = vaddr };

	return cfi_hdr_read(&section, hdr);
}

bool cfi_hdr_target(const void *hdr, size_t hdr_len, uint64_t hdr_vaddr, uint64_t *vaddr)
{
	struct cfi_hdr h;

	if (!read_hdr(hdr, hdr_len, hdr_vaddr, &h))
		return false;
	*vaddr = h.eh_frame;
	return true;
}

void cfi_set_table(struct cfi *cfi, const void *hdr, size_t hdr_len, uint64_t hdr_vaddr)
{
	struct cfi_hdr h;

	if (!read_hdr(hdr, hdr_len, hdr_vaddr, &h) || !h.count ||
	    h.table_encoding != TABLE_ENCODING ||
	    h.count > cursor_left(&h.table) / TABLE_PAIR)
		return;
	cfi->table = h.table.at;
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
	*offset = cfi->table ? table_word(cfi, low - 1, 1) - cfi->section.vaddr
			     : cfi->index.data[low - 1].offset;
	return true;
}

bool cfi_find(const struct cfi *cfi, uint64_t address, struct cfi_fde *fde)
{
	struct cfi_entry entry;
	uint64_t offset;

	return offset_of(cfi, address, &offset) &&
	       cfi_entry_read(&cfi->section, offset, &entry) &&
	       read_fde(cfi, &entry, fde) && address >= fde->start && address < fde->end;
}
