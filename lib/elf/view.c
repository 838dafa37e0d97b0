/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/view.h"

#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

/* ---- sections of files ---- */

/* ".debug_info", and as ".zdebug_info", which GNU's tools called a compressed one. */
static bool is_called(const char *name, const char *wanted)
{
	return name && (!strcmp(name, wanted) ||
			(!strncmp(name, ".z", 2) && !strcmp(name + 2, wanted + 1)));
}

/* Fails where it is not compressed, or not any more. */
static void unpack(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	int ret;

	if (header->sh_flags & SHF_COMPRESSED)
		ret = elf_compress(section, 0, 0);
	else
		ret = name[1] == 'z' ? elf_compress_gnu(section, 0, 0) : 0;
	(void)ret;
}

/* The next of that name behind *SECTION, unpacked; NULL: there is none. */
static Elf_Data *next_data(Elf *elf, const char *name, Elf_Scn **section)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((*section = elf_nextscn(elf, *section))) {
		GElf_Shdr header;
		const char *found;

		if (!gelf_getshdr(*section, &header) || header.sh_type == SHT_NOBITS)
			continue;
		found = elf_strptr(elf, names, header.sh_name);
		if (!is_called(found, name))
			continue;
		unpack(*section, &header, found);
		return elf_getdata(*section, NULL);
	}
	return NULL;
}

static Elf_Scn *section_of(Elf *elf, const char *name, struct elf_slice *out)
{
	Elf_Scn *section = NULL;
	const Elf_Data *data = next_data(elf, name, &section);

	if (!data || !data->d_buf)
		return NULL;
	*out = (struct elf_slice){ name, data->d_buf, data->d_size };
	return section;
}

bool elf_slice_get(Elf *elf, const char *name, struct elf_slice *out)
{
	return section_of(elf, name, out) != NULL;
}

/* libdw 0.188 takes what elf_getdata gives, 0.192 what elf_rawdata does. */
static void replace(Elf_Scn *section, char *bytes, size_t len)
{
	Elf_Data *data[] = { elf_rawdata(section, NULL), elf_getdata(section, NULL) };

	for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++) {
		if (!data[i])
			continue;
		data[i]->d_buf = bytes;
		data[i]->d_size = len;
	}
}

static bool is_swapped(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) &&
	       header.e_ident[EI_DATA] !=
		       (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
}

struct cursor elf_slice_cursor(Elf *elf, const struct elf_slice *slice)
{
	struct cursor c;

	cursor_init(&c, slice->bytes, slice->len);
	c.swap = is_swapped(elf);
	return c;
}

struct cursor elf_section_cursor(Elf *elf, const char *name)
{
	struct elf_slice slice = { 0 };

	elf_slice_get(elf, name, &slice); /* else it stays empty */
	return elf_slice_cursor(elf, &slice);
}

bool elf_slice_get_where(Elf *elf, const char *name, elf_slice_fn *takes,
			 struct elf_slice *out)
{
	Elf_Scn *section = NULL;
	Elf_Data *data;

	do {
		data = next_data(elf, name, &section);
		if (data && data->d_buf)
			*out = (struct elf_slice){ name, data->d_buf, data->d_size };
	} while (section && !(data && data->d_buf && takes(elf, out)));
	return section != NULL;
}

/* What has no NUL has no text but an empty one. */
void elf_slice_end_texts(struct elf_slice *slice)
{
	static char nothing[1]; /* never changed; libelf has no const */
	char *end = memrchr(slice->bytes, '\0', slice->len);

	slice->bytes = end ? slice->bytes : nothing;
	slice->len = end ? (size_t)(end - slice->bytes) + 1 : 0;
}

void elf_section_end_texts(Elf *elf, const char *name)
{
	struct elf_slice slice;
	Elf_Scn *section = section_of(elf, name, &slice);

	if (!section)
		return;
	elf_slice_end_texts(&slice);
	replace(section, slice.bytes, slice.len);
}

