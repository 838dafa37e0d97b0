/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong with regions, in words. */
#ifndef EXP_REGION_FAULT_H
#define EXP_REGION_FAULT_H

#include <stdint.h>

#include "base/strbuf.h"
#include "experiment/format.h"

/* "2 ends without a begin, 1 region not ended": those that are not 0; by fault. */
void exp_region_faults_put(const uint64_t faults[EXP_REGION_FAULTS_COUNT],
			   struct strbuf *out);

#endif
