/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/overview_fields.h"

#include <stdlib.h>
#include <string.h>

#include "tables/fields.h"
#include "model/heavy_path.h"
#include "model/run.h"
#include "model/tree_fold.h"
#include "base/xalloc.h"
#include "rows/overview_waits.h"
#include "rows/view.h"

/* The most objects and processes to list, and their least percentage. */
#define LISTED_MAX 4
#define SHARE_MIN  1

/* The most functions of a path to list. */
#define PATH_MAX_NODES 5

/* "CPU time by samples, by the kernel": the time, and how many CPUs were busy. */
static void add_cpu_time(struct table *table, const struct run *run, size_t n)
{
	struct strbuf text = { 0 };

	if (!run->has_cpu && !run->has_rusage)
		return;
	if (run->has_cpu)
		strbuf_addf(&text, "%.3f s by samples", run->cpu_s);
	if (run->has_rusage)
		strbuf_addf(&text, "%s%.3f s by the kernel", text.len ? ", " : "",
			    run->rusage_cpu_s);
	if (run->duration_s > 0)
		strbuf_addf(&text, "; %.2f CPUs busy of %u", run_cpus_busy(run),
			    run->exp->log.cpus);
	fields_add(table, n, "CPU time", "%s", text.data);
	strbuf_release(&text);
}

static void add_unsampled(struct table *table, const struct source *source, size_t n)
{
	const struct exp_log *log = &source->exp->log;

	for (size_t e = 0; e < log->events.len; e++) {
		const double part = source_unsampled(source, e);

		if (part > 0 && *log->events.data[e].unsampled_why)
			fields_add(table, n, "Unsampled", "%.1f %% of %s: %s", 100 * part,
				   log->events.data[e].label,
				   log->events.data[e].unsampled_why);
	}
}

static void add_tasks(struct table *table, const struct run *run, size_t n)
{
	const struct experiment *exp = run->exp;
	uint64_t processes = exp->log.processes, threads = exp->log.threads;

	processes = processes ? processes : exp->processes.len;
	threads = threads ? threads : exp->threads.len;
	if (threads > 1)
		fields_add(table, n, "Ran", "%llu thread%s in %llu process%s",
			   (unsigned long long)threads, threads > 1 ? "s" : "",
			   (unsigned long long)processes, processes > 1 ? "es" : "");
}

static void add_run(struct table *table, const struct source *source,
		    const struct run *run, size_t n)
{
	char *command = run_subject(run);
	struct strbuf yield = { 0 }, pauses = { 0 };

	fields_add(table, n, "Experiment", "%s", run->exp->path);
	fields_add(table, n, "Command", "%s", command);
	run_put_pauses(run, &pauses);
	fields_add(table, n, "Duration", "%.3f s on %s%s", run->duration_s,
		   run->exp->log.hostname, strbuf_str(&pauses));
	strbuf_release(&pauses);
	add_cpu_time(table, run, n);
	add_unsampled(table, source, n);
	add_tasks(table, run, n);
	run_put_yield(run, &yield);
	fields_add(table, n, "Samples", "%s", yield.data);
	strbuf_release(&yield);
	vec_for_each(char *, text, &run->errors)
		fields_add(table, n, "Error", "%s", *text);
	vec_for_each(char *, text, &run->warnings)
		fields_add(table, n, "Warning", "%s", *text);
	free(command);
}

static void add_metrics(struct table *table, const struct model *model)
{
	vec_for_each(const struct metric, m, &model->metrics) {
		struct estimate e = estimate_total(m);
		double seconds = metric_seconds(m);
		struct strbuf text = { 0 };

		/* a recording has a metric for each state, whether any thread was in it */
		if (m->state && !m->total.weight)
			continue;
		if (m->mean_scale > 1)
			strbuf_addch(&text, '~');
		if (seconds > 0)
			strbuf_addf(&text, "%.3f s", e.amount * seconds);
		if (!m->clock)
			strbuf_addf(&text, "%s%.0f %s", seconds > 0 ? ", " : "", e.amount,
				    metric_unit(model, m));
		fields_add(
			table, m->source + 1, model_string(model, m->label),
			"%s, %llu %s%s", text.data, (unsigned long long)m->total.samples,
			m->state ? "wait" : "sample", m->total.samples == 1 ? "" : "s");
		strbuf_release(&text);
	}
}

