/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the events of a perf.data file. */
#ifndef IMPORT_NAME_H
#define IMPORT_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "import/perf_attr.h"
#include "import/perf_file.h"

/*
 * The name of event INDEX: the file's, else the one that perf would make from the attr,
 * else "TYPE:CONFIG".  The caller frees it.
 */
char *import_name(const struct perf_file *file, size_t index);

/*
 * The metric's id for er_print's metrics: without ':' and '/'.  The parts of an event on
 * a CPU with several kinds of core get one id, as they are one metric; so do other events
 * of one name, which metrics.h keeps apart.  The caller frees it.
 */
char *import_metric(const char *name);

/* Which kind of core counts an event, as the number of its PMU. */
#define IMPORT_ANY_CORE UINT32_MAX
uint32_t import_core_kind(const struct perf_attr *attr, const char *name);

/* The name without the kind of core, for headings.  The caller frees it. */
char *import_label(const char *name);

/* exp_event's unit. */
const char *import_unit(const struct perf_attr *attr, const char *name);

#endif
