/* SPDX-License-Identifier: Apache-2.0 */
#include "tables/metric_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "model/ratio.h"
#include "model/split.h"
#include "model/lives.h"

const char *const metric_field_names[METRIC_FIELDS] = {
	[FIELD_NAME] = "name",
	[FIELD_SIZE] = "size",
	[FIELD_ADDRESS] = "address",
};

static const struct {
	char letter;
	unsigned show;
} visibilities[] = {
	{ '.', SHOW_TIME },
	{ '+', SHOW_COUNT },
	{ '%', SHOW_PERCENT },
	{ '!', 0 },
};

#define VISIBILITIES (sizeof(visibilities) / sizeof(visibilities[0]))

/* ---- the parts of a metric ---- */

/* For an event without time, time means the count; a clock has only its time. */
static unsigned possible_show(const struct metric *metric, unsigned show)
{
	bool value = show & (SHOW_TIME | SHOW_COUNT);

	if (metric_seconds(metric) <= 0)
		show = (show & ~(unsigned)SHOW_TIME) | (value ? SHOW_COUNT : 0);
	else if (metric->clock)
		show = (show & ~(unsigned)SHOW_COUNT) | (value ? SHOW_TIME : 0);
	return show;
}

unsigned metric_shows(const struct metric *metric)
{
	return possible_show(metric, SHOW_TIME | SHOW_COUNT | SHOW_PERCENT);
}

static void add_metric(const struct model *model, struct metric_list *list,
		       enum flavor flavor, uint32_t metric, unsigned show)
{
	*vec_push(list) = (struct metric_item){
		.field = FIELD_METRIC,
		.flavor = flavor,
		.metric = metric,
		.show = possible_show(&model->metrics.data[metric], show),
	};
}

static void add_ratio(struct metric_list *list, enum flavor flavor, uint32_t ratio,
		      unsigned show)
{
	*vec_push(list) = (struct metric_item){
		.field = FIELD_RATIO,
		.flavor = flavor,
		.metric = ratio,
		.show = show ? SHOW_TIME : 0,
	};
}

bool metric_item_base(const struct model *model, const struct metric_item *item,
		      uint32_t *out)
{
	*out = 0;
	if (item->field == FIELD_RATIO)
		*out = model->ratios.data[item->metric].bottom;
	else if (item->field == FIELD_METRIC)
		*out = item->metric;
	return *out < model->metrics.len;
}

/* ---- parsing ---- */

/* Tests for the words that mean several metrics. */
static bool is_recorded(const struct metric *metric)
{
	return !metric->split;
}

static bool is_counter(const struct metric *metric)
{
	return !metric->clock && !metric->split;
}

static bool is_none(const struct metric *metric)
{
	return !metric;
}

static const struct keyword {
	const char *name;
	bool (*takes)(const struct metric *metric);
	bool ratios, defaults;
} keywords[] = {
	{ "default", is_recorded, false, true }, { "all", is_recorded, false, false },
	{ "any", is_recorded, false, false },    { "hwc", is_counter, false, false },
	{ "derived", is_none, true, false },
};

#define KEYWORDS (sizeof(keywords) / sizeof(keywords[0]))

static const struct keyword *find_keyword(const char *name)
{
	for (size_t i = 0; i < KEYWORDS; i++)
		if (!strcasecmp(keywords[i].name, name))
			return &keywords[i];
	return NULL;
}

/* Studio's words for states of threads. */
static const struct {
	const char *word, *id;
} aliases[] = {
	{ "ulock", "lock" },
	{ "data", "datafault" },
	{ "text", "textfault" },
	{ "stop", "stopped" },
};

static const char *metric_id(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcasecmp(aliases[i].word, name))
			return aliases[i].id;
	return name;
}

static uint32_t find_id(const struct model *model, const char *name)
{
	for (uint32_t i = 0; i < model->metrics.len; i++)
		if (!strcasecmp(model_string(model, model->metrics.data[i].id), name))
			return i;
	return MODEL_NONE;
}

/* A recorded id precedes a word for another. */
static uint32_t find_metric(const struct model *model, const char *name)
{
	uint32_t metric = find_id(model, name);

	return metric != MODEL_NONE ? metric : find_id(model, metric_id(name));
}

static uint32_t find_ratio(const struct model *model, const char *name)
{
	for (uint32_t i = 0; i < model->ratios.len; i++)
		if (!strcasecmp(model_string(model, model->ratios.data[i].id), name))
			return i;
	return MODEL_NONE;
}

