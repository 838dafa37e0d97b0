/* SPDX-License-Identifier: Apache-2.0 */
#include "elf_view.h"

#include <gelf.h>
#include <string.h>

#include "xalloc.h"

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

static Elf_Data *data_of(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;

	return next_data(elf, name, &section);
}

bool elf_slice_get(Elf *elf, const char *name, struct elf_slice *out)
{
	const Elf_Data *data = data_of(elf, name);

	if (!data || !data->d_buf)
		return false;
	*out = (struct elf_slice){ name, data->d_buf, data->d_size };
	return true;
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
	slice->len = end ? (size_t)(end - slice->bytes) : 0;
}

void elf_section_end_texts(Elf *elf, const char *name)
{
	Elf_Data *data = data_of(elf, name);
	struct elf_slice slice;

	if (!elf_slice_get(elf, name, &slice))
		return;
	elf_slice_end_texts(&slice);
	data->d_buf = slice.bytes;
	data->d_size = slice.len;
}

char *elf_section_close_text(Elf *elf, const char *name)
{
	Elf_Data *data = data_of(elf, name);
	char *copy;

	if (!data || !data->d_buf || !data->d_size ||
	    !((const char *)data->d_buf)[data->d_size - 1])
		return NULL;
	copy = xmalloc(data->d_size + 1);
	memcpy(copy, data->d_buf, data->d_size);
	copy[data->d_size] = '\0';
	data->d_buf = copy;
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
	header.sh_size = slice->len;
	return gelf_update_shdr(section, &header) != 0;
}

/* The names' own section has none. */
static bool add_names(struct elf_view *view)
{
	struct elf_slice names = { NULL, view->names.data, view->names.len };
	GElf_Ehdr header;

	if (!add_section(view->elf, SHT_STRTAB, &names, 0) ||
	    !gelf_getehdr(view->elf, &header))
		return false;
	header.e_shstrndx = (uint16_t)elf_ndxscn(elf_getscn(view->elf, 1));
	return gelf_update_ehdr(view->elf, &header) != 0;
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
	return gelf_update_ehdr(elf, &header) != 0;
}

bool elf_view_make(struct elf_view *out, Elf *like, int fd,
		   const struct elf_slice *slices, size_t count)
{
	uint32_t name = 1;

	*out = (struct elf_view){ .elf = elf_begin(fd, ELF_C_WRITE, NULL) };
	strbuf_addch(&out->names, '\0');
	for (size_t i = 0; i < count; i++)
		strbuf_add(&out->names, slices[i].name, strlen(slices[i].name) + 1);
	if (!out->elf || !add_header(out->elf, like) || !add_names(out))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!add_section(out->elf, SHT_PROGBITS, &slices[i], name))
			return false;
		name += (uint32_t)strlen(slices[i].name) + 1;
	}
	return true;
}

void elf_view_release(struct elf_view *view)
{
	elf_end(view->elf);
	strbuf_release(&view->names);
	*view = (struct elf_view){ 0 };
}
