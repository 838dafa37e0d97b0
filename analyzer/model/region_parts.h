/* SPDX-License-Identifier: Apache-2.0 */
/* In which region a thread was for most of each of some equal parts of time. */
#ifndef REGION_PARTS_H
#define REGION_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/open_regions.h"

/*
 * Sets PATHS[i] to the path of the experiment that was the innermost for most of part i,
 * which begins i × PART_NS after FROM_NS; 0: none was, for most of it.  Of equal ones the
 * first.  Returns whether the thread with that number was in a region at all.
 */
bool region_parts_read(const struct open_regions *open, uint32_t number, uint64_t from_ns,
		       uint64_t part_ns, size_t parts, uint32_t *paths);

#endif
