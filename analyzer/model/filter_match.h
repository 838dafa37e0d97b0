/* SPDX-License-Identifier: Apache-2.0 */
/* What a filter's regexes fit, worked out ahead: functions, stacks, threads, events. */
#ifndef FILTER_MATCH_H
#define FILTER_MATCH_H

#include "filter/filter.h"
#include "model/frame_map.h"
#include "model/model.h"

/*
 * For a node that compares frames with functions: by stack node of the source, whether
 * it holds.  The caller frees it.
 */
uint8_t *filter_match_stacks(const struct filter *filter, const struct filter_node *node,
			     const struct model *model, uint32_t source,
			     const struct frame_map *frames);

/* For OP_LABEL: by thread, of WORD_EVENT by event, of WORD_CGROUP by string.  The caller
 * frees it. */
uint8_t *filter_match_labels(const struct filter_node *node, const struct model *model,
			     uint32_t source);

#endif
