/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Firefox Profiler's processed format, version 60, the first with tables that all
 * threads share: docs-developer/CHANGELOG-formats.md of
 * github.com/firefox-devtools/profiler.
 *
 * A function here is a function of the model, a frame one of its sites, and a stack what
 * a node of an experiment is in sites.  Each thread is there once for every metric in
 * which it has samples.
 */
#include "config.h"

#include "export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "filter_run.h"
#include "idmap.h"
#include "xalloc.h"

#define NO_STACK UINT32_MAX

struct moment {
	uint64_t time_ns, weight;
	uint32_t stack;
};

struct timeline {
	VEC(struct moment) moments;
};

struct firefox {
	struct session *session;
	const struct model *model;
	struct sites sites; /* as shown */
	FILE *file;
	VEC(uint32_t) stacks; /* that were written: the site of each */
	uint32_t **leaf;      /* source → node → its stack */
	bool any_threads;     /* were written */
	struct idmap tids;    /* → how often each was written, less 1 */
};

/* A column that is the same in COUNT rows. */
static void put_column(const struct firefox *x, const char *name, const char *value,
		       size_t count)
{
	fprintf(x->file, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(x->file, "%s%s", i ? "," : "", value);
	fputs("],", x->file);
}

static void put_length(const struct firefox *x, size_t count)
{
	fprintf(x->file, "\"length\":%zu}", count);
}

/* Milliseconds, exactly. */
static void put_ms(const struct firefox *x, uint64_t ns)
{
	fprintf(x->file, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

/* ---- what all threads share ---- */

static void put_function_column(const struct firefox *x, const char *name, bool object)
{
	fprintf(x->file, "\"%s\":[", name);
	for (uint32_t f = 0; f < x->model->functions.len; f++)
		fprintf(x->file, "%s%" PRIu32, f ? "," : "",
			object ? x->model->functions.data[f].object : f);
	fputs("],", x->file);
}

/* The file of a function is that of its first line. */
static void put_sources(const struct firefox *x)
{
	size_t count = x->model->functions.len;
	uint32_t *files = xcalloc(count, sizeof(*files));

	vec_for_each(const struct site, site, &x->sites.sites)
		if (!files[site->function])
			files[site->function] = site->file;
	fputs("\"source\":[", x->file);
	for (size_t f = 0; f < count; f++)
		if (files[f])
			fprintf(x->file, "%s%zu", f ? "," : "", f);
		else
			fputs(f ? ",null" : "null", x->file);
	fputs("],", x->file);
	put_length(x, count);
	fputs(",\n\"sources\":{", x->file);
	put_column(x, "uuid", "null", count);
	fputs("\"filename\":[", x->file);
	for (size_t f = 0; f < count; f++)
		fprintf(x->file, "%s%zu", f ? "," : "",
			count + x->model->objects.len + files[f]);
	fputs("],", x->file);
	put_length(x, count);
	free(files);
}

static void put_functions(const struct firefox *x)
{
	size_t count = x->model->functions.len;

	fputs(",\n\"funcTable\":{", x->file);
	put_function_column(x, "name", false);
	put_function_column(x, "resource", true);
	put_column(x, "isJS", "false", count);
	put_column(x, "relevantForJS", "false", count);
	put_column(x, "lineNumber", "null", count);
	put_column(x, "columnNumber", "null", count);
	put_sources(x);
}

static void put_resources(const struct firefox *x)
{
	size_t count = x->model->objects.len;

	fputs(",\n\"resourceTable\":{", x->file);
	put_column(x, "lib", "null", count);
	put_column(x, "host", "null", count);
	put_column(x, "type", "1", count); /* a library */
	fputs("\"name\":[", x->file);
	for (size_t o = 0; o < count; o++)
		fprintf(x->file, "%s%zu", o ? "," : "", x->model->functions.len + o);
	fputs("],", x->file);
	put_length(x, count);
}

static void put_frames(const struct firefox *x)
{
	const struct site *sites = x->sites.sites.data;
	size_t count = x->sites.sites.len;

	fputs(",\n\"frameTable\":{\"func\":[", x->file);
	for (size_t i = 0; i < count; i++)
		fprintf(x->file, "%s%" PRIu32, i ? "," : "", sites[i].function);
	fputs("],\"line\":[", x->file);
	for (size_t i = 0; i < count; i++)
		if (sites[i].line)
			fprintf(x->file, "%s%" PRIu32, i ? "," : "", sites[i].line);
		else
			fputs(i ? ",null" : "null", x->file);
	fputs("],", x->file);
	put_column(x, "address", "-1", count);
	put_column(x, "inlineDepth", "0", count);
	put_column(x, "category", "0", count);
	put_column(x, "subcategory", "0", count);
	put_column(x, "nativeSymbol", "null", count);
	put_column(x, "innerWindowID", "null", count);
	put_column(x, "column", "null", count);
	put_length(x, count);
}

static void put_string(const struct firefox *x, const char *text, bool first)
{
	fputs(first ? "\n" : ",\n", x->file);
	export_json_text(text, x->file);
}

/* Names of functions, paths of objects, and the model's own, among them those of files.
 */
static void put_strings(const struct firefox *x)
{
	fputs(",\n\"stringArray\":[", x->file);
	for (uint32_t f = 0; f < x->model->functions.len; f++)
		put_string(x, session_function(x->session, f), !f);
	for (uint32_t o = 0; o < x->model->objects.len; o++)
		put_string(x, object_path(x->model, o), false);
	for (uint32_t i = 0; i < strtab_count(&x->model->strings); i++)
		put_string(x, model_string(x->model, i), false);
	fputs("]", x->file);
}

/* ---- stacks ---- */

/* What a hidden object calls of itself is one with it. */
static bool is_folded(const struct firefox *x, uint32_t id, uint32_t prefix)
{
	return prefix != NO_STACK && x->sites.map.folds[id] &&
	       x->stacks.data[prefix] == id;
}

/* The sites [FIRST, END) of FRAMES upon the stack PREFIX.  Frames and prefixes are
 * columns of their own: FRAME says which is written. */
static uint32_t put_steps(struct firefox *x, const uint32_t *ids, size_t count,
			  uint32_t prefix, bool frame)
{
	for (size_t i = 0; i < count; i++) {
		if (is_folded(x, ids[i], prefix))
			continue;
		fputs(x->stacks.len ? "," : "", x->file);
		if (frame)
			fprintf(x->file, "%" PRIu32, ids[i]);
		else if (prefix == NO_STACK)
			fputs("null", x->file);
		else
			fprintf(x->file, "%" PRIu32, prefix);
		prefix = (uint32_t)x->stacks.len;
		*vec_push(&x->stacks) = ids[i];
	}
	return prefix;
}

static void put_source_stacks(struct firefox *x, size_t index, bool frame)
{
	const struct experiment *exp = x->model->sources.data[index].exp;
	const struct frame_ids *frames = &x->sites.map.sources[index];
	uint32_t *leaf = x->leaf[index];

	leaf[0] = put_steps(x, &x->sites.map.empty, 1, NO_STACK, frame);
	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_node *node = &exp->nodes.data[n];
		uint32_t first = frames->first.data[node->frame];
		size_t count = frames->first.data[node->frame + 1] - first;

		leaf[n] = put_steps(x, frames->ids.data + first,
				    x->session->no_inlines ? 1 : count,
				    node->parent ? leaf[node->parent] : NO_STACK, frame);
	}
}

static void put_stacks(struct firefox *x)
{
	static const char *const columns[] = { "prefix", "frame" };

	fputs("\"stackTable\":{", x->file);
	for (size_t c = 0; c < 2; c++) {
		vec_clear(&x->stacks);
		fprintf(x->file, "\"%s\":[", columns[c]);
		for (size_t s = 0; s < x->model->sources.len; s++)
			put_source_stacks(x, s, c == 1);
		fputs("],", x->file);
	}
	put_length(x, x->stacks.len);
}

static void put_shared(struct firefox *x)
{
	fputs("\"shared\":{", x->file);
	put_stacks(x);
	put_frames(x);
	put_functions(x);
	put_resources(x);
	fputs(",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
	      "\"functionSize\":[],\"length\":0}",
	      x->file);
	put_strings(x);
	fputs("},\n", x->file);
}

/* ---- samples, by thread and metric ---- */

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
	put_length(x, line->moments.len);
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

static void put_threads(struct firefox *x)
{
	struct frame_map frames;

	session_frames(x->session, &frames);
	fputs("\"threads\":[", x->file);
	for (size_t s = 0; s < x->model->sources.len; s++)
		put_source_threads(x, s, &frames);
	fputs("\n]}\n", x->file);
	frame_map_release(&frames);
}

/* ---- all of it ---- */

static void put_meta(const struct firefox *x)
{
	const struct exp_log *log = &x->model->sources.data[0].exp->log;

	fprintf(x->file,
		"{\"meta\":{\"version\":31,\"preprocessedProfileVersion\":60,"
		"\"interval\":1,\"startTime\":%" PRId64 ",\"processType\":0,"
		"\"stackwalk\":1,\"symbolicated\":true,"
		"\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
		"\"subcategories\":[\"Other\"]}],\"markerSchema\":[],"
		"\"importedFrom\":\"ringprof " PACKAGE_VERSION "\",\"product\":",
		exp_log_started(log) * 1000);
	export_json_text(log->command.len ? log->command.data[0] : "ringprof", x->file);
	fputs("},\n\"libs\":[],\"pages\":[],\n", x->file);
}

static void write_firefox(struct session *s, FILE *file)
{
	struct firefox x = { .session = s, .model = &s->model, .file = file };
	size_t sources = s->model.sources.len;

	session_shown_sites(s, &x.sites);
	x.leaf = xcalloc(sources, sizeof(*x.leaf));
	for (size_t i = 0; i < sources; i++)
		x.leaf[i] = xcalloc(s->model.sources.data[i].exp->nodes.len,
				    sizeof(*x.leaf[i]));
	put_meta(&x);
	put_shared(&x);
	put_threads(&x);
	for (size_t i = 0; i < sources; i++)
		free(x.leaf[i]);
	free(x.leaf);
	idmap_release(&x.tids);
	vec_release(&x.stacks);
	sites_release(&x.sites);
}

const struct export_format export_firefox = {
	.word = "firefox",
	.write = write_firefox,
};
