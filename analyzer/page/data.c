/* SPDX-License-Identifier: Apache-2.0 */
#include "page/data.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum {
	NODES_MOST = 200000,
	ENTRIES_MOST = 250000, /* two bytes each, about */
	SAMPLES_AN_ENTRY = 8,  /* for recordings of so many that this gives more */
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

void page_data_read(struct page_data *out, struct session *s)
{
	size_t entries = count_samples(&s->model) / SAMPLES_AN_ENTRY;

	*out = (struct page_data){ .session = s };
	session_analysis(s, ANALYSIS_SUMS);
	out->metric = first_metric(s);
	page_stacks_build(&out->stacks, s, out->metric, NODES_MOST);
	page_times_read(&out->times, s, &out->stacks,
			entries > ENTRIES_MOST ? entries : ENTRIES_MOST);
	out->slots = xcalloc(s->model.metrics.len + 1, sizeof(*out->slots));
	for (uint32_t m = 0; m < s->model.metrics.len; m++)
		page_slots_write(&out->slots[m], &out->times, &out->stacks, m);
}

void page_data_release(struct page_data *data)
{
	for (size_t m = 0; m < data->session->model.metrics.len; m++)
		page_slots_release(&data->slots[m]);
	free(data->slots);
	page_times_release(&data->times);
	page_stacks_release(&data->stacks);
}

void page_data_notes(const struct page_data *data, struct strbuf *out)
{
	const struct page_stacks *stacks = &data->stacks;
	const struct metric *metric;

	if (!stacks->merged)
		return;
	metric = &data->session->model.metrics.data[data->metric];
	strbuf_addf(out,
		    "%zu of the smallest branches of call stacks, with %.2f %% of %s, "
		    "are shown as <Merged>, to keep this page small.\n",
		    stacks->merged,
		    estimate_of(metric, stacks->merged_value, metric->total).percent,
		    model_string(&data->session->model, metric->label));
}
