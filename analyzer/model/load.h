/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments into the model, and what of their samples counts there. */
#ifndef LOAD_H
#define LOAD_H

#include "model/frame_map.h"
#include "model/model.h"

/*
 * Opens an experiment and sums it up.  0, or a negative code with one sentence in ERR,
 * and the model is as it was.
 */
int model_add(struct model *model, const char *path, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Only samples that FILTER admits count from now on; the model owns it.  FRAMES says what
 * functions the stacks are of.
 */
void model_set_filter(struct model *model, struct filter *filter,
		      const struct frame_map *frames);

#endif
