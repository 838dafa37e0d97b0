/* SPDX-License-Identifier: Apache-2.0 */
#include "alter_object.h"

#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { GROWTH_MAX = 1 << 16 };

/* ---- headers ---- */

static Elf64_Ehdr *header_of(const struct strbuf *image)
{
	return (Elf64_Ehdr *)image->data;
}

/* COUNT records of SIZE at OFFSET, or NULL where they are not all in the file. */
static void *table_at(const struct strbuf *image, uint64_t offset, uint64_t count,
		      size_t size)
{
	if (offset > image->len || count > (image->len - offset) / size || offset % 8)
		return NULL;
	return image->data + offset;
}

static Elf64_Shdr *sections_of(const struct strbuf *image, size_t *count)
{
	const Elf64_Ehdr *header = header_of(image);

	*count = header->e_shnum;
	return table_at(image, header->e_shoff, *count, sizeof(Elf64_Shdr));
}

/* A field of a record. */
struct field {
	unsigned char offset, size;
};

#define FIELD(type, member)                                                              \
	{                                                                                \
		offsetof(type, member), sizeof(((type *)0)->member)                      \
	}

static const struct field header_fields[] = {
	FIELD(Elf64_Ehdr, e_type),
	FIELD(Elf64_Ehdr, e_machine),
	FIELD(Elf64_Ehdr, e_entry),
	FIELD(Elf64_Ehdr, e_phoff),
	FIELD(Elf64_Ehdr, e_shoff),
	FIELD(Elf64_Ehdr, e_phentsize),
	FIELD(Elf64_Ehdr, e_phnum),
	FIELD(Elf64_Ehdr, e_shentsize),
	FIELD(Elf64_Ehdr, e_shnum),
	FIELD(Elf64_Ehdr, e_shstrndx),
	{ EI_CLASS, 1 },
	{ EI_DATA, 1 },
};
static const struct field section_fields[] = {
	FIELD(Elf64_Shdr, sh_name),      FIELD(Elf64_Shdr, sh_type),
	FIELD(Elf64_Shdr, sh_flags),     FIELD(Elf64_Shdr, sh_addr),
	FIELD(Elf64_Shdr, sh_offset),    FIELD(Elf64_Shdr, sh_size),
	FIELD(Elf64_Shdr, sh_link),      FIELD(Elf64_Shdr, sh_info),
	FIELD(Elf64_Shdr, sh_addralign), FIELD(Elf64_Shdr, sh_entsize),
};
static const struct field segment_fields[] = {
	FIELD(Elf64_Phdr, p_type),   FIELD(Elf64_Phdr, p_flags),
	FIELD(Elf64_Phdr, p_offset), FIELD(Elf64_Phdr, p_vaddr),
	FIELD(Elf64_Phdr, p_filesz), FIELD(Elf64_Phdr, p_memsz),
	FIELD(Elf64_Phdr, p_align),
};

static void alter_number(void *at, size_t size, struct draw *d)
{
	uint64_t value = 0;

	memcpy(&value, at, size);
	value = draw_number(d, value);
	memcpy(at, &value, size);
}

static void alter_field(void *record, const struct field *fields, size_t count,
			struct draw *d)
{
	const struct field *f = &fields[draw_below(d, count)];

	alter_number((char *)record + f->offset, f->size, d);
}

static void alter_header(struct strbuf *image, struct draw *d)
{
	alter_field(image->data, header_fields, LENGTH(header_fields), d);
}

static void alter_segment(struct strbuf *image, struct draw *d)
{
	const Elf64_Ehdr *header = header_of(image);
	Elf64_Phdr *segments = table_at(image, header->e_phoff, header->e_phnum,
					sizeof(Elf64_Phdr));

	if (segments && header->e_phnum)
		alter_field(&segments[draw_below(d, header->e_phnum)], segment_fields,
			    LENGTH(segment_fields), d);
}

/* ---- sections ---- */

static const char *const interesting[] = {
	".debug_", ".zdebug_", ".eh_frame",  ".symtab",   ".strtab", ".dyn", ".gnu.hash",
	".hash",   ".note",    ".gnu_debug", ".rela.plt", ".plt",    ".got",
};

