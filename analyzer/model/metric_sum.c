/* SPDX-License-Identifier: Apache-2.0 */
#include "model/metric_sum.h"

#include <stdlib.h>
#include <string.h>

#include "model/lives.h"
#include "model/metric.h"
#include "base/xalloc.h"

#define STATE(name) (1U << EXP_STATE_##name)

static const struct sum {
	const char *name, *label;
	unsigned states; /* a bit each */
	bool cpu;        /* and CPU time */
} sums[METRIC_SUMS] = {
	{ "owait", "Other Wait Time",
	  STATE(DISK) | STATE(NETWORK) | STATE(PIPE) | STATE(POLL) | STATE(CHILD) |
		  STATE(TIMER) | STATE(OTHER),
	  false },
	{ "total", "Total Thread Time",
	  STATE(OTHER) | (STATE(OTHER) - 1) | STATE(UNKNOWN), true },
};

static const struct sum *find_sum(const char *name)
{
	for (size_t i = 0; i < METRIC_SUMS; i++)
		if (!strcasecmp(sums[i].name, name))
			return &sums[i];
	return NULL;
}

/* A metric of states; MODEL_NONE: there is none. */
static uint32_t any_state(const struct model *model)
{
	for (uint32_t m = 0; m < model->metrics.len; m++)
		if (model->metrics.data[m].state)
			return m;
	return MODEL_NONE;
}

static bool has_metric(const struct model *model, const char *name)
{
	vec_for_each(const struct metric, m, &model->metrics)
		if (!strcasecmp(model_string(model, m->id), name))
			return true;
	return false;
}

static bool is_possible(const struct model *model, uint32_t cpu, const struct sum *sum)
{
	return any_state(model) != MODEL_NONE && (!sum->cpu || cpu != MODEL_NONE) &&
	       !has_metric(model, sum->name);
}

bool metric_sum_has(const struct model *model, uint32_t cpu, const char *name)
{
	const struct sum *sum = find_sum(name);

	return sum && is_possible(model, cpu, sum);
}

/* Nanoseconds of the program's CPU time behind a sample. */
static double ns_per_sample(const struct metric *cpu)
{
	double ns = cpu->clock ? 1 : metric_seconds(cpu) * 1e9;

	return cpu->all.samples ? ns * cpu->scale * (double)cpu->all.weight /
					  (double)cpu->all.samples
				: 0;
}

void metric_sums_add(struct model *model, uint32_t cpu, uint32_t *out)
{
	for (size_t i = 0; i < METRIC_SUMS; i++) {
		struct metric metric;

		out[i] = MODEL_NONE;
		if (!is_possible(model, cpu, &sums[i]))
			continue;
		metric = model->metrics.data[any_state(model)];
		metric.id = strtab_intern(&model->strings, sums[i].name);
		metric.label = strtab_intern(&model->strings, sums[i].label);
		metric.total = metric.all = (struct value){ 0 };
		metric.split = metric.sum = true;
		if (sums[i].cpu) {
			metric.each = ns_per_sample(&model->metrics.data[cpu]);
			metric.known = model->metrics.data[cpu].known;
			metric.exact = metric.state = metric.each <= 0;
		}
		out[i] = (uint32_t)model->metrics.len;
		*vec_push(&model->metrics) = metric;
		model->splits++;
	}
}

/* The factor to nanoseconds if an event is in SUM; 0: it is not. */
static double factor_of(const struct model *model, const struct source *source,
			uint32_t cpu, const struct sum *sum, size_t event,
			enum exp_state state)
{
	const struct exp_event *e = &source->exp->log.events.data[event];
	double scale;

	if (state < EXP_STATES)
		return sum->states & 1U << state ? 1 : 0;
	if (!sum->cpu || source->metric[event] != cpu)
		return 0;
	scale = model->metrics.data[cpu].scale;
	return strcmp(e->unit, "ns") != 0 ? scale * 1e9 / e->hz : scale;
}

void metric_sums_divide(const struct model *model, struct source *source, uint32_t cpu,
			const uint32_t *sum)
{
	const size_t events = source->exp->log.events.len;
	enum exp_state *states = source_states(source);
	struct division *to = &source->division;
	uint32_t next = 0;

	to->sums = xcalloc(events * METRIC_SUMS + 1, sizeof(*to->sums));
	to->sum_first = xcalloc(events + 2, sizeof(*to->sum_first));
	for (size_t e = 0; e < events; e++) {
		for (size_t i = 0; i < METRIC_SUMS; i++) {
			double factor = factor_of(model, source, cpu, &sums[i], e,
						  states[e]);

			if (sum[i] == MODEL_NONE || factor <= 0)
				continue;
			to->sums[next++] = (struct division_part){
				.column = (uint32_t)(events + to->count),
				.counted = !sums[i].cpu || states[e] == EXP_STATES,
				.factor = factor,
			};
			source->metric[events + to->count] = sum[i];
			to->event[to->count++] = (uint32_t)e;
		}
		to->sum_first[e + 1] = next;
	}
	free(states);
}

void metric_sums_possible(const struct model *model, uint32_t cpu,
			  void (*offer)(void *ctx, const struct split_offer *split),
			  void *ctx)
{
	for (size_t i = 0; i < METRIC_SUMS; i++)
		if (is_possible(model, cpu, &sums[i]))
			offer(ctx, &(struct split_offer){ .name = sums[i].name,
							  .label = sums[i].label,
							  .whole = any_state(model) });
}

bool metric_sum_explain(const struct model *model, const char *name, struct strbuf *err)
{
	const struct sum *sum = find_sum(name);

	if (!sum)
		return false;
	strbuf_addf(err, "%s is a sum of the states of threads", sum->name);
	if (any_state(model) == MODEL_NONE)
		strbuf_addstr(err, ", which the recording does not have; collect -w on "
				   "records them");
	else
		strbuf_addstr(err, " and CPU time, which the recording lacks, or "
				   "only that of user or kernel mode");
	return true;
}
