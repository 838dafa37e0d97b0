/* SPDX-License-Identifier: Apache-2.0 */
/* What the views share: columns of metrics, and the order of rows. */
#ifndef VIEW_H
#define VIEW_H

#include "metric_spec.h"
#include "session.h"
#include "table.h"

/*
 * The columns of a table whose rows have the given FLAVORS (a bit each): those that the
 * user has set, in their order, then the rest hidden, so that machines always see all.
 * Where attributed metrics are wanted and none were set, each metric that is seen in
 * another flavor stands in.  OUT is overwritten, and the caller's to release.
 */
void view_items(const struct session *s, unsigned flavors, struct metric_list *out);

#define VIEW_FLAVOR(flavor) (1U << (flavor))

/* The session's order, by attributed metrics, of which ITEMS are to be seen. */
struct sort_key view_attributed_order(const struct session *s,
				      const struct metric_list *items);

/* Adds the column of an item of FIELD_METRIC. */
void view_metric_column(const struct session *s, const struct metric_item *item,
			struct table *table);

static inline struct estimate view_estimate(const struct session *s, uint32_t metric,
					    struct value v, struct value whole)
{
	return estimate_of(&s->model.metrics.data[metric], v, whole);
}

/*
 * A row's place: by weight, then samples (both from high to low), then name and id (both
 * from low to high), so that no two rows are equal.  NAME is borrowed.
 */
struct rank {
	uint64_t weight, samples;
	const char *name;
	uint32_t id;
};

struct ranks {
	struct rank *data;
	size_t len, cap;
};

/* REVERSE: from low to high instead. */
void ranks_sort(struct ranks *ranks, bool reverse);

#endif