static bool is_interesting(const struct strbuf *image, const Elf64_Shdr *section)
{
	size_t count;
	const Elf64_Shdr *sections = sections_of(image, &count), *names;
	const Elf64_Ehdr *header = header_of(image);
	uint64_t at;

	if (header->e_shstrndx >= count)
		return true;
	names = &sections[header->e_shstrndx];
	at = names->sh_offset + section->sh_name;
	for (size_t i = 0; i < LENGTH(interesting); i++)
		if (at < image->len && image->len - at > 16 &&
		    !strncmp(image->data + at, interesting[i], strlen(interesting[i])))
			return true;
	return false;
}

/* Of one with bytes in the file; mostly one that is read.  NULL: there is none. */
static Elf64_Shdr *draw_section(struct strbuf *image, struct draw *d)
{
	Elf64_Shdr *sections, *s;
	size_t count;

	sections = sections_of(image, &count);
	for (int tries = 0; sections && count && tries < 100; tries++) {
		s = &sections[draw_below(d, count)];
		if (s->sh_type != SHT_NOBITS && s->sh_size &&
		    table_at(image, s->sh_offset & ~UINT64_C(7), s->sh_size, 1) &&
		    s->sh_size <= image->len - s->sh_offset &&
		    (draw_one_in(d, 10) || is_interesting(image, s)))
			return s;
	}
	return NULL;
}

static void alter_section(struct strbuf *image, struct draw *d)
{
	Elf64_Shdr *section = draw_section(image, d);

	if (section)
		alter_field(section, section_fields, LENGTH(section_fields), d);
}

/* Two of them have each other's contents. */
static void swap_sections(struct strbuf *image, struct draw *d)
{
	Elf64_Shdr *a = draw_section(image, d), *b = draw_section(image, d), other;

	if (!a || !b)
		return;
	other = *a;
	a->sh_offset = b->sh_offset;
	a->sh_size = b->sh_size;
	b->sh_offset = other.sh_offset;
	b->sh_size = other.sh_size;
}

/* ---- contents ---- */

static void put_bytes(char *at, size_t len, struct draw *d)
{
	size_t count = 1 + (size_t)draw_below(d, 4);

	while (count--)
		at[draw_below(d, len)] = (char)draw_bits(d);
}

static void put_number(char *at, size_t len, struct draw *d)
{
	size_t size = (size_t)1 << draw_below(d, 4);

	if (len >= size)
		alter_number(at + draw_below(d, len - size + 1), size, d);
}

/* One whose numbers lie at multiples of their size. */
static void put_word(char *at, size_t len, struct draw *d)
{
	size_t size = draw_one_in(d, 2) ? 4 : 8;

	if (len >= size)
		alter_number(at + size * draw_below(d, len / size), size, d);
}

/* A number as long as can be, LEB128. */
static void put_leb(char *at, size_t len, struct draw *d)
{
	size_t count = (size_t)draw_below(d, 12);

	if (len <= count)
		return;
	at += draw_below(d, len - count);
	for (; count; count--)
		*at++ = (char)(0x80 | draw_bits(d));
	*at = (char)(draw_bits(d) & 0x7f);
}

static void put_copy(char *at, size_t len, struct draw *d)
{
	size_t count = (size_t)draw_below(d, len < 64 ? len : 64);

	memmove(at + draw_below(d, len - count), at + draw_below(d, len - count), count);
}

static void put_same(char *at, size_t len, struct draw *d)
{
	size_t from = (size_t)draw_below(d, len);

	memset(at + from, draw_one_in(d, 2) ? 0 : 0xff,
	       (size_t)draw_below(d, len - from));
}

typedef void put_fn(char *at, size_t len, struct draw *d);
static put_fn *const puts_of_bytes[] = { put_bytes,  put_bytes, put_number,
					 put_number, put_word,  put_word,
					 put_leb,    put_copy,  put_same };