/* "the recording has totalcpu, insts" */
static void join_metrics(const struct model *model, struct strbuf *err)
{
	const char *before = "";

	strbuf_addstr(err, model->metrics.len ? "the recording has "
					      : "the recording has none");
	vec_for_each(const struct metric, m, &model->metrics) {
		strbuf_addf(err, "%s%s", before, model_string(model, m->id));
		before = ", ";
	}
}

static int names_none(const struct model *model, const char *spec, struct strbuf *err)
{
	strbuf_addf(err, "'%s' names no metric; ", spec);
	join_metrics(model, err);
	return -EINVAL;
}

static int unknown_metric(const struct model *model, const char *name, struct strbuf *err)
{
	struct nearest near;

	if (!*name)
		return names_none(model, name, err);
	if (ratio_explain(model, name, err) || split_explain(model, name, err))
		return -ENOENT;
	nearest_init(&near, name);
	vec_for_each(const struct ratio, r, &model->ratios)
		nearest_offer(&near, model_string(model, r->id));
	vec_for_each(const struct metric, m, &model->metrics)
		nearest_offer(&near, model_string(model, m->id));
	strbuf_addf(err, "there is no metric '%s'; ", name);
	if (near.count) {
		strbuf_addstr(err, "did you mean ");
		nearest_join(&near, err);
		strbuf_addstr(err, "?");
	} else {
		join_metrics(model, err);
	}
	nearest_release(&near);
	return -ENOENT;
}

struct prefix {
	bool flavors[FLAVORS];
	unsigned show;
	bool visible; /* a visibility was given */
};

/* Flavors and visibility at the start of TEXT.  Returns their length; 0: it has none. */
static size_t read_prefix(const char *text, struct prefix *out)
{
	size_t at = 0, flavors;

	*out = (struct prefix){ 0 };
	for (bool more = true; more; at += more) {
		more = false;
		for (int f = 0; f < FLAVORS; f++)
			if (text[at] && text[at] == flavor_names[f].letter)
				more = out->flavors[f] = true;
	}
	flavors = at;
	for (bool more = true; more; at += more) {
		more = false;
		for (size_t v = 0; v < VISIBILITIES; v++)
			if (text[at] && text[at] == visibilities[v].letter) {
				out->show |= visibilities[v].show;
				out->visible = more = true;
			}
	}
	return flavors && out->visible ? at : 0;
}

static void add_metrics(const struct model *model, struct metric_list *list,
			const struct prefix *prefix, uint32_t metric)
{
	for (int f = 0; f < FLAVORS; f++)
		if (prefix->flavors[f])
			add_metric(model, list, (enum flavor)f, metric, prefix->show);
}

static void add_ratios(struct metric_list *list, const struct prefix *prefix,
		       uint32_t ratio)
{
	for (int f = 0; f < FLAVORS; f++)
		if (prefix->flavors[f])
			add_ratio(list, (enum flavor)f, ratio, prefix->show);
}

/* Of the states only those with a hundredth of the threads' time. */
static bool is_default(const struct metric *metric, uint64_t life_ns)
{
	return !metric->state || metric->all.weight >= life_ns / 100;
}

static void add_keyword(const struct model *model, struct metric_list *list,
			const struct prefix *prefix, const struct keyword *keyword)
{
	uint64_t life = keyword->defaults ? model_life_ns(model) : 0;

	for (uint32_t i = 0; i < model->metrics.len; i++)
		if (keyword->takes(&model->metrics.data[i]) &&
		    (!keyword->defaults || is_default(&model->metrics.data[i], life)))
			add_metrics(model, list, prefix, i);
	for (uint32_t i = 0; keyword->ratios && i < model->ratios.len; i++)
		add_ratios(list, prefix, i);
}

static void add_defaults(const struct model *model, struct metric_list *list)
{
	uint64_t life = model_life_ns(model);

	for (uint32_t i = 0; i < model_recorded(model); i++) {
		const struct metric *m = &model->metrics.data[i];

		for (int f = EXCLUSIVE; f <= INCLUSIVE && is_default(m, life); f++)
			add_metric(model, list, (enum flavor)f, i,
				   m->state ? SHOW_TIME : SHOW_TIME | SHOW_PERCENT);
	}
}

static int parse_item(const struct model *model, const char *text,
		      struct metric_list *list, struct strbuf *err)
{
	struct prefix prefix;
	size_t at = read_prefix(text, &prefix);
	const struct keyword *keyword = find_keyword(text + at);
	uint32_t metric = find_metric(model, text + at);
	uint32_t ratio = find_ratio(model, text + at);