/* ---- where it went ---- */

/* The metric of the functions below, which sorts. */
static uint32_t first_metric(const struct session *s)
{
	struct sort_key sort = session_sort(s);

	return sort.by.field == FIELD_METRIC ? sort.by.metric : 0;
}

/* Every object with its exclusive METRIC, the highest first. */
static void rank_objects(struct session *s, uint32_t metric, struct ranks *out)
{
	const struct sums *sums = &session_analysis(s, ANALYSIS_SUMS)->sums;

	*out = (struct ranks){ 0 };
	for (uint32_t o = 0; o < s->model.objects.len; o++)
		*vec_push(out) = (struct rank){ .name = object_name(&s->model, o),
						.id = o };
	for (uint32_t f = 0; f < sums->groups; f++)
		weight_add(&out->data[s->model.functions.data[f].object].weight,
			   sums_value(sums, EXCLUSIVE, metric, f).weight);
	ranks_sort(out, false);
}

/* Of the names that are listed, two are equal. */
static bool has_namesake(const struct ranks *ranks, size_t i)
{
	for (size_t k = 0; k < ranks->len && k < LISTED_MAX; k++)
		if (k != i && !strcmp(ranks->data[k].name, ranks->data[i].name))
			return true;
	return false;
}

/* Adds the first of RANKS with their shares of WHOLE: "libm.so 40 %, others 60 %". */
static void add_shares(const struct session *s, struct table *table, const char *label,
		       const struct ranks *ranks, double whole,
		       void (*put_name)(const struct session *s,
					const struct ranks *ranks, size_t i,
					struct strbuf *out))
{
	struct strbuf text = { 0 };
	double rest = 100;

	for (size_t i = 0; i < ranks->len && i < LISTED_MAX; i++) {
		double share = 100 * (double)ranks->data[i].weight / whole;

		if (share < SHARE_MIN)
			break;
		rest -= share;
		strbuf_addstr(&text, text.len ? ", " : "");
		put_name(s, ranks, i, &text);
		strbuf_addf(&text, " %.0f %%", share);
	}
	if (rest >= SHARE_MIN)
		strbuf_addf(&text, "%sothers %.0f %%", text.len ? ", " : "", rest);
	fields_add(table, 1, label, "%s", strbuf_str(&text));
	strbuf_release(&text);
}

static void put_object(const struct session *s, const struct ranks *ranks, size_t i,
		       struct strbuf *out)
{
	strbuf_addstr(out, has_namesake(ranks, i)
				   ? object_path(&s->model, ranks->data[i].id)
				   : ranks->data[i].name);
}

static void add_objects(struct session *s, uint32_t metric, struct table *table)
{
	struct ranks ranks;

	rank_objects(s, metric, &ranks);
	add_shares(s, table, "In", &ranks,
		   (double)s->model.metrics.data[metric].total.weight, put_object);
	vec_release(&ranks);
}

/* ---- processes ---- */

/* By name of processes; id is the number of processes with METRIC. */
struct process_sums {
	struct strtab names;
	struct ranks ranks;
};

static void sum_source(struct process_sums *sums, const struct model *model,
		       const struct source *source, uint32_t metric)
{
	const struct totals *totals = source_totals(model, source);
	const struct experiment *exp = source->exp;
	bool *met = xcalloc(exp->processes.len + 1, sizeof(*met));

	for (size_t i = 0; i < totals->columns * totals->threads; i++) {
		const struct exp_thread *th = &exp->threads.data[i % totals->threads];
		const struct exp_process *process = &exp->processes.data[th->process];
		uint32_t name;

		if (source->metric[i / totals->threads] != metric ||
		    !value_is_any(totals->thread[i]))
			continue;
		name = strtab_intern(&sums->names, experiment_string(exp, process->name));
		while (sums->ranks.len <= name)
			*vec_push(&sums->ranks) = (struct rank){ .name = "" };
		weight_add(&sums->ranks.data[name].weight, totals->thread[i].weight);
		sums->ranks.data[name].id += !met[th->process];
		met[th->process] = true;
	}
	free(met);
}