void elf_section_empty(Elf *elf, const char *name)
{
	static char nothing[1];
	struct elf_slice slice;
	Elf_Scn *section = section_of(elf, name, &slice);

	if (section)
		replace(section, nothing, 0);
}

char *elf_section_close_text(Elf *elf, const char *name)
{
	struct elf_slice slice;
	Elf_Scn *section = section_of(elf, name, &slice);
	char *copy;

	if (!section || !slice.len || !slice.bytes[slice.len - 1])
		return NULL;
	copy = xmalloc(slice.len + 1);
	memcpy(copy, slice.bytes, slice.len);
	copy[slice.len] = '\0';
	replace(section, copy, slice.len);
	return copy;
}

bool elf_slice_cut(struct elf_slice *slice, size_t offset, size_t size)
{
	if (offset > slice->len || size > slice->len - offset)
		return false;
	slice->bytes += offset;
	slice->len = size;
	return true;
}

/* ---- a file of slices ---- */

/* The first section has the names; the slices follow. */
enum { NAMES_SECTION = 1, SLICES_SECTION };

static bool add_section(Elf *elf, uint32_t type, const struct elf_slice *slice,
			uint32_t name)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	GElf_Shdr header;

	if (!data || !gelf_getshdr(section, &header))
		return false;
	data->d_buf = slice->bytes;
	data->d_size = slice->len;
	data->d_align = 1;
	header.sh_name = name;
	header.sh_type = type;
	return gelf_update_shdr(section, &header) != 0;
}

static bool add_header(Elf *elf, Elf *like)
{
	GElf_Ehdr header, from;

	if (!gelf_getehdr(like, &from) || !gelf_newehdr(elf, gelf_getclass(like)) ||
	    !gelf_getehdr(elf, &header))
		return false;
	header.e_ident[EI_DATA] = from.e_ident[EI_DATA];
	header.e_type = ET_REL;
	header.e_machine = from.e_machine;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = NAMES_SECTION;
	return gelf_update_ehdr(elf, &header) != 0;
}

/* A byte stands for each slice, so that it is a file like any other. */
static bool add_slices(Elf *elf, const struct elf_slice *slices, size_t count)
{
	static char byte[1];
	struct strbuf names = { 0 };
	bool added = true;

	strbuf_addch(&names, '\0');
	for (size_t i = 0; i < count; i++)
		strbuf_add(&names, slices[i].name, strlen(slices[i].name) + 1);
	added = add_section(elf, SHT_STRTAB,
			    &(struct elf_slice){ NULL, names.data, names.len }, 0);
	for (size_t i = 0, name = 1; i < count && added; i++) {
		added = add_section(elf, SHT_PROGBITS,
				    &(struct elf_slice){ NULL, byte, sizeof(byte) },
				    (uint32_t)name);
		name += strlen(slices[i].name) + 1;
	}
	added = added && elf_update(elf, ELF_C_WRITE) >= 0;
	strbuf_release(&names);
	return added;
}

/* Writes it to FD. */
static bool write_file(int fd, Elf *like, const struct elf_slice *slices, size_t count)
{
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	bool written = elf && add_header(elf, like) && add_slices(elf, slices, count);

	elf_end(elf);
	return written;
}

Elf *elf_view_make(Elf *like, const struct elf_slice *slices, size_t count)
{
	int fd = memfd_create("view", MFD_CLOEXEC);
	Elf *elf = NULL;

	if (fd >= 0 && write_file(fd, like, slices, count))
		elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_cntl(elf, ELF_C_FDREAD) != 0) {
		elf_end(elf);
		elf = NULL;
	}
	if (fd >= 0)
		close(fd);
	for (size_t i = 0; i < count && elf; i++)
		replace(elf_getscn(elf, SLICES_SECTION + i), slices[i].bytes,
			slices[i].len);
	return elf;
}
