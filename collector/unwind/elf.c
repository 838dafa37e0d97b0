/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

	/* The file may be shorter than its headers claim. */
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
	int error;

	if (fstat(fd, &st))
		return -errno;
	*f = (struct elf_file){ .fd = fd };
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	f->size = (uint64_t)st.st_size;
	f->owner = st.st_uid;
	error = read_headers(f);
	if (error)
		vec_release(&f->segments);
	return error;
}

int elf_file_init_image(struct elf_file *f, const void *image, size_t len)
{
	int error;

	*f = (struct elf_file){ .fd = -1, .image = image, .size = len };
	error = read_headers(f);
	if (error)
		vec_release(&f->segments);
	return error;
}

void elf_file_release(struct elf_file *f)
{
	vec_release(&f->segments);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/*
 * A mapping starts at a whole page, so offsets slightly before a segment are mapped with
 * it; if two segments share a page, the executable one is meant.
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

bool elf_file_image(const struct elf_file *f, struct elf_image *img)
{
	int fd;

	if (f->image)
		return elf_image_memory(img, f->image, f->size) == 0;
	fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	return fd >= 0 && elf_image_open_fd(img, fd) == 0;
}