static void put_process(const struct session *s, const struct ranks *ranks, size_t i,
			struct strbuf *out)
{
	const struct rank *rank = &ranks->data[i];

	(void)s;
	strbuf_addstr(out, rank->name);
	if (rank->id > 1)
		strbuf_addf(out, " (%u processes)", (unsigned)rank->id);
}

/* Only if there are several names. */
static void add_processes(const struct session *s, uint32_t metric, struct table *table)
{
	struct process_sums sums = { 0 };
	size_t named = 0;

	strtab_init(&sums.names);
	vec_for_each(const struct source, source, &s->model.sources)
		sum_source(&sums, &s->model, source, metric);
	for (size_t i = 0; i < sums.ranks.len; i++) {
		sums.ranks.data[i].name = strtab_get(&sums.names, (uint32_t)i);
		named += sums.ranks.data[i].weight > 0;
	}
	ranks_sort(&sums.ranks, false);
	if (named > 1)
		add_shares(s, table, "By", &sums.ranks,
			   (double)s->model.metrics.data[metric].total.weight,
			   put_process);
	vec_release(&sums.ranks);
	strtab_release(&sums.names);
}

/* " > caller > callee": the last of a long path. */
static void put_path(const struct session *s, const struct heavy_path *path,
		     struct names *names, struct strbuf *out)
{
	size_t len = path->nodes.len;
	size_t first = len > PATH_MAX_NODES ? len - PATH_MAX_NODES : 0;

	if (first || path->has_trunk)
		strbuf_addstr(out, "...");
	for (size_t i = first; i < len; i++)
		strbuf_addf(out, "%s%s", out->len ? " > " : "",
			    names_function(names, &s->model, path->nodes.data[i].id));
	strbuf_addf(out, " (%.0f %%)",
		    100 * (double)path->nodes.data[len - 1].weight / (double)path->whole);
}

/* ", then scan 30 %, next 20 %, itself 8 %" */
static void put_parts(const struct session *s, const struct heavy_path *path,
		      struct names *names, struct strbuf *out)
{
	const char *before = ", then ";

	vec_for_each(const struct heavy_node, part, &path->parts) {
		strbuf_addf(out, "%s%s %.0f %%", before,
			    part->id == HEAVY_ITSELF
				    ? "itself"
				    : names_function(names, &s->model, part->id),
			    100 * (double)part->weight / (double)path->whole);
		before = ", ";
	}
}

/* The path down that carries more than half of all, recursion folded. */
static void add_path(struct session *s, uint32_t metric, struct table *table)
{
	struct names brief = { .style = NAME_SHORT };
	struct strbuf text = { 0 };
	struct frame_map frames;
	struct heavy_path path;

	session_shown(s, &frames);
	heavy_path_find(&path, &s->model, &frames, metric, FOLD_PERIOD_MAX);
	if (path.nodes.len) {
		put_path(s, &path, &brief, &text);
		put_parts(s, &path, &brief, &text);
		fields_add(table, 1, "Mostly below", "%s", text.data);
	}
	heavy_path_release(&path);
	frame_map_release(&frames);
	names_release(&brief);
	strbuf_release(&text);
}

static void add_places(struct session *s, struct table *table)
{
	uint32_t metric = first_metric(s);

	if (metric >= s->model.metrics.len || !s->model.metrics.data[metric].total.weight)
		return;
	add_processes(s, metric, table);
	add_objects(s, metric, table);
	add_path(s, metric, table);
}

void overview_fields(struct session *s, struct table *table)
{
	fields_init(table, "overview", NULL);
	for (size_t i = 0; i < s->model.sources.len; i++) {
		struct run run;

		run_read(&run, &s->model, i);
		add_run(table, &s->model.sources.data[i], &run, i + 1);
		run_release(&run);
	}
	overview_waits(s, table);
	add_metrics(table, &s->model);
	add_places(s, table);
}
