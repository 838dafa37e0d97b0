/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests names for a mistyped one. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

#include "base/strbuf.h"

#define NEAREST_MAX 3

/* Offer it each name in turn; then best[0 … count-1] are the nearest, nearest first. */
struct nearest {
	const char *wanted; /* borrowed */
	struct {
		char *name;
		size_t distance;
	} best[NEAREST_MAX];
	size_t count;
};

void nearest_init(struct nearest *near, const char *wanted);
void nearest_release(struct nearest *near);

/* Names too far off, and known ones, are ignored; of equally near ones the first offered stays. */
void nearest_offer(struct nearest *near, const char *name);

/* "a, b or c"; nothing if none is near. */
void nearest_join(const struct nearest *near, struct strbuf *out);

#endif
