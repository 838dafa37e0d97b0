/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU's description of an access to memory: union perf_mem_data_src, in words. */
#ifndef DATA_SOURCE_H
#define DATA_SOURCE_H

#include <stdint.h>

#include "base/strbuf.h"

/*
 * Adds "load L3 hit, snoop hitm, tlb L2 hit, locked"; nothing for unknown parts. VALUE
 * comes from a file, and may be anything.
 */
void data_source_words(uint64_t value, struct strbuf *out);

#endif
