/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files of any size that are nearly all a hole: making them is free, reading them
 * costs their claimed size.
 */
#ifndef SPARSE_H
#define SPARSE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sparse {
	uint64_t size;
	Elf64_Phdr segment; /* PT_NULL: none; at offset SPARSE_HOLE where it names none */
	Elf64_Phdr load;    /* another, at offset 0 */
	uint64_t sections;  /* in section 0's sh_size */
	uint64_t names_size; /* of section 1, which has their names; 0: it is no such */
	unsigned char first[8]; /* at SPARSE_HOLE */
};

#define SPARSE_HOLE 4096

/* A file of this machine in memory; only its headers take room. */
int sparse_make(const struct sparse *file);

/* Whether memory can be limited: not with sanitizers. */
bool sparse_has_limit(void);

typedef int sparse_fn(int fd);

/* What FN gives of FD where it may take MORE bytes of memory; 1000 or more: it died. */
int sparse_use(int fd, size_t more, sparse_fn *fn);

#endif
