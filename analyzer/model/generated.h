/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples in generated code without names, by the runtime that generated it: the one with
 * a file in the same stacks (base/runtimes.h).
 */
#ifndef GENERATED_H
#define GENERATED_H

#include "base/runtimes.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/model.h"

struct generated {
	const struct runtime *runtime; /* NULL: unknown */
	uint64_t samples;
};

struct generated_code {
	VEC(struct generated) by_runtime; /* most samples first */
	uint64_t samples;                 /* all, in any code */
};

/* Adds those of one experiment.  The caller releases OUT, all-zero at first. */
void generated_add(struct generated_code *out, const struct model *model,
		   const struct source *source);

void generated_release(struct generated_code *code);

/* "run node with --perf-basic-prof" */
void generated_remedy(const struct runtime *runtime, struct strbuf *out);

#endif
