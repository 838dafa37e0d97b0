/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/elf.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

#define MAX_PHDRS    1170 /* the kernel takes 64 KiB of them */
#define MAX_SEGMENTS 64
#define LARGEST_PAGE UINT64_C(0x10000) /* aarch64 */

size_t elf_file_read(const struct elf_file *f, uint64_t offset, void *bytes, size_t len)
{
	size_t done = 0;
	ssize_t got;

	if (offset >= f->size)
		return 0;
	if (len > f->size - offset)
		len = f->size - offset;
	if (f->image) {
		memcpy(bytes, f->image + offset, len);
		return len;
	}
	while (done < len) {
		got = pread(f->fd, (char *)bytes + done, len - done,
			    (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

static void add_segment(struct elf_file *f, const Elf64_Phdr *phdr)
{
	struct elf_segment s = { .offset = phdr->p_offset,
				 .filesz = phdr->p_filesz,
				 .vaddr = phdr->p_vaddr,
				 .type = phdr->p_type,
				 .flags = phdr->p_flags };

	/* Bytes that the file does not have are not there. */
	if (s.offset > f->size)
		s.offset = f->size;
	if (s.filesz > f->size - s.offset)
		s.filesz = f->size - s.offset;
	if (phdr->p_type == PT_LOAD && f->segments.len < MAX_SEGMENTS)
		*vec_push(&f->segments) = s;
	else if (phdr->p_type == PT_GNU_EH_FRAME)
		f->eh_frame_hdr = s;
}

static bool is_ours(const Elf64_Ehdr *ehdr)
{
	return memcmp(ehdr->e_ident, ELFMAG, SELFMAG) == 0 &&
	       ehdr->e_ident[EI_CLASS] == ELFCLASS64 &&
	       ehdr->e_ident[EI_DATA] == ELFDATA2LSB &&
	       ehdr->e_phentsize == sizeof(Elf64_Phdr) && unwind_arch_of(ehdr->e_machine);
}

static int read_headers(struct elf_file *f)
{
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;

	if (elf_file_read(f, 0, &ehdr, sizeof(ehdr)) != sizeof(ehdr) || !is_ours(&ehdr))
		return -ENOEXEC;
	f->arch = unwind_arch_of(ehdr.e_machine);
	f->entry = ehdr.e_entry;
	for (unsigned int i = 0; i < ehdr.e_phnum && i < MAX_PHDRS; i++) {
		if (elf_file_read(f, ehdr.e_phoff + i * sizeof(phdr), &phdr,
				  sizeof(phdr)) != sizeof(phdr))
			break;
		add_segment(f, &phdr);
	}
	return 0;
}

int elf_file_init_fd(struct elf_file *f, int fd)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	*f = (struct elf_file){ .fd = fd };
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	f->size = (uint64_t)st.st_size;
	err = read_headers(f);
	if (err)
		vec_release(&f->segments);
	return err;
}

int elf_file_init_image(struct elf_file *f, const void *image, size_t len)
{
	int err;

	*f = (struct elf_file){ .fd = -1, .image = image, .size = len };
	err = read_headers(f);
	if (err)
		vec_release(&f->segments);
	return err;
}

void elf_file_release(struct elf_file *f)
{
	vec_release(&f->segments);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/*
 * A mapping starts at a whole page, so offsets a little before a segment are mapped with
 * it; where two segments share a page, the executable one is meant.
 */
const struct elf_segment *elf_segment_at(const struct elf_file *f, uint64_t offset)
{
	const struct elf_segment *best = NULL;

	vec_for_each(const struct elf_segment, s, &f->segments) {
		if (offset < (s->offset & -LARGEST_PAGE) ||
		    offset >=
			    ((s->offset + s->filesz + LARGEST_PAGE - 1) & -LARGEST_PAGE))
			continue;
		if (offset - s->offset < s->filesz && s->flags & PF_X)
			return s;
		if (!best || (s->flags & PF_X && !(best->flags & PF_X)))
			best = s;
	}
	return best;
}

const struct elf_segment *elf_segment_of(const struct elf_file *f, uint64_t vaddr)
{
	vec_for_each(const struct elf_segment, s, &f->segments)
		if (vaddr - s->vaddr < s->filesz)
			return s;
	return NULL;
}

bool elf_read_code(const struct elf_file *f, uint64_t vaddr, void *code, size_t len)
{
	const struct elf_segment *s = elf_segment_of(f, vaddr);

	return s && elf_file_read(f, vaddr - s->vaddr + s->offset, code, len) == len;
}

Elf *elf_file_handle(const struct elf_file *f)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	if (!f->image)
		return elf_begin(f->fd, ELF_C_READ, NULL);
	/* It wants a pointer that it may write to, but does so only to swap bytes. */
	return elf_memory((char *)(uintptr_t)f->image, f->size);
}

static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	const char *found;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, shdr))
			continue;
		found = elf_strptr(elf, names, shdr->sh_name);
		if (found && strcmp(found, name) == 0)
			return scn;
	}
	return NULL;
}

/* False where it is too large, compressed or not, or damaged. */
static bool decompress(Elf_Scn *scn, const GElf_Shdr *shdr)
{
	GElf_Chdr chdr;

	if (shdr->sh_size > ELF_MAX_BYTES)
		return false;
	if (!(shdr->sh_flags & SHF_COMPRESSED))
		return true;
	return gelf_getchdr(scn, &chdr) && chdr.ch_size <= ELF_MAX_BYTES &&
	       elf_compress(scn, 0, 0) >= 0;
}

bool elf_file_section(Elf *elf, const char *name, struct cfi_section *section)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = find_section(elf, name, &shdr);
	Elf_Data *data;

	if (!scn || shdr.sh_type == SHT_NOBITS || !decompress(scn, &shdr))
		return false;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf)
		return false;
	*section = (struct cfi_section){
		.bytes = data->d_buf,
		.len = data->d_size,
		.vaddr = shdr.sh_addr,
	};
	return true;
}
