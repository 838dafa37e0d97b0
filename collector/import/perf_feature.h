/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The "features" of a perf.data file, which are sections of a file or records of a pipe:
 * bytes to perf_info.  A feature that is damaged, or that we do not know, is left out.
 */
#ifndef PERF_FEATURE_H
#define PERF_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "import/perf_info.h"

/* The feature of that NUMBER, which fills C.  False where it is damaged. */
bool perf_feature_decode(struct perf_info *info, uint32_t number, struct cursor *c);

/* One entry of the list of build-ids, from C: a record of its own in a pipe. */
bool perf_build_id_decode(struct perf_info *info, struct cursor *c);

#endif
