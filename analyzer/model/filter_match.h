/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matches of a filter's regexes, computed in advance: functions, stacks, threads,
 * events.
 */
#ifndef FILTER_MATCH_H
#define FILTER_MATCH_H

#include "filter/filter.h"
#include "model/frame_map.h"
#include "model/model.h"

/*
 * For a node that compares frames with functions: its truth for each stack node of the
 * source.  The caller frees it.
 */
uint8_t *filter_match_stacks(const struct filter *filter, const struct filter_node *node,
			     const struct model *model, uint32_t source,
			     const struct frame_map *frames);

/*
 * For OP_LABEL: by thread; for WORD_EVENT by event, for WORD_CGROUP by string, for
 * WORD_REGION and WORD_DOMAIN by path of regions.  The caller frees it.
 */
uint8_t *filter_match_labels(const struct filter_node *node, const struct model *model,
			     uint32_t source);

#endif
