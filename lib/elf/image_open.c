/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens an image: decodes the file header, program headers, section headers and the
 * build-id from bytes into the image's tables.
 */
#include "elf/image.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

/* The places of the tables, from the file header. */
struct elf_tables {
	uint64_t phoff, shoff;
	uint32_t phnum, phentsize, shnum, shentsize, shstrndx;
};

static bool ident_known(struct elf_image *img, const unsigned char *ident)
{
	if (memcmp(ident, ELFMAG, SELFMAG) != 0)
		return false;
	if (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32)
		return false;
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return false;
	img->is64 = ident[EI_CLASS] == ELFCLASS64;
	img->swap = (ident[EI_DATA] == ELFDATA2LSB) != (__BYTE_ORDER == __LITTLE_ENDIAN);
	return true;
}

static int read_file_header(struct elf_image *img, struct elf_tables *tables)
{
	struct strbuf bytes = { 0 };
	struct cursor c;
	int error = elf_image_read(img, 0, sizeof(Elf32_Ehdr), &bytes);

	if (!error && !ident_known(img, (const unsigned char *)bytes.data))
		error = -ENOEXEC;
	if (!error && img->is64)
		error = elf_image_read(img, sizeof(Elf32_Ehdr),
				       sizeof(Elf64_Ehdr) - sizeof(Elf32_Ehdr), &bytes);
	if (error)
		goto out;
	c = elf_image_cursor(img, &bytes);
	cursor_bytes(&c, EI_NIDENT);
	img->type = cursor_u16(&c);
	img->machine = cursor_u16(&c);
	cursor_u32(&c); /* e_version */
	img->entry = elf_cursor_word(img, &c);
	tables->phoff = elf_cursor_word(img, &c);
	tables->shoff = elf_cursor_word(img, &c);
	cursor_u32(&c); /* e_flags */
	cursor_u16(&c); /* e_ehsize */
	tables->phentsize = cursor_u16(&c);
	tables->phnum = cursor_u16(&c);
	tables->shentsize = cursor_u16(&c);
	tables->shnum = cursor_u16(&c);
	tables->shstrndx = cursor_u16(&c);
out:
	strbuf_release(&bytes);
	return error;
}

static struct elf_segment decode_segment(const struct elf_image *img, struct cursor *c)
{
	struct elf_segment segment = { .type = cursor_u32(c) };

	if (img->is64)
		segment.flags = cursor_u32(c);
	segment.offset = elf_cursor_word(img, c);
	segment.vaddr = elf_cursor_word(img, c);
	elf_cursor_word(img, c); /* p_paddr */
	segment.filesz = elf_cursor_word(img, c);
	segment.memsz = elf_cursor_word(img, c);
	if (!img->is64)
		segment.flags = cursor_u32(c);
	segment.align = elf_cursor_word(img, c);
	return segment;
}

/* The name is still an offset, in *NAME. */
static struct elf_section decode_section(const struct elf_image *img, struct cursor *c,
					 uint32_t *name)
{
	struct elf_section section = { .name = "" };

	*name = cursor_u32(c);
	section.type = cursor_u32(c);
	section.flags = elf_cursor_word(img, c);
	section.vaddr = elf_cursor_word(img, c);
	section.offset = elf_cursor_word(img, c);
	section.size = elf_cursor_word(img, c);
	section.link = cursor_u32(c);
	section.info = cursor_u32(c);
	elf_cursor_word(img, c); /* sh_addralign */
	section.entsize = elf_cursor_word(img, c);
	return section;
}

/*
 * Counts that exceed the file header's 16 bits are in section 0: e_shnum in sh_size,
 * e_shstrndx in sh_link, e_phnum in sh_info.
 */
static void read_large_counts(const struct elf_image *img, struct elf_tables *tables)
{
	struct strbuf bytes = { 0 };
	struct elf_section first;
	struct cursor c;
	uint32_t name;

	if (!tables->shoff ||
	    elf_image_read(img, tables->shoff, tables->shentsize, &bytes) != 0)
		goto out;
	c = elf_image_cursor(img, &bytes);
	first = decode_section(img, &c, &name);
	if (!cursor_ok(&c))
		goto out;
	if (!tables->shnum && first.size <= UINT32_MAX)
		tables->shnum = (uint32_t)first.size;
	if (tables->shstrndx == SHN_XINDEX)
		tables->shstrndx = first.link;
	if (tables->phnum == PN_XNUM)
		tables->phnum = first.info;
out:
	strbuf_release(&bytes);
}

/* Linux runs no program with more bytes of program headers. */
#define SEGMENTS_BYTES_MAX 65536

