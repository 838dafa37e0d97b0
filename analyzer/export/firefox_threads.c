/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the Firefox Profiler's format: samples, by thread and metric. */
#include "export/firefox.h"

#include <inttypes.h>
#include <stdlib.h>

#include "export/export.h"
#include "filter/run.h"
#include "base/xalloc.h"

struct moment {
	uint64_t time_ns, weight;
	uint32_t stack;
};

struct timeline {
	VEC(struct moment) moments;
};

/* Milliseconds, exactly. */
static void put_ms(const struct firefox *x, uint64_t ns)
{
	fprintf(x->file, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

/* Of all samples that count; LINES has a place for each thread and metric. */
static void read_moments(const struct firefox *x, size_t index,
			 const struct filter_run *filter, struct timeline *lines)
{
	const struct source *source = &x->model->sources.data[index];
	size_t metrics = x->model->metrics.len;
	struct exp_walk walk = { 0 };
	struct exp_samples s;
	int more;

	while ((more = experiment_next(source->exp, &walk, &s)) != 0)
		for (size_t i = 0; more > 0 && i < s.count; i++) {
			size_t metric = source->metric[s.event[i]];
			struct timeline *line = &lines[s.thread[i] * metrics + metric];

			if (filter && !filter_admits(filter, &s, i))
				continue;
			*vec_push(&line->moments) = (struct moment){
				.time_ns = s.time_ns[i],
				.weight = export_scaled(x->session, metric, s.weight[i]),
				.stack = x->leaf[index][s.node[i]],
			};
		}
	exp_walk_release(&walk);
}

static void put_samples(const struct firefox *x, const struct timeline *line, bool clock)
{
	const char *part = "";

	fputs("\"samples\":{\"stack\":[", x->file);
	vec_for_each(const struct moment, m, &line->moments) {
		fprintf(x->file, "%s%" PRIu32, part, m->stack);
		part = ",";
	}
	part = "],\"time\":[";
	vec_for_each(const struct moment, m, &line->moments) {
		fputs(part, x->file);
		put_ms(x, m->time_ns);
		part = ",";
	}
	part = "],\"weight\":[";
	vec_for_each(const struct moment, m, &line->moments) {
		fputs(part, x->file);
		if (clock)
			put_ms(x, m->weight);
		else
			fprintf(x->file, "%" PRIu64, m->weight);
		part = ",";
	}
	fprintf(x->file, "],\"weightType\":\"%s\",", clock ? "tracing-ms" : "samples");
	firefox_put_length(x, line->moments.len);
}

/* "worker", and where there are several metrics "worker (cycles)". */
static void put_thread_name(const struct firefox *x, const char *name,
			    const struct metric *metric)
{
	struct strbuf text = { 0 };

	strbuf_addstr(&text, name);
	if (x->model->metrics.len > 1)
		strbuf_addf(&text, " (%s)", model_string(x->model, metric->id));
	export_json_text(strbuf_str(&text), x->file);
	strbuf_release(&text);
}

/* "71", and after that "71.1": no two may be the same, but threads change their names. */
static void put_tid(struct firefox *x, int64_t tid)
{
	uint32_t before = idmap_get(&x->tids, (uint64_t)tid, 0);
	uint32_t times = before == IDMAP_NONE ? 0 : before + 1;

	idmap_set(&x->tids, (uint64_t)tid, 0, times);
	fprintf(x->file, "\"%" PRId64, tid);
	if (times)
		fprintf(x->file, ".%" PRIu32, times);
	putc('"', x->file);
}

static void put_thread(struct firefox *x, const struct experiment *exp,
		       const struct exp_thread *thread, const struct metric *metric,
		       const struct timeline *line)
{
	const struct exp_process *process = &exp->processes.data[thread->process];

	fputs(x->any_threads ? ",\n{" : "\n{", x->file);
	x->any_threads = true;
	fprintf(x->file,
		"\"processType\":\"default\",\"processStartupTime\":0,"
		"\"processShutdownTime\":null,\"registerTime\":0,"
		"\"unregisterTime\":null,\"pausedRanges\":[],\"isMainThread\":%s,"
		"\"pid\":\"%" PRId64 "\",\"tid\":",
		process->pid == thread->tid ? "true" : "false", process->pid);
	put_tid(x, thread->tid);
	fputs(",\"processName\":", x->file);
	export_json_text(experiment_string(exp, process->name), x->file);
	fputs(",\"name\":", x->file);
	put_thread_name(x, experiment_string(exp, thread->name), metric);
	fputs(",\n", x->file);
	put_samples(x, line, metric->clock);
	fputs(",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
	      "\"phase\":[],\"category\":[],\"length\":0}}",
	      x->file);
}

static void put_source_threads(struct firefox *x, size_t index,
			       const struct frame_map *frames)
{
	const struct experiment *exp = x->model->sources.data[index].exp;
	size_t metrics = x->model->metrics.len, count = exp->threads.len * metrics;
	bool filtered = filter_is_set(&x->model->filter);
	struct timeline *lines = xcalloc(count, sizeof(*lines));
	struct filter_run run;

	if (filtered)
		filter_run_init(&run, &x->model->filter, x->model, (uint32_t)index,
				frames);
	read_moments(x, index, filtered ? &run : NULL, lines);
	if (filtered)
		filter_run_release(&run);
	for (size_t i = 0; i < count; i++) {
		if (lines[i].moments.len)
			put_thread(x, exp, &exp->threads.data[i / metrics],
				   &x->model->metrics.data[i % metrics], &lines[i]);
		vec_release(&lines[i].moments);
	}
	free(lines);
}

void firefox_put_threads(struct firefox *x)
{
	struct frame_map frames;

	session_frames(x->session, &frames);
	fputs("\"threads\":[", x->file);
	for (size_t s = 0; s < x->model->sources.len; s++)
		put_source_threads(x, s, &frames);
	fputs("\n]}\n", x->file);
	frame_map_release(&frames);
}
