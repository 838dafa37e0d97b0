/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects whose functions are merged: all of libc as one function <libc.so.6>, which
 * appears once in a stack for its internal calls.
 */
#ifndef HIDDEN_H
#define HIDDEN_H

#include <stdbool.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "model/sites.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* All-zero: none is hidden. */
struct hidden {
	VEC(bool) objects; /* by object; those beyond are shown */
};

void hidden_release(struct hidden *hidden);

bool hidden_any(const struct hidden *hidden);
bool hidden_is(const struct hidden *hidden, uint32_t object);

/*
 * Hides or shows the objects of LIST: paths or their last parts, with commas between
 * them, or all.  0, or a negative code with a sentence in ERR, and no change.
 */
int hidden_set(struct hidden *hidden, const struct model *model, const char *list,
	       bool hide, struct strbuf *err) __attribute__((warn_unused_result));

/* Hides those objects of AFTER that were hidden among BEFORE's. */
void hidden_carry(struct hidden *hidden, const struct model *before,
		  const struct model *after);

/* Puts the stand-ins of hidden objects into MAP, which is of functions. */
void hidden_apply(const struct hidden *hidden, struct model *model,
		  struct frame_map *map);

/*
 * The same for FROM's lines: one site without a line represents each hidden object, and
 * folds (frame_map.h).  Overwrites OUT, which the caller releases.
 */
void hidden_sites(const struct hidden *hidden, struct model *model,
		  const struct sites *from, struct sites *out);

#endif
