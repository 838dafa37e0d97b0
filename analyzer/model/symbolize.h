/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the frames of an experiment to functions of the model, by the names that the
 * recording keeps.  Where it keeps none (its collector was killed), the files that ran
 * are asked, if they still are what they were (same build-id).
 */
#ifndef SYMBOLIZE_H
#define SYMBOLIZE_H

#include "model/model.h"

/* Fills SOURCE's function for every frame.  Each frame is looked up once. */
void symbolize(struct model *model, struct source *source);

#endif
