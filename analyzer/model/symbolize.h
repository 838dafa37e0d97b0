/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps the frames of an experiment to functions of the model, by the recording's names.
 * If it has none (its collector was killed), they come from the files that ran, if these
 * are unchanged (same build-id).
 */
#ifndef SYMBOLIZE_H
#define SYMBOLIZE_H

#include "model/model.h"

/* Fills SOURCE's function for every frame.  Each frame is looked up once. */
void symbolize(struct model *model, struct source *source);

#endif
