/* SPDX-License-Identifier: Apache-2.0 */
/* What the events of a perf.data file are called. */
#ifndef IMPORT_NAME_H
#define IMPORT_NAME_H

#include <stddef.h>

#include "import/perf_attr.h"
#include "import/perf_file.h"

/*
 * The name of event INDEX: as the file tells, else as perf would make it up of the attr,
 * else "TYPE:CONFIG".  The caller frees it.
 */
char *import_name(const struct perf_file *file, size_t index);

/*
 * The metric's id, which er_print's metrics take: no ':' or '/' in it.  The parts that an
 * event has on a CPU with several kinds of core get one id, for they are one metric.  The
 * caller frees it.
 */
char *import_metric(const char *name);

/* The name without the kind of core, for headings.  The caller frees it. */
char *import_label(const char *name);

/* exp_event's unit. */
const char *import_unit(const struct perf_attr *attr, const char *name);

#endif
