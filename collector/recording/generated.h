/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples in code that a runtime generated, by its process's code without a file.  If it
 * wrote no perf map, they have no names, and a flag of the runtime would help.
 */
#ifndef GENERATED_H
#define GENERATED_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/runtimes.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "process/module.h"
#include "process/space.h"

struct generated_code {
	uint32_t module;               /* index */
	const struct runtime *runtime; /* that the process has mapped; NULL: none known */
	uint64_t samples;
};

/* All-zero is empty. */
struct generated {
	struct idmap by_module;
	VEC(struct generated_code) codes;
};

void generated_release(struct generated *g);

/* A sample at IP in a process with that SPACE. */
void generated_take(struct generated *g, struct module_table *modules,
		    const struct space *space, uint64_t ip);

/*
 * Once symbols are written: adds "37 % in generated code of node: run it with …" for the
 * runtime with the most nameless ones of SAMPLES.  Nothing if there are few.
 */
void generated_advise(const struct generated *g, const struct module_table *modules,
		      uint64_t samples, struct strbuf *out);

#endif
