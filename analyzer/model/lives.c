/* SPDX-License-Identifier: Apache-2.0 */
#include "model/lives.h"

#include <stdlib.h>

#include "base/xalloc.h"

bool source_has_lives(const struct source *source)
{
	return source->exp->lives.len > 0;
}

bool model_has_lives(const struct model *model, struct strbuf *err)
{
	for (size_t i = 0; i < model->sources.len; i++) {
		const struct source *source = &model->sources.data[i];

		if (source_has_lives(source))
			continue;
		strbuf_addf(err,
			    "%s does not have the states of threads; record it with "
			    "collect -w on",
			    source->exp->path);
		return false;
	}
	return true;
}

enum exp_state *source_states(const struct source *source)
{
	const struct exp_log *log = &source->exp->log;
	enum exp_state *states = xcalloc(log->events.len + 1, sizeof(*states));

	for (size_t e = 0; e < log->events.len; e++)
		states[e] = exp_state_find(log->events.data[e].state);
	return states;
}

uint64_t model_life_ns(const struct model *model)
{
	uint64_t sum = 0;

	vec_for_each(const struct source, source, &model->sources)
		vec_for_each(const struct exp_life, life, &source->exp->lives)
			weight_add(&sum, life->to_ns - life->from_ns);
	return sum;
}

/* What no wait fills; 0 for a crafted recording whose waits exceed the life. */
void thread_time_find_cpu(struct thread_time *time)
{
	uint64_t waited = 0;

	for (int s = 0; s < EXP_STATES; s++)
		weight_add(&waited, time->state_ns[s]);
	time->cpu_ns = waited < time->life_ns ? time->life_ns - waited : 0;
}

struct thread_time *thread_times(const struct source *source)
{
	const struct experiment *exp = source->exp;
	const struct totals *totals = &source->totals;
	struct thread_time *times = xcalloc(exp->threads.len + 1, sizeof(*times));
	enum exp_state *states = source_states(source);

	for (size_t e = 0; e < exp->log.events.len; e++) {
		enum exp_state state = states[e];

		for (size_t t = 0; t < totals->threads && state < EXP_STATES; t++)
			weight_add(&times[exp->threads.data[t].last].state_ns[state],
				   totals->thread[e * totals->threads + t].weight);
	}
	vec_for_each(const struct exp_life, life, &exp->lives)
		weight_add(&times[exp->threads.data[life->thread].last].life_ns,
			   life->to_ns - life->from_ns);
	for (size_t t = 0; t < exp->threads.len; t++)
		thread_time_find_cpu(&times[t]);
	free(states);
	return times;
}

bool *threads_alive(const struct experiment *exp)
{
	bool *alive = xcalloc(exp->threads.len + 1, sizeof(*alive));

	vec_for_each(const struct exp_life, life, &exp->lives)
		alive[exp->threads.data[life->thread].last] = true;
	return alive;
}

bool *threads_admitted(const struct model *model, const struct source *source)
{
	const struct totals *totals = source_totals(model, source);
	bool all = !filter_is_set(&model->filter);
	bool *admitted = xcalloc(source->exp->threads.len + 1, sizeof(*admitted));

	for (size_t e = 0; e < totals->events; e++)
		for (size_t t = 0; t < totals->threads; t++)
			if (all || value_is_any(totals->thread[e * totals->threads + t]))
				admitted[source->exp->threads.data[t].last] = true;
	return admitted;
}

void thread_time_add(struct thread_time *to, const struct thread_time *time)
{
	weight_add(&to->life_ns, time->life_ns);
	weight_add(&to->cpu_ns, time->cpu_ns);
	for (int s = 0; s < EXP_STATES; s++)
		weight_add(&to->state_ns[s], time->state_ns[s]);
}
