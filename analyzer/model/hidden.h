/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects whose functions are merged, so that internal calls appear once in a stack: all
 * of libc as one function <libc.so.6>, or as the functions that others call (its API), each
 * with all that it calls within libc.
 */
#ifndef HIDDEN_H
#define HIDDEN_H

#include <stdbool.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "model/sites.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum object_view {
	OBJECT_SHOWN,
	OBJECT_HIDDEN, /* as one function */
	OBJECT_API,    /* as those that other objects call */
};

/* All-zero: all are shown. */
struct hidden {
	VEC(uint8_t) objects; /* enum object_view, by object; those beyond are shown */
};

void hidden_release(struct hidden *hidden);

/* Whether any object is not shown. */
bool hidden_any(const struct hidden *hidden);
enum object_view hidden_view(const struct hidden *hidden, uint32_t object);

/*
 * Sets the view of the objects of LIST: paths or their last parts, with commas between
 * them, or all.  0, or a negative code with a sentence in ERR, and no change.
 */
int hidden_set(struct hidden *hidden, const struct model *model, const char *list,
	       enum object_view view, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The objects of AFTER get the views that they had among BEFORE's. */
void hidden_carry(struct hidden *hidden, const struct model *before,
		  const struct model *after);

/* Merges functions in MAP, which is of functions. */
void hidden_apply(const struct hidden *hidden, struct model *model,
		  struct frame_map *map);

/*
 * The same for FROM's lines: one site without a line represents each hidden object, and
 * calls within an API are at the line where it was entered.  Overwrites OUT, which the
 * caller releases.
 */
void hidden_sites(const struct hidden *hidden, struct model *model,
		  const struct sites *from, struct sites *out);

#endif
