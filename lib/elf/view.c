/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/view.h"

#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

/* ---- sections of files ---- */

/* ".debug_info", also as ".zdebug_info", GNU's old name of a compressed one. */
static bool is_called(const char *name, const char *wanted)
{
	return name && (!strcmp(name, wanted) ||
			(!strncmp(name, ".z", 2) && !strcmp(name + 2, wanted + 1)));
}

/* Fails if it is not compressed, or no longer so. */
static void unpack(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	if (header->sh_flags & SHF_COMPRESSED)
		(void)elf_compress(section, 0, 0);
	else if (name[1] == 'z')
		(void)elf_compress_gnu(section, 0, 0);
}

/* The next section of that name behind *SECTION, decompressed; NULL: none. */
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

/* libdw 0.188 uses elf_getdata's data, 0.192 elf_rawdata's. */
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

/* Without a NUL there is only an empty text. */
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

/*
 * libelf does not tell whether it could map the file; memory that it allocated, which must
 * not be given back, does not begin with a page.
 */
void elf_pages_forget(Elf *elf)
{
	size_t len, page = (size_t)sysconf(_SC_PAGESIZE);
	char *bytes = elf_rawfile(elf, &len);

	if (bytes && !((uintptr_t)bytes % page) && madvise(bytes, len, MADV_DONTNEED))
		return; /* then they stay */
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

bool elf_lap_pass(struct elf_lap *lap, uint64_t bytes)
{
	enum { LAP = 16 << 20 };

	lap->passed += bytes < LAP ? bytes : LAP;
	if (lap->passed < LAP || !lap->elf)
		return false;
	lap->passed = 0;
	elf_pages_forget(lap->elf);
	return true;
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

/*
 * A header, a byte that represents every slice, the sections' names, and the sections'
 * headers.  The first section has the names; the slices follow.
 */
enum { NAMES_SECTION = 1, SLICES_SECTION };

/* ELF of any class and byte order. */
struct writer {
	struct strbuf *out;
	bool big;      /* byte order */
	unsigned word; /* bytes of an address */
};

static void put(const struct writer *w, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		strbuf_addch(w->out, (char)(value >> 8 * (w->big ? size - 1 - i : i)));
}

/* Elf64_Ehdr, Elf32_Ehdr.  SHOFF: where the sections' headers begin. */
static void put_header(const struct writer *w, const GElf_Ehdr *like, uint64_t shoff,
		       size_t sections)
{
	bool wide = w->word == 8;

	strbuf_add(w->out, like->e_ident, EI_NIDENT);
	put(w, ET_REL, 2);
	put(w, like->e_machine, 2);
	put(w, EV_CURRENT, 4);
	put(w, 0, w->word); /* entry */
	put(w, 0, w->word); /* program headers */
	put(w, shoff, w->word);
	put(w, 0, 4); /* flags */
	put(w, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
	put(w, 0, 2); /* a program header's size, their number */
	put(w, 0, 2);
	put(w, wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	put(w, sections, 2);
	put(w, NAMES_SECTION, 2);
}

/* Elf64_Shdr, Elf32_Shdr */
static void put_section(const struct writer *w, uint32_t type, size_t name, size_t offset,
			size_t size)
{
	put(w, name, 4);
	put(w, type, 4);
	put(w, 0, w->word); /* flags */
	put(w, 0, w->word); /* address */
	put(w, offset, w->word);
	put(w, size, w->word);
	put(w, 0, 4); /* link, info */
	put(w, 0, 4);
	put(w, type != SHT_NULL, w->word); /* alignment */
	put(w, 0, w->word);                /* an entry's size */
}

static void put_file(const struct writer *w, const GElf_Ehdr *like,
		     const struct elf_slice *slices, size_t count)
{
	size_t byte = w->word == 8 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t names = byte + 1, end = names + 1, headers, name = 1;

	for (size_t i = 0; i < count; i++)
		end += strlen(slices[i].name) + 1;
	headers = (end + 7) & ~(size_t)7;
	put_header(w, like, headers, SLICES_SECTION + count);
	strbuf_pad(w->out, '\0', 2);
	for (size_t i = 0; i < count; i++)
		strbuf_add(w->out, slices[i].name, strlen(slices[i].name) + 1);
	strbuf_pad(w->out, '\0', headers - end);
	put_section(w, SHT_NULL, 0, 0, 0);
	put_section(w, SHT_STRTAB, 0, names, end - names);
	for (size_t i = 0; i < count; i++) {
		put_section(w, SHT_PROGBITS, name, byte, 1);
		name += strlen(slices[i].name) + 1;
	}
}

bool elf_view_make(struct elf_view *view, Elf *like, const struct elf_slice *slices,
		   size_t count)
{
	struct writer w = { .out = &view->image };
	GElf_Ehdr header;

	*view = (struct elf_view){ 0 };
	if (!gelf_getehdr(like, &header))
		return false;
	w.big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	w.word = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	put_file(&w, &header, slices, count);
	view->elf = elf_memory(view->image.data, view->image.len);
	for (size_t i = 0; i < count && view->elf; i++)
		replace(elf_getscn(view->elf, SLICES_SECTION + i), slices[i].bytes,
			slices[i].len);
	return view->elf;
}

void elf_view_release(struct elf_view *view)
{
	elf_end(view->elf);
	strbuf_release(&view->image);
}
