/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With whose rights root parses files that er_print finds itself, as no target named them.
 * An object names the paths of its split units, which are opened while it is parsed, so the
 * rights are those of whoever can have written it.
 */
#ifndef FILE_PARTY_H
#define FILE_PARTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/object_file.h"

/* A party is one of these, or the number of a user. */
#define PARTY_OURS      0
#define PARTY_ELSEWHERE UINT64_MAX /* not known: the file came with a recording */

/*
 * Who can have written COUNT files, open or -1: PARTY_OURS if only root, nobody's number
 * if several users.
 */
uint64_t party_of_files(const int *files, size_t count);

/*
 * Gives up for good what PARTY may not open.  PARTY_ELSEWHERE may name files in PLACE's
 * archive and in its symfs, and where the kernel cannot tell these apart, only files that
 * everybody may read.  False: this process is root and has to remain so, as in a
 * container without CAP_SETUID; it must not go on.
 */
bool party_join(uint64_t party, const struct object_place *place)
	__attribute__((warn_unused_result));

#endif
