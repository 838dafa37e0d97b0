/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoding half of elf_image: the file header, program headers, section headers and
 * the build-id, from bytes into the image's tables.
 */
#ifndef ELF_HEADERS_H
#define ELF_HEADERS_H

#include "elf/image.h"

/* IMG has its bytes and size.  0, or a negative errno with IMG to be released. */
int elf_headers_read(struct elf_image *img);

#endif
