/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of an ELF file, or of an image in memory, that the unwinder reads: the loaded
 * segments, bytes by offset, and sections by name.
 */
#ifndef UNWIND_ELF_H
#define UNWIND_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/image.h"
#include "unwind/regs.h"
#include "base/vec.h"

/* No table may be larger. */
#define ELF_MAX_BYTES (256 << 20)

struct elf_file {
	int fd;                     /* -1 for an image */
	const unsigned char *image; /* NULL for a file */
	uint64_t size;
	uid_t owner; /* of the file; of an image 0 */
	const struct unwind_arch *arch;
	uint64_t entry;
	VEC(struct elf_segment) segments;
	struct elf_segment eh_frame_hdr; /* filesz 0: none */
};

/* Both return 0 or a negative errno; on failure there is nothing to release. */
__attribute__((warn_unused_result)) int elf_file_init_fd(struct elf_file *f, int fd);
__attribute__((warn_unused_result)) int
elf_file_init_image(struct elf_file *f, const void *image, size_t len);

/* Closes the descriptor too. */
void elf_file_release(struct elf_file *f);

/* Copies up to LEN bytes from OFFSET; returns their number. */
size_t elf_file_read(const struct elf_file *f, uint64_t offset, void *bytes, size_t len);

/* The segment that holds file offset OFFSET or address VADDR, or NULL. */
const struct elf_segment *elf_segment_at(const struct elf_file *f, uint64_t offset);
const struct elf_segment *elf_segment_of(const struct elf_file *f, uint64_t vaddr);

/* Copies the LEN bytes from address VADDR on; false if some are missing. */
bool elf_read_code(const struct elf_file *f, uint64_t vaddr, void *code, size_t len);

/* The file as elf/image.h reads it, with its sections; false if that refuses. */
bool elf_file_image(const struct elf_file *f, struct elf_image *img);

#endif
