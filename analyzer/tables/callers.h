/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers and callees of functions, with attributed values.
 *
 * In every sample the innermost occurrence of the centre counts: its inclusive value goes
 * to the function above it, and to the function below it, or to the centre itself if the
 * stack ends there.  So the callers sum to the centre's inclusive value, and so do its
 * callees and its own exclusive value, however often it calls itself.
 */
#ifndef CALLERS_H
#define CALLERS_H

#include <stdint.h>

#include "model/tree.h"
#include "model/value.h"
#include "base/vec.h"

/* A function on the other side of the centre; MODEL_NONE: <Total>, no caller at all. */
struct call_edge {
	uint32_t center, other;
	bool callee;  /* OTHER is called by the centre */
	uint32_t row; /* of values */
};

struct callers {
	VEC(struct call_edge) edges; /* by centre, otherwise unordered */
	size_t metrics, rows, functions;
	struct value *values; /* [metric × rows + row] */
	uint32_t *first;      /* centre → its first edge; one more at the end */
};

/*
 * For every function of TREE, all below FUNCTIONS.  OUT is overwritten, and the caller
 * releases it.
 */
void callers_build(struct callers *out, const struct tree *tree, size_t functions);

/*
 * The same for a fragment: LEN functions, at least one, that follow one another in a
 * stack.  In every sample its innermost occurrence counts: the callers are those of its
 * first function, the callees those of its last, which is the centre.
 */
void callers_build_fragment(struct callers *out, const struct tree *tree,
			    size_t functions, const uint32_t *fragment, size_t len);
void callers_release(struct callers *callers);

static inline struct value callers_value(const struct callers *c, size_t metric,
					 const struct call_edge *edge)
{
	return c->values[metric * c->rows + edge->row];
}

#endif
