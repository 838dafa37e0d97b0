/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files (64-bit, of this machine's byte order) as an attacker writes them: numbers in
 * headers altered, and contents of sections with sizes, offsets and links that fit them.
 */
#ifndef ALTER_OBJECT_H
#define ALTER_OBJECT_H

#include "campaign.h"

/* Alters something in the ELF file IMAGE once; one that is too damaged, any byte. */
void alter_object(struct strbuf *image, struct draw *d);

#endif
