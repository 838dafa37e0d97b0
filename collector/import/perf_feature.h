/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the "features" of a perf.data file, sections of a file or records of a pipe, to
 * perf_info.  A damaged or unknown feature is left out.
 */
#ifndef PERF_FEATURE_H
#define PERF_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "import/perf_info.h"

/* Decodes feature NUMBER, which fills C.  False if it is damaged. */
bool perf_feature_decode(struct perf_info *info, uint32_t number, struct cursor *c);

/* Decodes one entry of the list of build-ids, a record of its own in a pipe. */
bool perf_build_id_decode(struct perf_info *info, struct cursor *c);

#endif
