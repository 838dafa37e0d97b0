/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/image.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

void elf_image_charge(struct elf_image *img, struct quota *quota)
{
	struct stat st;

	if (img->fd < 0 || fstat(img->fd, &st) || st.st_uid == geteuid())
		return;
	img->quota = quota;
	img->owner = st.st_uid;
}

uint64_t elf_image_most(const struct elf_image *img, uint64_t max)
{
	uint64_t most = img->quota ? quota_most(img->quota, img->owner) : max;

	return most < max ? most : max;
}

bool elf_image_take(const struct elf_image *img, uint64_t len)
{
	if (!img->quota || quota_take(img->quota, img->owner, len))
		return true;
	img->quota->refused++;
	return false;
}

int elf_image_read(const struct elf_image *img, uint64_t offset, uint64_t len,
		   struct strbuf *out)
{
	size_t before = out->len;
	int error;

	if (offset > img->size || len > img->size - offset)
		return -ENOEXEC;
	if (len > ELF_READ_MAX || !elf_image_take(img, len))
		return -EFBIG;
	if (img->bytes) {
		strbuf_add(out, (const char *)img->bytes + offset, (size_t)len);
		return 0;
	}
	error = file_read_at(img->fd, offset, strbuf_add_room(out, (size_t)len),
			     (size_t)len);
	if (error)
		strbuf_truncate(out, before);
	return error == -ENODATA ? -ENOEXEC : error; /* it was truncated after opening */
}

int elf_section_read(const struct elf_image *img, const struct elf_section *section,
		     uint64_t max, struct strbuf *out)
{
	if (section->type == SHT_NOBITS)
		return -ENOEXEC;
	if (section->size > max)
		return -EFBIG;
	return elf_image_read(img, section->offset, section->size, out);
}

struct cursor elf_image_cursor(const struct elf_image *img, const struct strbuf *bytes)
{
	struct cursor c;

	cursor_init(&c, strbuf_str(bytes), bytes->len);
	c.swap = img->swap;
	return c;
}

uint64_t elf_cursor_word(const struct elf_image *img, struct cursor *c)
{
	return img->is64 ? cursor_u64(c) : cursor_u32(c);
}

void elf_image_release(struct elf_image *img)
{
	vec_release(&img->segments);
	vec_release(&img->sections);
	strbuf_release(&img->section_names);
	if (img->fd >= 0)
		close(img->fd);
	*img = (struct elf_image){ .fd = -1 };
}

bool elf_image_is_changed(const struct elf_image *img)
{
	return img->fd >= 0 && !file_mark_is(&img->mark, img->fd);
}

bool elf_image_is_fresh(const struct elf_image *img)
{
	uint64_t written = img->mark.mtime_ns, now;
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	now = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	return img->fd >= 0 && now >= written && now - written < ELF_FRESH_NS;
}

const struct elf_section *elf_section_named(const struct elf_image *img, const char *name)
{
	vec_for_each(const struct elf_section, section, &img->sections)
		if (!strcmp(section->name, name))
			return section;
	return NULL;
}

const struct elf_section *elf_section_typed(const struct elf_image *img, uint32_t type)
{
	vec_for_each(const struct elf_section, section, &img->sections)
		if (section->type == type)
			return section;
	return NULL;
}

const struct elf_segment *elf_segment_typed(const struct elf_image *img, uint32_t type)
{
	vec_for_each(const struct elf_segment, segment, &img->segments)
		if (segment->type == type)
			return segment;
	return NULL;
}

static const struct elf_segment *load_at(const struct elf_image *img, uint64_t where,
					 bool by_offset)
{
	const struct elf_segment *any = NULL;

	vec_for_each(const struct elf_segment, segment, &img->segments) {
		uint64_t start = by_offset ? segment->offset : segment->vaddr;

		if (segment->type != PT_LOAD || where < start ||
		    where - start >= segment->filesz)
			continue;
		if (segment->flags & PF_X)
			return segment;
		any = any ? any : segment;
	}
	return any;
}

const struct elf_segment *elf_segment_at_vaddr(const struct elf_image *img,
					       uint64_t vaddr)
{
	return load_at(img, vaddr, false);
}

bool elf_image_vaddr(const struct elf_image *img, uint64_t offset, uint64_t *vaddr)
{
	const struct elf_segment *segment = load_at(img, offset, true);

	if (segment)
		*vaddr = segment->vaddr + (offset - segment->offset);
	return segment != NULL;
}

bool elf_image_offset(const struct elf_image *img, uint64_t vaddr, uint64_t *offset)
{
	const struct elf_segment *segment = elf_segment_at_vaddr(img, vaddr);

	if (segment)
		*offset = segment->offset + (vaddr - segment->vaddr);
	return segment != NULL;
}