	for (int f = FIELD_NAME; f < METRIC_FIELDS; f++)
		if (!strcasecmp(text, metric_field_names[f])) {
			*vec_push(list) =
				(struct metric_item){ .field = (enum metric_field)f };
			return 0;
		}
	if (!at)
		prefix = (struct prefix){
			.flavors = { [EXCLUSIVE] = true, [INCLUSIVE] = true },
			.show = SHOW_TIME | SHOW_PERCENT
		};
	if (keyword && keyword->defaults && !at)
		add_defaults(model, list);
	else if (keyword)
		add_keyword(model, list, &prefix, keyword);
	else if (metric != MODEL_NONE)
		add_metrics(model, list, &prefix, metric);
	else if (ratio != MODEL_NONE)
		add_ratios(list, &prefix, ratio);
	else
		return unknown_metric(model, text + at, err);
	return 0;
}

bool metric_list_names(const char *spec, metric_name_fn *takes, void *ctx)
{
	struct strbuf item = { 0 };
	bool taken = false;
	struct prefix prefix;

	spec += *spec == '-';
	for (size_t len; !taken && *spec; spec += len + (spec[len] == ':')) {
		len = strcspn(spec, ":");
		strbuf_clear(&item);
		strbuf_add(&item, spec, len);
		if (len)
			taken = takes(ctx, item.data + read_prefix(item.data, &prefix));
	}
	strbuf_release(&item);
	return taken;
}

int metric_list_parse(const struct model *model, const char *spec,
		      struct metric_list *out, struct strbuf *err)
{
	struct metric_list list = { 0 };
	struct strbuf item = { 0 };
	const char *whole = spec;
	int error = 0;

	while (!error) {
		size_t len = strcspn(spec, ":");

		strbuf_clear(&item);
		strbuf_add(&item, spec, len);
		if (len)
			error = parse_item(model, item.data, &list, err);
		if (!spec[len])
			break;
		spec += len + 1;
	}
	if (!error && !list.len) {
		error = names_none(model, whole, err);
	}
	strbuf_release(&item);
	if (error) {
		vec_release(&list);
		return error;
	}
	vec_release(out);
	*out = list;
	return 0;
}

void metric_list_default(const struct model *model, struct metric_list *out)
{
	vec_clear(out);
	add_defaults(model, out);
}

int sort_key_parse(const struct model *model, const char *text, struct sort_key *out,
		   struct strbuf *err)
{
	struct metric_list list = { 0 };
	bool reverse = *text == '-';
	int error = metric_list_parse(model, text + reverse, &list, err);

	if (error)
		return error;
	*out = (struct sort_key){ .by = list.data[0], .reverse = reverse };
	vec_release(&list);
	return 0;
}

struct sort_key sort_key_default(const struct metric_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		if (metric_item_is_value(&list->data[i]) && list->data[i].show)
			return (struct sort_key){ .by = list->data[i] };
	return (struct sort_key){ .by = { .field = FIELD_NAME } };
}

/* ---- spelling ---- */

void metric_name_spell(enum flavor flavor, unsigned show, const char *name,
		       struct strbuf *out)
{
	strbuf_addch(out, flavor_names[flavor].letter);
	for (size_t v = 0; v < VISIBILITIES; v++)
		if (show ? show & visibilities[v].show : !visibilities[v].show)
			strbuf_addch(out, visibilities[v].letter);
	strbuf_addstr(out, name);
}

void metric_item_spell(const struct model *model, const struct metric_item *item,
		       struct strbuf *out)
{
	if (!metric_item_is_value(item)) {
		strbuf_addstr(out, metric_field_names[item->field]);
		return;
	}
	metric_name_spell(
		item->flavor, item->show,
		model_string(model, item->field == FIELD_RATIO
					    ? model->ratios.data[item->metric].id
					    : model->metrics.data[item->metric].id),
		out);
}

void metric_item_title(const struct model *model, const struct metric_item *item,
		       struct strbuf *out)
{
	static const char *const titles[METRIC_FIELDS] = {
		[FIELD_NAME] = "Name",
		[FIELD_SIZE] = "Size",
		[FIELD_ADDRESS] = "Address",
	};

	if (metric_item_is_value(item))
		strbuf_addf(
			out, "%s %s", flavor_names[item->flavor].title,
			model_string(model,
				     item->field == FIELD_RATIO
					     ? model->ratios.data[item->metric].label
					     : model->metrics.data[item->metric].label));
	else
		strbuf_addstr(out, titles[item->field]);
}

void sort_key_title(const struct model *model, const struct sort_key *sort,
		    struct strbuf *out)
{
	metric_item_title(model, &sort->by, out);
	if (sort->reverse)
		strbuf_addstr(out, ", reversed");
}
