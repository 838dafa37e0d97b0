/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Minidebuginfo: the names of a stripped file's own functions.  Fedora and its kin leave
 * them as a whole ELF file with a .symtab, xz-compressed in .gnu_debugdata.
 */
#ifndef ELF_MINI_H
#define ELF_MINI_H

#include "elf/image.h"
#include "base/strbuf.h"

/*
 * The limit of the unpacked size: the largest seen have some megabytes, xz can claim any
 * size.
 */
#define ELF_MINI_MAX ((size_t)64 << 20)

/*
 * Unpacks it into BYTES, which the caller releases after OUT.  0 and an open OUT, or a
 * negative errno and nothing to release: -ENOENT without the section, -EFBIG for more
 * than ELF_MINI_MAX, -ENOEXEC for a damaged one.
 */
int elf_mini_open(const struct elf_image *img, struct strbuf *bytes,
		  struct elf_image *out) __attribute__((warn_unused_result));

#endif
