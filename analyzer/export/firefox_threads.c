/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the Firefox Profiler's format: samples, by thread and metric. */
#include "export/firefox.h"

#include <inttypes.h>

#include "export/export.h"
#include "model/moments.h"

/* Milliseconds, exactly. */
static void put_ms(const struct firefox *x, uint64_t ns)
{
	fprintf(x->file, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

/* A timeline to be written. */
struct line {
	const struct timeline *timeline;
	const uint32_t *leaf; /* node → stack */
	size_t metric;
};

static void put_samples(const struct firefox *x, const struct line *line)
{
	const struct timeline *timeline = line->timeline;
	bool clock = x->model->metrics.data[line->metric].clock;
	const char *part = "";

	fputs("\"samples\":{\"stack\":[", x->file);
	vec_for_each(const struct moment, m, &timeline->moments) {
		fprintf(x->file, "%s%" PRIu32, part, line->leaf[m->node]);
		part = ",";
	}
	part = "],\"time\":[";
	vec_for_each(const struct moment, m, &timeline->moments) {
		fputs(part, x->file);
		put_ms(x, m->time_ns);
		part = ",";
	}
	part = "],\"weight\":[";
	vec_for_each(const struct moment, m, &timeline->moments) {
		uint64_t weight = export_scaled(x->session, line->metric, m->weight);

		fputs(part, x->file);
		if (clock)
			put_ms(x, weight);
		else
			fprintf(x->file, "%" PRIu64, weight);
		part = ",";
	}
	fprintf(x->file, "],\"weightType\":\"%s\",", clock ? "tracing-ms" : "samples");
	firefox_put_length(x, timeline->moments.len);
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

/* "71", then "71.1": these must be unique, and the kernel reuses numbers. */
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
		       const struct exp_thread *thread, const struct line *line)
{
	const struct exp_process *process = &exp->processes.data[thread->process];
	const struct metric *metric = &x->model->metrics.data[line->metric];

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
	put_samples(x, line);
	fputs(",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
	      "\"phase\":[],\"category\":[],\"length\":0}}",
	      x->file);
}

static void put_source_threads(struct firefox *x, size_t index,
			       const struct frame_map *frames)
{
	const struct experiment *exp = x->model->sources.data[index].exp;
	size_t metrics = x->model->metrics.len;
	struct moments moments;

	moments_read(&moments, x->model, index, frames);
	for (size_t i = 0; i < moments.count; i++) {
		struct line line = { &moments.lines[i], x->leaf[index], i % metrics };

		if (line.timeline->moments.len)
			put_thread(x, exp, &exp->threads.data[i / metrics], &line);
	}
	moments_release(&moments);
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
