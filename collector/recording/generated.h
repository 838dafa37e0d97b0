/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples in code that a runtime generated: code without a file, in a process with the
 * runtime's file.  Without a perf map they lack names, and a flag of the runtime helps.
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
	const struct runtime *runtime; /* mapped by its process; NULL: none known */
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
 * runtime with most of the nameless SAMPLES, and returns their number; 0 if they are few.
 */
uint64_t generated_advise(const struct generated *g, const struct module_table *modules,
			  uint64_t samples, struct strbuf *out);

#endif
