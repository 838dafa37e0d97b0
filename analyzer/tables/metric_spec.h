/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of the commands metrics and sort: which columns a table has.
 *
 *	SPEC	ITEM[:ITEM…]
 *	ITEM		FLAVORS VISIBILITY NAME, or default, name, size, address
 *	FLAVORS		one or more of e, i, a
 *	VISIBILITY	one or more of . (time) + (count) % (share), or ! (not shown)
 *
 * NAME is the id of a metric, of a part of one (split.h) or of a ratio (ratio.h), or all,
 * hwc (every hardware counter) or derived (every ratio): "ie.%cycles:e.IPC:name".  A ratio has a value, which
 * any visibility but ! shows, and no share.
 */
#ifndef METRIC_SPEC_H
#define METRIC_SPEC_H

#include <stdbool.h>

#include "model/metric.h"
#include "model/model.h"
#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

enum metric_field {
	FIELD_METRIC,
	FIELD_RATIO,
	FIELD_NAME,
	FIELD_SIZE,
	FIELD_ADDRESS,
	METRIC_FIELDS
};

extern const char *const metric_field_names[METRIC_FIELDS]; /* from FIELD_NAME on */

struct metric_item {
	enum metric_field field;
	/* of FIELD_METRIC and FIELD_RATIO */
	enum flavor flavor;
	uint32_t metric; /* or ratio */
	unsigned show;   /* SHOW_…; 0: hidden; of a ratio SHOW_TIME is its value */
};

/* Whether it is a measured number of the row, not a property of it. */
static inline bool metric_item_is_value(const struct metric_item *item)
{
	return item->field <= FIELD_RATIO;
}

struct metric_list {
	struct metric_item *data;
	size_t len, cap;
};

struct sort_key {
	struct metric_item by;
	bool reverse;
};

/*
 * Exclusive and inclusive of every metric, value and share; no ratios.  Of states of
 * threads only those with 1 % of all threads' time, without shares.
 */
void metric_list_default(const struct model *model, struct metric_list *out);

/* All displayable parts of a metric: SHOW_… */
unsigned metric_shows(const struct metric *metric);

/*
 * Gives the names in SPEC, of metrics or of a sort key, to TAKES until it returns true.
 * Returns whether it did.
 */
typedef bool metric_name_fn(void *ctx, const char *name);
bool metric_list_names(const char *spec, metric_name_fn *takes, void *ctx);

/* 0, or a negative code with a sentence in ERR, and OUT unchanged. */
int metric_list_parse(const struct model *model, const char *spec,
		      struct metric_list *out, struct strbuf *err)
	__attribute__((warn_unused_result));

/* [-]FLAVOR[VISIBILITY]NAME or [-]name|size|address.  The same. */
int sort_key_parse(const struct model *model, const char *text, struct sort_key *out,
		   struct strbuf *err) __attribute__((warn_unused_result));

/* The default sort key: the first displayed item. */
struct sort_key sort_key_default(const struct metric_list *list);

/*
 * The metric of ITEM: for a ratio its divisor; for an item that is no value, the first
 * metric.  False: there is no metric at all.
 */
bool metric_item_base(const struct model *model, const struct metric_item *item,
		      uint32_t *out) __attribute__((warn_unused_result));

/* "e.%cycles" */
void metric_item_spell(const struct model *model, const struct metric_item *item,
		       struct strbuf *out);

/* The same of a metric by its name. */
void metric_name_spell(enum flavor flavor, unsigned show, const char *name,
		       struct strbuf *out);

/* "Exclusive Total CPU Time" */
void metric_item_title(const struct model *model, const struct metric_item *item,
		       struct strbuf *out);

/* The same, and ", reversed" if it is. */
void sort_key_title(const struct model *model, const struct sort_key *sort,
		    struct strbuf *out);

#endif
