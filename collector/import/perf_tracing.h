/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of events by type and config that a perf.data file keeps outside its event list:
 * tracepoints in the tracing data (the beginning of a trace.dat file), all kinds in
 * simpleperf's meta info.
 */
#ifndef PERF_TRACING_H
#define PERF_TRACING_H

#include "base/cursor.h"
#include "import/perf_info.h"

/*
 * Adds the tracepoints of tracing data, which may end early.  C fails if it is damaged;
 * data of another kind is ignored.
 */
void perf_tracing_decode(struct perf_info *info, struct cursor *c);

/* simpleperf's meta info: alternating keys and values, all text. */
void perf_meta_decode(struct perf_info *info, struct cursor *c);

#endif
