/* SPDX-License-Identifier: Apache-2.0 */
#include "page/data.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum {
	NODES_MOST = 200000,
	ENTRIES_MOST = 250000, /* two bytes each, about */
	SAMPLES_AN_ENTRY = 8,  /* for recordings of so many that this gives more */
	RUNS_MOST = 200000,    /* of states; three bytes each, about */
	WAIT_ROWS_MOST = 500,  /* the rest is short */
	WAITS_MOST = 100000,   /* five bytes each, about */
	REGIONS_MOST = 50000,  /* instances; six bytes each, about */
	TAGS_MOST = 50000,     /* besides one a slot; two bytes each, about */
};

static uint64_t count_samples(const struct model *model)
{
	uint64_t samples = 0;

	vec_for_each(const struct metric, metric, &model->metrics)
		samples += metric->total.samples;
	return samples;
}

static uint32_t first_metric(const struct session *s)
{
	struct sort_key sort = session_sort(s);

	return sort.by.field == FIELD_METRIC && sort.by.metric < s->model.metrics.len
		       ? sort.by.metric
		       : 0;
}

/* With places in the code stacks may have half as many more ENTRIES; else they do without. */
static void read_stacks(struct page_data *out, size_t entries)
{
	for (;;) {
		size_t count;

		page_stacks_build(&out->stacks, out->session, &out->strip, &out->places,
				  out->metric, NODES_MOST);
		count = page_times_choose_tick(&out->times, &out->stacks, entries);
		if (count <= entries + entries / 2 || !page_places_any(&out->places))
			return;
		page_stacks_release(&out->stacks);
		page_places_clear(&out->places);
	}
}

void page_data_read(struct page_data *out, struct session *s, bool strip)
{
	size_t entries = count_samples(&s->model) / SAMPLES_AN_ENTRY;

	*out = (struct page_data){ .session = s };
	session_analysis(s, ANALYSIS_SUMS);
	out->metric = first_metric(s);
	page_strip_init(&out->strip, &s->model, strip);
	page_code_read(&out->code, s, out->metric, !strip);
	page_places_read(&out->places, s, &out->code);
	page_times_read(&out->times, s);
	read_stacks(out, entries > ENTRIES_MOST ? entries : ENTRIES_MOST);
	out->slots = xcalloc(s->model.metrics.len + 1, sizeof(*out->slots));
	for (uint32_t m = 0; m < s->model.metrics.len; m++)
		page_slots_write(&out->slots[m], &out->times, &out->stacks, m);
	page_states_read(&out->states, &out->times, RUNS_MOST);
	page_waits_read(&out->waits, s, &out->times, WAIT_ROWS_MOST, WAITS_MOST);
	page_regions_read(&out->regions, s, &out->times, REGIONS_MOST);
	page_tags_read(&out->tags, s, &out->times, &out->regions, out->slots, TAGS_MOST);
}

void page_data_release(struct page_data *data)
{
	for (size_t m = 0; m < data->session->model.metrics.len; m++)
		page_slots_release(&data->slots[m]);
	free(data->slots);
	page_places_release(&data->places);
	page_code_release(&data->code);
	page_tags_release(&data->tags);
	page_regions_release(&data->regions);
	page_waits_release(&data->waits);
	page_states_release(&data->states);
	page_times_release(&data->times);
	page_stacks_release(&data->stacks);
	page_strip_release(&data->strip);
}

static void note_tick(const struct page_data *data, struct strbuf *out)
{
	uint64_t tick_ns = data->times.tick_ns;

	if (tick_ns > PAGE_TICK_LEAST_NS)
		strbuf_addf(out,
			    "Time is in steps of %.4g %s: samples of a thread with the "
			    "same stack "
			    "in one step are one, to keep this page small.\n",
			    (double)tick_ns * (tick_ns < 1000000000 ? 1e-6 : 1e-9),
			    tick_ns < 1000000000 ? "ms" : "s");
}

static void note_regions(const struct page_data *data, struct strbuf *out)
{
	if (data->regions.left_out)
		strbuf_addf(
			out,
			"The %zu shortest instances of regions are not drawn, to keep "
			"this page small.\n",
			data->regions.left_out);
}

static void note_scaled(const struct page_data *data, struct strbuf *out)
{
	const struct model *model = &data->session->model;

	vec_for_each(const struct metric, metric, &model->metrics)
		if (metric->mean_scale > 1)
			strbuf_addf(out,
				    "~: %s was counted %.1f %% of the time and scaled.\n",
				    model_string(model, metric->id),
				    100 / metric->mean_scale);
}

void page_data_notes(const struct page_data *data, struct strbuf *out)
{
	const struct page_stacks *stacks = &data->stacks;
	const struct metric *metric;

	note_regions(data, out);
	note_scaled(data, out);
	if (!stacks->merged) {
		note_tick(data, out);
		return;
	}
	metric = &data->session->model.metrics.data[data->metric];
	strbuf_addf(out,
		    "%zu of the smallest branches of call stacks, with %.2f %% of %s, "
		    "are shown as <Merged>, to keep this page small.\n",
		    stacks->merged,
		    estimate_of(metric, stacks->merged_value, metric->total).percent,
		    model_string(&data->session->model, metric->label));
	note_tick(data, out);
}
