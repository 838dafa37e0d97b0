/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files (64-bit, in this machine's byte order) as an attacker writes them: altered
 * numbers in headers, and altered contents of sections with matching sizes, offsets and
 * links.
 */
#ifndef ALTER_OBJECT_H
#define ALTER_OBJECT_H

#include "campaign.h"

/* Alters one thing in the ELF file IMAGE; if it is too damaged, any byte. */
void alter_object(struct strbuf *image, struct draw *d);

#endif
