/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dynamic symbol table of a file without section headers, found as the dynamic loader
 * finds it.  Only the hash table reveals the number of its symbols.
 */
#include <elf.h>

#include "elf/symbols.h"

/* Of a sparse file's claims; the table has some ten bytes for each exported symbol. */
enum { DYNAMIC_MAX = 1 << 20, GNU_HASH_MAX = 1 << 26 };

struct dynamic {
	uint64_t symtab, strtab, strsz, hash, gnu_hash; /* addresses; strsz bytes */
};

static bool read_dynamic(const struct elf_image *img, struct dynamic *dyn)
{
	const struct elf_segment *segment = elf_segment_typed(img, PT_DYNAMIC);
	struct strbuf bytes = { 0 };
	struct cursor c;

	*dyn = (struct dynamic){ 0 };
	if (!segment || segment->filesz > DYNAMIC_MAX ||
	    elf_image_read(img, segment->offset, segment->filesz, &bytes) != 0)
		return false;
	c = elf_image_cursor(img, &bytes);
	while (cursor_left(&c)) {
		uint64_t tag = elf_cursor_word(img, &c), value = elf_cursor_word(img, &c);

		if (tag == DT_NULL)
			break;
		if (tag == DT_SYMTAB)
			dyn->symtab = value;
		else if (tag == DT_STRTAB)
			dyn->strtab = value;
		else if (tag == DT_STRSZ)
			dyn->strsz = value;
		else if (tag == DT_HASH)
			dyn->hash = value;
		else if (tag == DT_GNU_HASH)
			dyn->gnu_hash = value;
	}
	strbuf_release(&bytes);
	return dyn->symtab && dyn->strtab && dyn->strsz;
}

/* The bytes from VADDR to the end of its segment, up to MAX. */
static bool read_from(const struct elf_image *img, uint64_t vaddr, uint64_t max,
		      struct strbuf *out)
{
	const struct elf_segment *segment = elf_segment_at_vaddr(img, vaddr);
	uint64_t skip, rest;

	if (!segment)
		return false;
	skip = vaddr - segment->vaddr;
	rest = segment->filesz - skip;
	return !elf_image_read(img, segment->offset + skip, rest < max ? rest : max, out);
}

/* DT_HASH: its chain has one element for each symbol. */
static uint32_t count_by_hash(const struct elf_image *img, uint64_t vaddr)
{
	struct strbuf bytes = { 0 };
	uint32_t count = 0;
	struct cursor c;

	if (read_from(img, vaddr, 2 * sizeof(uint32_t), &bytes)) {
		c = elf_image_cursor(img, &bytes);
		cursor_u32(&c); /* buckets */
		count = cursor_u32(&c);
	}
	strbuf_release(&bytes);
	return count;
}

/* Each bucket names its first symbol; the chain of the last one ends at an odd hash. */
static uint32_t walk_gnu_hash(struct cursor *c, bool is64)
{
	uint32_t buckets = cursor_u32(c), first = cursor_u32(c), bloom = cursor_u32(c);
	uint32_t last = 0;

	cursor_u32(c); /* the bloom filter's shift */
	cursor_bytes(c, (size_t)bloom * (is64 ? 8 : 4));
	for (uint32_t i = 0; i < buckets && cursor_ok(c); i++) {
		uint32_t bucket = cursor_u32(c);

		last = bucket > last ? bucket : last;
	}
	if (last < first || !cursor_ok(c))
		return 0;
	cursor_bytes(c, (size_t)(last - first) * 4);
	while (cursor_ok(c) && !(cursor_u32(c) & 1))
		last++;
	return cursor_ok(c) ? last + 1 : 0;
}

static uint32_t count_by_gnu_hash(const struct elf_image *img, uint64_t vaddr)
{
	struct strbuf bytes = { 0 };
	uint32_t count = 0;
	struct cursor c;

	if (read_from(img, vaddr, GNU_HASH_MAX, &bytes)) {
		c = elf_image_cursor(img, &bytes);
		count = walk_gnu_hash(&c, img->is64);
	}
	strbuf_release(&bytes);
	return count;
}

bool elf_symbols_place_of_dynamic(const struct elf_image *img,
				  struct elf_symbols_place *out)
{
	struct dynamic dyn;
	uint64_t count;

	if (!read_dynamic(img, &dyn) ||
	    !elf_image_offset(img, dyn.symtab, &out->symbols) ||
	    !elf_image_offset(img, dyn.strtab, &out->strings))
		return false;
	count = dyn.hash ? count_by_hash(img, dyn.hash)
			 : count_by_gnu_hash(img, dyn.gnu_hash);
	out->symbols_len = count * (img->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	out->strings_len = dyn.strsz;
	return true;
}
