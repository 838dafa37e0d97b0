/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With whose rights root parses files that no target named: those that er_print finds.
 * Split units are opened while their object is parsed, at paths that it names, so these
 * are the rights of whoever can have written it.
 */
#ifndef FILE_PARTY_H
#define FILE_PARTY_H

#include <stddef.h>
#include <stdint.h>

#include "elf/object_file.h"

/* Or the number of a user. */
#define PARTY_OURS      0
#define PARTY_ELSEWHERE UINT64_MAX /* not known: the file came with a recording */

/*
 * Who can have written the files, of which COUNT are open or -1: PARTY_OURS if root
 * alone, nobody's number if several users.
 */
uint64_t party_of_files(const int *files, size_t count);

/*
 * Gives up for good what PARTY may not open.  PARTY_ELSEWHERE may name files in PLACE's
 * archive and in its symfs, and where the kernel cannot tell these apart, only files that
 * everybody may read.
 */
void party_join(uint64_t party, const struct object_place *place);

#endif
