/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index objects: names for expressions over samples, whose values group these.  Some are
 * there from the start; the user may define more.
 */
#ifndef INDEX_OBJECTS_H
#define INDEX_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"

/* The user's own.  All-zero: none. */
struct index_objects {
	VEC(char *) names;
	VEC(char *) expressions; /* by name */
};

struct index_object {
	const char *name, *expression; /* valid until one is defined */
};

void index_objects_release(struct index_objects *objects);

/* The one at INDEX, those from the start first.  False: there are no more. */
bool index_object_at(const struct index_objects *objects, size_t index,
		     struct index_object *out);

/* The one of that name, in any case.  False: there is none. */
bool index_object_find(const struct index_objects *objects, const char *name,
		       struct index_object *out);

/*
 * Defines one, or changes one of the user's.  0, or a negative code with a sentence in
 * ERR.
 */
int index_object_define(struct index_objects *objects, const char *name,
			const char *expression, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
