/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the Firefox Profiler's format: samples, by thread and metric. */
#include "export/firefox_parts.h"

#include <inttypes.h>

#include "export/export.h"
#include "model/moments.h"

void firefox_put_ms(struct firefox *x, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, ns / 1000000,
		 ns % 1000000);
	json_ready(&x->json, text);
}

/* A timeline to write. */
struct line {
	const struct timeline *timeline;
	const uint32_t *leaf; /* node → stack */
	size_t source, metric;
	uint32_t
		marked; /* the thread, if this line has its markers, or FIREFOX_NO_THREAD */
};

static void put_stack(struct firefox *x, const struct line *line, const struct moment *m)
{
	json_unsigned(&x->json, line->leaf[m->node]);
}

static void put_time(struct firefox *x, const struct line *line, const struct moment *m)
{
	(void)line;
	firefox_put_ms(x, m->time_ns);
}

static void put_weight(struct firefox *x, const struct line *line, const struct moment *m)
{
	uint64_t weight = export_scaled(x->session, line->metric, m->weight);

	if (x->model->metrics.data[line->metric].clock)
		firefox_put_ms(x, weight);
	else
		json_unsigned(&x->json, weight);
}

static void put_samples(struct firefox *x, const struct line *line)
{
	static const struct {
		const char *name;
		void (*put)(struct firefox *x, const struct line *line,
			    const struct moment *m);
	} columns[] = { { "stack", put_stack },
			{ "time", put_time },
			{ "weight", put_weight } };
	const struct timeline *timeline = line->timeline;
	bool clock = x->model->metrics.data[line->metric].clock;

	json_line(&x->json);
	json_key(&x->json, "samples");
	json_begin_object(&x->json);
	for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++) {
		json_key(&x->json, columns[c].name);
		json_begin_array(&x->json);
		vec_for_each(const struct moment, m, &timeline->moments) {
			columns[c].put(x, line, m);
			stream_pass(x->json.out);
		}
		json_end(&x->json);
	}
	json_key(&x->json, "weightType");
	json_text(&x->json, clock ? "tracing-ms" : "samples");
	firefox_put_length(x, timeline->moments.len);
}

/* "worker", or with samples of one of several metrics "worker (cycles)". */
static void put_thread_name(struct firefox *x, const char *name,
			    const struct metric *metric, const struct line *line)
{
	struct strbuf text = { 0 };

	strbuf_addstr(&text, name);
	if (x->model->metrics.len > 1 && line->timeline->moments.len)
		strbuf_addf(&text, " (%s)", model_string(x->model, metric->id));
	json_text(&x->json, strbuf_str(&text));
	strbuf_release(&text);
}

/* "71", then "71.1": these must be unique, and the kernel reuses numbers. */
static void put_tid(struct firefox *x, int64_t tid)
{
	uint32_t before = idmap_get(&x->tids, (uint64_t)tid, 0);
	uint32_t times = before == IDMAP_NONE ? 0 : before + 1;
	char text[48];
	int len = snprintf(text, sizeof(text), "%" PRId64, tid);

	idmap_set(&x->tids, (uint64_t)tid, 0, times);
	if (times)
		snprintf(text + len, sizeof(text) - (size_t)len, ".%" PRIu32, times);
	json_text(&x->json, text);
}

/* A member, written verbatim. */
static void put_ready(struct firefox *x, const char *key, const char *json)
{
	json_key(&x->json, key);
	json_ready(&x->json, json);
}

static void put_thread(struct firefox *x, const struct experiment *exp,
		       const struct exp_thread *thread, const struct line *line)
{
	const struct exp_process *process = &exp->processes.data[thread->process];
	const struct metric *metric = &x->model->metrics.data[line->metric];
	char pid[24];

	snprintf(pid, sizeof(pid), "%" PRId64, process->pid);
	json_line(&x->json);
	json_begin_object(&x->json);
	put_ready(x, "processType", "\"default\"");
	put_ready(x, "processStartupTime", "0");
	put_ready(x, "processShutdownTime", "null");
	put_ready(x, "registerTime", "0");
	put_ready(x, "unregisterTime", "null");
	put_ready(x, "pausedRanges", "[]");
	json_key(&x->json, "isMainThread");
	json_bool(&x->json, process->pid == thread->tid);
	json_key(&x->json, "pid");
	json_text(&x->json, pid);
	json_key(&x->json, "tid");
	put_tid(x, thread->tid);
	json_key(&x->json, "processName");
	json_text(&x->json, experiment_string(exp, process->name));
	json_key(&x->json, "name");
	put_thread_name(x, experiment_string(exp, thread->name), metric, line);
	put_samples(x, line);
	firefox_put_markers(x, line->source, line->marked);
	json_end(&x->json);
}

/* A line for each metric with samples; one without, if there are markers alone. */
static void put_lines(struct firefox *x, size_t source, const struct moments *moments,
		      uint32_t thread)
{
	const struct experiment *exp = x->model->sources.data[source].exp;
	const size_t metrics = x->model->metrics.len;
	struct line line = { .leaf = x->leaf[source],
			     .source = source,
			     .marked = thread };
	bool any = false;

	for (line.metric = 0; line.metric < metrics; line.metric++) {
		line.timeline = &moments->lines[thread * metrics + line.metric];
		if (!line.timeline->moments.len)
			continue;
		put_thread(x, exp, &exp->threads.data[thread], &line);
		line.marked = FIREFOX_NO_THREAD;
		any = true;
	}
	line.metric = 0;
	if (!any && metrics && firefox_has_markers(x, source, thread))
		put_thread(x, exp, &exp->threads.data[thread], &line);
}

static void put_source_threads(struct firefox *x, size_t index,
			       const struct frame_map *frames)
{
	const size_t threads = x->model->sources.data[index].exp->threads.len;
	struct moments moments;

	moments_read(&moments, x->model, index, frames);
	for (uint32_t t = 0; t < threads; t++)
		put_lines(x, index, &moments, t);
	moments_release(&moments);
}

void firefox_put_threads(struct firefox *x)
{
	struct frame_map frames;

	session_frames(x->session, &frames);
	json_line(&x->json);
	json_key(&x->json, "threads");
	json_begin_array(&x->json);
	for (size_t s = 0; s < x->model->sources.len; s++)
		put_source_threads(x, s, &frames);
	json_line(&x->json);
	json_end(&x->json);
	frame_map_release(&frames);
}
