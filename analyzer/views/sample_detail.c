/* SPDX-License-Identifier: Apache-2.0 */
/* sample_detail: a second of the run, or all of them in a row each. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/aggregate.h"
#include "model/unsampled.h"
#include "model/metric.h"
#include "model/sample_walk.h"
#include "tables/fields.h"
#include "views/views.h"

enum { NS_PER_SECOND = 1000000000 };

/* What happened in a second of a source. */
struct second {
	struct value *of; /* by metric */
	bool *threads, *processes;
	bool *unsampled; /* by node */
	size_t thread_count, process_count;
	uint64_t lost; /* records */
};

static void see(bool *seen, size_t *count, size_t which)
{
	*count += !seen[which];
	seen[which] = true;
}

static void add_sample(struct second *out, const struct source *source,
		       const struct exp_samples *s, size_t i)
{
	const struct exp_thread *thread = &source->exp->threads.data[s->thread[i]];

	aggregate_sample(out->of, source, out->unsampled, s, i);
	see(out->threads, &out->thread_count, thread->last);
	see(out->processes, &out->process_count, thread->process);
}

static void read_second(struct second *out, struct session *s, size_t index,
			size_t second)
{
	const struct source *source = &s->model.sources.data[index];
	const struct experiment *exp = source->exp;
	struct frame_map frames;
	struct sample_walk walk;

	*out = (struct second){
		.of = xcalloc(s->model.metrics.len + 1, sizeof(*out->of)),
		.threads = xcalloc(exp->threads.len + 1, sizeof(*out->threads)),
		.processes = xcalloc(exp->processes.len + 1, sizeof(*out->processes)),
		.unsampled = unsampled_nodes(exp),
	};
	session_frames(s, &frames);
	sample_walk_init(&walk, &s->model, index, &frames);
	while (sample_walk_next(&walk))
		if (walk.block.time_ns[walk.at] / NS_PER_SECOND == second - 1)
			add_sample(out, source, &walk.block, walk.at);
	sample_walk_release(&walk);
	frame_map_release(&frames);
	vec_for_each(const struct exp_loss, loss, &exp->losses)
		if (loss->time_ns / NS_PER_SECOND == second - 1)
			out->lost += loss->count;
}

static void second_release(struct second *second)
{
	free(second->of);
	free(second->threads);
	free(second->processes);
	free(second->unsampled);
}

static void add_metrics(struct table *table, const struct model *model, size_t n,
			const struct second *second)
{
	for (size_t m = 0; m < model->metrics.len; m++) {
		const struct metric *metric = &model->metrics.data[m];
		struct estimate e = estimate_of(metric, second->of[m], metric->total);
		double seconds = metric_seconds(metric);
		struct strbuf text = { 0 };

		if (seconds > 0)
			strbuf_addf(&text, "%.3f s", e.amount * seconds);
		if (!metric->clock)
			strbuf_addf(&text, "%s%.0f %s", seconds > 0 ? ", " : "", e.amount,
				    metric_unit(model, metric));
		fields_add(table, n, model_string(model, metric->label),
			   "%s, %llu sample%s", strbuf_str(&text),
			   (unsigned long long)e.samples, e.samples == 1 ? "" : "s");
		strbuf_release(&text);
	}
}

static int show_second(struct session *s, size_t source, size_t number)
{
	struct table table;
	struct second second;
	char *title = xasprintf("Second %zu of %s", number,
				s->model.sources.data[source].exp->path);

	read_second(&second, s, source, number);
	fields_init(&table, "sample_detail", title);
	fields_add(&table, source + 1, "Time", "from %zu s to %zu s", number - 1, number);
	add_metrics(&table, &s->model, source + 1, &second);
	fields_add(&table, source + 1, "Processes with samples", "%zu",
		   second.process_count);
	fields_add(&table, source + 1, "Threads with samples", "%zu",
		   second.thread_count);
	fields_add(&table, source + 1, "Lost records", "%llu",
		   (unsigned long long)second.lost);
	second_release(&second);
	free(title);
	return session_show(s, &table);
}

/* How many seconds any experiment has. */
static size_t count_seconds(const struct model *model)
{
	uint64_t last_ns = 0;

	vec_for_each(const struct source, source, &model->sources)
		if (source->totals.last_ns > last_ns)
			last_ns = source->totals.last_ns;
	return (size_t)(last_ns / NS_PER_SECOND) + 1;
}

static int run_sample_detail(struct session *s, int argc, char **argv, struct strbuf *err)
{
	size_t number, count = count_seconds(&s->model);
	int error = 0;

	if (!argc)
		return cmd_seconds.run(s, argc, argv, err);
	if (!command_number(argv[0], &number) || !number || number > count) {
		strbuf_addf(err, "sample_detail takes a second from 1 to %zu, not '%s'",
			    count, argv[0]);
		return CMD_USAGE;
	}
	for (size_t i = 0; i < s->model.sources.len && !error; i++)
		error = show_second(s, i, number);
	return command_shown(s, error, err);
}

const struct cmd cmd_sample_detail = {
	.name = "sample_detail",
	.args = "[N]",
	.help = "the second N in detail; without N as seconds",
	.example = "sample_detail 1",
	.run = run_sample_detail,
};
