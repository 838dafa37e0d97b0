/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: what the counters, or the kernel's accounting of CPU time, have
 * beyond the samples becomes rows of <Unsampled>.
 */
#ifndef SETTLING_H
#define SETTLING_H

#include "sample/evlist.h"
#include "sample/ladder.h"
#include "collector/recording/recording.h"
#include "collector/target.h"

struct settling {
	const struct ladder *ladder;
	const struct evlist *evlist; /* stopped */
	struct recording *rec;
	const struct target *target;
	bool whole; /* our child, waited for, and recorded from its start to its end */
};

void settling_run(const struct settling *s);

#endif
