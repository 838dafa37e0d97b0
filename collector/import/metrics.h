/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which events of a file are one metric.
 *
 * The parts of an event on a CPU with several kinds of core are: each counts on its own
 * cores.  Other events of one name, as perf record -e cycles -e cycles has, count the same
 * thing twice or different things, so each is a metric: cycles, cycles.2, cycles.3.
 */
#ifndef IMPORT_METRICS_H
#define IMPORT_METRICS_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/strtab.h"

struct import_metrics {
	struct strtab names;
	struct idmap taken;   /* (name, kind of core) → anything */
	struct idmap numbers; /* of the last event: (base, kind of core) → number */
};

void import_metrics_init(struct import_metrics *m);
void import_metrics_release(struct import_metrics *m);

/*
 * The metric of the next event, whose kind of core is KIND (name.h), if import_metric
 * calls it BASE; its number goes to NUMBER, from 1 on.  The caller frees it.
 */
char *import_metrics_add(struct import_metrics *m, const char *base, uint32_t kind,
			 uint32_t *number);

#endif
