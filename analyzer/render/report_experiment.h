/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment in the JSON report: its target, machine, numbers and events. */
#ifndef REPORT_EXPERIMENT_H
#define REPORT_EXPERIMENT_H

#include "model/model.h"
#include "render/json_writer.h"

void report_put_experiment(struct json_writer *w, const struct model *model,
			   size_t source);

#endif