static int read_segments(struct elf_image *img, const struct elf_tables *tables)
{
	struct strbuf bytes = { 0 };
	struct cursor c;
	int error;

	if ((uint64_t)tables->phnum * tables->phentsize > SEGMENTS_BYTES_MAX)
		return -ENOEXEC;
	error = elf_image_read(img, tables->phoff,
			       (uint64_t)tables->phnum * tables->phentsize, &bytes);
	if (error)
		goto out;
	c = elf_image_cursor(img, &bytes);
	for (uint32_t i = 0; i < tables->phnum; i++) {
		struct cursor entry = cursor_sub(&c, tables->phentsize);
		struct elf_segment segment = decode_segment(img, &entry);

		if (!cursor_ok(&entry)) {
			error = -ENOEXEC;
			goto out;
		}
		*vec_push(&img->segments) = segment;
	}
out:
	strbuf_release(&bytes);
	return error;
}

/*
 * A sparse file can claim any number of sections, names and notes for free.  Linked files
 * have some dozens; object files with a section for each function, thousands.
 */
enum { SECTIONS_MAX = 1 << 16, NAMES_BYTES_MAX = 1 << 24, NOTES_BYTES_MAX = 1 << 24 };

/* Sections are a convenience: a program runs without them.  Damage leaves none. */
static void read_sections(struct elf_image *img, const struct elf_tables *tables)
{
	struct strbuf bytes = { 0 };
	VEC(uint32_t) names = { 0 };
	const uint64_t len = (uint64_t)tables->shnum * tables->shentsize;
	struct cursor c;

	if (len > SECTIONS_MAX * sizeof(Elf64_Shdr) ||
	    elf_image_read(img, tables->shoff, len, &bytes) != 0)
		goto out;
	c = elf_image_cursor(img, &bytes);
	for (uint32_t i = 0; i < tables->shnum; i++) {
		struct cursor entry = cursor_sub(&c, tables->shentsize);
		struct elf_section section = decode_section(img, &entry,
							    vec_push(&names));

		if (!cursor_ok(&entry)) {
			vec_clear(&img->sections);
			goto out;
		}
		*vec_push(&img->sections) = section;
	}
	if (tables->shstrndx >= img->sections.len ||
	    elf_section_read(img, &img->sections.data[tables->shstrndx], NAMES_BYTES_MAX,
			     &img->section_names) != 0)
		goto out;
	for (size_t i = 0; i < names.len; i++)
		if (names.data[i] < img->section_names.len)
			img->sections.data[i].name = img->section_names.data +
						     names.data[i];
out:
	vec_release(&names);
	strbuf_release(&bytes);
}

/*
 * Looks for a build-id in LEN bytes of notes at OFFSET.  LEFT: the bytes still allowed.
 */
static bool has_build_id(struct elf_image *img, uint64_t offset, uint64_t len,
			 unsigned align, uint64_t *left)
{
	struct strbuf bytes = { 0 };
	bool found = false;

	if (len <= *left && !elf_image_read(img, offset, len, &bytes)) {
		*left -= len;
		found = build_id_from_notes(bytes.data, bytes.len, align, img->swap,
					    &img->build_id);
	}
	strbuf_release(&bytes);
	return found;
}

/* From the segments, which the kernel maps too; else from the sections. */
static void read_build_id(struct elf_image *img)
{
	uint64_t left = NOTES_BYTES_MAX;

	vec_for_each(const struct elf_segment, segment, &img->segments)
		if (segment->type == PT_NOTE &&
		    has_build_id(img, segment->offset, segment->filesz,
				 segment->align == 8 ? 8 : 4, &left))
			return;
	vec_for_each(const struct elf_section, section, &img->sections)
		if (section->type == SHT_NOTE &&
		    has_build_id(img, section->offset, section->size, 4, &left))
			return;
}

/* IMG has its bytes and size. */
static int read_headers(struct elf_image *img)
{
	struct elf_tables tables;
	int error = read_file_header(img, &tables);

	if (error)
		return error;
	read_large_counts(img, &tables);
	error = read_segments(img, &tables);
	if (error)
		return error;
	read_sections(img, &tables);
	read_build_id(img);
	return 0;
}

int elf_image_open_fd(struct elf_image *img, int fd)
{
	struct stat st;
	int error;

	*img = (struct elf_image){ .fd = fd };
	if (fstat(fd, &st)) {
		error = -errno;
	} else {
		img->size = (uint64_t)st.st_size;
		file_mark_of(fd, &img->mark);
		error = read_headers(img);
	}
	if (error)
		elf_image_release(img);
	return error;
}

int elf_image_open(struct elf_image *img, const char *path)
{
	int fd = file_open(path);

	if (fd < 0) {
		*img = (struct elf_image){ .fd = -1 };
		return fd;
	}
	return elf_image_open_fd(img, fd);
}

int elf_image_memory(struct elf_image *img, const void *bytes, size_t len)
{
	int error;

	*img = (struct elf_image){ .fd = -1, .bytes = bytes, .size = len };
	error = bytes ? read_headers(img) : -ENOEXEC;
	if (error)
		elf_image_release(img);
	return error;
}

int elf_image_build_id(int fd, struct build_id *out)
{
	struct elf_image img;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0), error;

	out->hex[0] = '\0';
	error = own < 0 ? -errno : elf_image_open_fd(&img, own);
	if (error)
		return error;
	*out = img.build_id;
	elf_image_release(&img);
	return out->hex[0] ? 0 : -ENODATA;
}
