/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One ELF file, or an ELF image in memory (the vDSO), opened for reading.
 *
 * The file is hostile, and it may be replaced or truncated while we read it.  It is never
 * mapped, because truncating a mapped file ends the program with SIGBUS: headers are
 * decoded once into plain tables through a cursor, and contents are copied by
 * elf_image_read, which checks the range against the file's size at opening.  Only
 * regular files are opened, so a FIFO cannot block us.
 *
 * Both classes and both byte orders are read.  A file without section headers, or with
 * damaged ones, is a good image with no sections; so is one with more than 65536.
 *
 * A frame in an experiment is a *file offset*; symbols and unwind tables use *virtual
 * addresses* as the linker assigned them (and objdump and addr2line show them).
 * elf_image_vaddr and elf_image_offset convert between the two by the PT_LOAD segments.
 */
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/build_id.h"
#include "base/cursor.h"
#include "base/file.h"
#include "base/quota.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Addresses, offsets and sizes are the file's own words: hostile. */
struct elf_segment {
	uint32_t type, flags; /* PT_*, PF_* */
	uint64_t offset, vaddr, filesz, memsz, align;
};

struct elf_section {
	const char *name; /* never NULL; lives as long as the image */
	uint32_t type, link, info;
	uint64_t flags, vaddr, offset, size, entsize;
};

struct elf_image {
	int fd;                 /* -1 for an image in memory */
	const void *bytes;      /* the image in memory, borrowed; NULL for a file */
	uint64_t size;          /* of the file, when it was opened */
	struct file_mark mark;  /* how it looked then */
	bool is64, swap;        /* swap: of the other byte order */
	uint16_t type, machine; /* ET_*, EM_* */
	uint64_t entry;
	VEC(struct elf_segment) segments;
	VEC(struct elf_section) sections;
	struct strbuf section_names;
	struct build_id build_id; /* hex "" if it has none */
	struct quota *quota;      /* for what is read; NULL: no limit but the size */
	uid_t owner;              /* who is charged */
};

/*
 * Each returns 0, or a negative errno: that of open, or -ENOEXEC for a file that is not
 * ELF or has a damaged header.  After a failure there is nothing to release.
 */
int elf_image_open(struct elf_image *img, const char *path)
	__attribute__((warn_unused_result));
/* Takes FD, also when it fails. */
int elf_image_open_fd(struct elf_image *img, int fd) __attribute__((warn_unused_result));
int elf_image_memory(struct elf_image *img, const void *bytes, size_t len)
	__attribute__((warn_unused_result));
void elf_image_release(struct elf_image *img);

/*
 * The build-id of the ELF file FD, which stays open.  0, or a negative errno and OUT "";
 * -ENODATA for an ELF file that has none.
 */
int elf_image_build_id(int fd, struct build_id *out) __attribute__((warn_unused_result));

/*
 * From now on what is read of it is charged to its owner, unless we are he.  QUOTA, which
 * counts each refusal, outlives IMG.
 */
void elf_image_charge(struct elf_image *img, struct quota *quota);

/* The most that may be read of it at a time, at most MAX. */
uint64_t elf_image_most(const struct elf_image *img, uint64_t max);

/* Charges LEN bytes that come from it; false if that is too much. */
bool elf_image_take(const struct elf_image *img, uint64_t len);

/*
 * Appends LEN bytes at OFFSET to OUT.  0, or a negative errno and OUT unchanged.  -EFBIG
 * for more than ELF_READ_MAX, which no honest table reaches but a sparse file can claim,
 * or than the quota allows; -ENOEXEC for a range outside the file.
 */
#define ELF_READ_MAX (1u << 30)
int elf_image_read(const struct elf_image *img, uint64_t offset, uint64_t len,
		   struct strbuf *out) __attribute__((warn_unused_result));

/*
 * The contents of a section; -ENOEXEC for one without bytes in the file (NOBITS), -EFBIG
 * for more than MAX.
 */
int elf_section_read(const struct elf_image *img, const struct elf_section *section,
		     uint64_t max, struct strbuf *out)
	__attribute__((warn_unused_result));

/*
 * The same, decompressed if necessary (zlib, zstd).  -EFBIG for more than MAX bytes in
 * the file or decompressed; -ENOEXEC if it is damaged.  OUT is then unchanged.
 */
int elf_section_unpack(const struct elf_image *img, const struct elf_section *section,
		       uint64_t max, struct strbuf *out)
	__attribute__((warn_unused_result));

/* Whether the file changed since it was opened: its data may be of two files. */
bool elf_image_is_changed(const struct elf_image *img);

enum { ELF_FRESH_NS = 200000000 };

/*
 * Whether the file was written within the last fifth of a second.  A write has the time of
 * its beginning and may still go on, so elf_image_is_changed would not see it.
 */
bool elf_image_is_fresh(const struct elf_image *img);

/* A cursor over BYTES in the image's byte order. */
struct cursor elf_image_cursor(const struct elf_image *img, const struct strbuf *bytes);

/* An address-sized number. */
uint64_t elf_cursor_word(const struct elf_image *img, struct cursor *c);

/* The first section of that name or of that SHT_ type, or NULL. */
const struct elf_section *elf_section_named(const struct elf_image *img,
					    const char *name);
const struct elf_section *elf_section_typed(const struct elf_image *img, uint32_t type);

/* The first segment of that PT_ type, or NULL. */
const struct elf_segment *elf_segment_typed(const struct elf_image *img, uint32_t type);

/* The PT_LOAD whose part from the file contains VADDR; executable first. */
const struct elf_segment *elf_segment_at_vaddr(const struct elf_image *img,
					       uint64_t vaddr);

/* False if no PT_LOAD contains it. */
bool elf_image_vaddr(const struct elf_image *img, uint64_t offset, uint64_t *vaddr);
bool elf_image_offset(const struct elf_image *img, uint64_t vaddr, uint64_t *offset);

#endif
