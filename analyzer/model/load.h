/* SPDX-License-Identifier: Apache-2.0 */
/* Loads experiments into the model, and selects the samples that count. */
#ifndef LOAD_H
#define LOAD_H

#include "model/frame_map.h"
#include "model/model.h"

/*
 * Opens an experiment and sums it up.  0, or a negative code with one sentence in ERR,
 * and the model unchanged.
 */
int model_add(struct model *model, const char *path, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Sums up one that is open, and whose stacks are those recorded; the model owns it. */
void model_take(struct model *model, struct experiment *exp);

/*
 * From now on only samples that FILTER admits count; the model owns it.  FRAMES maps the
 * stacks to functions.
 */
void model_set_filter(struct model *model, struct filter *filter,
		      const struct frame_map *frames);

#endif