static void alter_content(struct strbuf *image, struct draw *d)
{
	const Elf64_Shdr *section = draw_section(image, d);

	for (uint64_t times = 1 + draw_below(d, 4); section && times; times--)
		puts_of_bytes[draw_below(d, LENGTH(puts_of_bytes))](
			image->data + section->sh_offset, section->sh_size, d);
}

/* BYTES become the content of SECTION, at the end of the file. */
static void append_content(struct strbuf *image, const Elf64_Shdr *section,
			   const struct strbuf *bytes)
{
	size_t where = (size_t)((const char *)section - image->data);
	Elf64_Shdr *moved;

	strbuf_pad(image, 0, (size_t)(-image->len % 8));
	moved = (Elf64_Shdr *)(image->data + where);
	moved->sh_offset = image->len;
	moved->sh_size = bytes->len;
	strbuf_add(image, bytes->data, bytes->len);
}

static void copy_content(const struct strbuf *image, const Elf64_Shdr *section,
			 struct strbuf *out)
{
	strbuf_add(out, image->data + section->sh_offset, section->sh_size);
}

/* A section becomes longer, by bytes of its own or others; or is cut. */
static void resize_content(struct strbuf *image, struct draw *d)
{
	Elf64_Shdr *section = draw_section(image, d);
	struct strbuf bytes = { 0 };
	size_t more;

	if (!section)
		return;
	if (draw_one_in(d, 3)) {
		section->sh_size = draw_below(d, section->sh_size);
		return;
	}
	copy_content(image, section, &bytes);
	more = (size_t)draw_below(d, draw_one_in(d, 8) ? GROWTH_MAX : 64);
	for (size_t i = 0; i < more; i++)
		strbuf_addch(&bytes,
			     draw_one_in(d, 3) ? (char)draw_bits(d) : bytes.data[i]);
	append_content(image, section, &bytes);
	strbuf_release(&bytes);
}

/* Compressed, whatever it is; some say that they are larger, smaller, or of another way. */
static void compress_content(struct strbuf *image, struct draw *d)
{
	const Elf64_Shdr *section = draw_section(image, d);
	Elf64_Chdr head = { .ch_type = ELFCOMPRESS_ZLIB, .ch_addralign = 1 };
	struct strbuf bytes = { 0 };
	uLongf size;
	size_t where;

	if (!section || section->sh_flags & SHF_COMPRESSED)
		return;
	where = (size_t)((const char *)section - image->data);
	size = compressBound(section->sh_size);
	head.ch_size = section->sh_size;
	if (draw_one_in(d, 3))
		alter_number(&head.ch_size, sizeof(head.ch_size), d);
	if (draw_one_in(d, 6))
		alter_number(&head.ch_type, sizeof(head.ch_type), d);
	strbuf_add(&bytes, &head, sizeof(head));
	if (compress((Bytef *)strbuf_add_room(&bytes, size), &size,
		     (const Bytef *)image->data + section->sh_offset,
		     section->sh_size) != Z_OK)
		size = 0;
	strbuf_truncate(&bytes, sizeof(head) + size);
	append_content(image, section, &bytes);
	((Elf64_Shdr *)(image->data + where))->sh_flags |= SHF_COMPRESSED;
	strbuf_release(&bytes);
}

static void cut(struct strbuf *image, struct draw *d)
{
	if (draw_one_in(d, 4))
		strbuf_truncate(image, (size_t)draw_below(d, image->len));
}

static void alter_any(struct strbuf *image, struct draw *d)
{
	put_bytes(image->data, image->len, d);
}

typedef void alter_fn(struct strbuf *image, struct draw *d);
static alter_fn *const alterations[] = {
	alter_content, alter_content, alter_content,  alter_content,  alter_content,
	alter_content, alter_content, resize_content, resize_content, alter_section,
	alter_section, swap_sections, alter_segment,  alter_header,   compress_content,
	cut,           alter_any,
};

void alter_object(struct strbuf *image, struct draw *d)
{
	if (image->len < sizeof(Elf64_Ehdr))
		return;
	alterations[draw_below(d, LENGTH(alterations))](image, d);
}
