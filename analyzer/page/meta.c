/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "page/meta.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/xalloc.h"
#include "model/ratio.h"
#include "model/run.h"
#include "page/waits_json.h"
#include "render/json_writer.h"
#include "rows/state_columns.h"

enum { PAGE_FORMAT = 1 };

struct meta {
	const struct page_data *data;
	const struct model *model;
	struct page_strip *strip;
	struct json_writer json;
};

/* ---- members ---- */

static void put_unsigned(struct meta *m, const char *key, uint64_t number)
{
	json_key(&m->json, key);
	json_unsigned(&m->json, number);
}

static void put_number(struct meta *m, const char *key, double number)
{
	json_key(&m->json, key);
	json_number(&m->json, number);
}

static void put_bool(struct meta *m, const char *key, bool value)
{
	json_key(&m->json, key);
	json_bool(&m->json, value);
}

/* As people may see it, see foreign_put. */
static void put_text(struct meta *m, const char *key, const char *text)
{
	struct strbuf clean = { 0 };

	foreign_put(&clean, foreign(text));
	json_key(&m->json, key);
	json_text(&m->json, strbuf_str(&clean));
	strbuf_release(&clean);
}

static void begin_list(struct meta *m, const char *key)
{
	json_key(&m->json, key);
	json_begin_array(&m->json);
}

/* ---- the tables ---- */

static void put_experiment(struct meta *m, size_t index)
{
	struct run run;
	char *subject;

	run_read(&run, m->model, index);
	subject = run_subject(&run);
	json_begin_object(&m->json);
	put_text(m, "path", page_strip_path(m->strip, run.exp->path));
	put_text(m, "command", page_strip_command(m->strip, subject));
	put_text(m, "host", m->strip->on ? "" : run.exp->log.hostname);
	put_text(m, "started", run.exp->log.started);
	put_number(m, "duration_s", run.duration_s);
	put_unsigned(m, "cpus", run.exp->log.cpus);
	put_unsigned(m, "group", m->model->sources.data[index].group);
	json_end(&m->json);
	free(subject);
	run_release(&run);
}

static void put_value(struct meta *m, const char *key, struct value v)
{
	json_key(&m->json, key);
	json_begin_object(&m->json);
	put_unsigned(m, "samples", v.samples);
	put_unsigned(m, "weight", v.weight);
	json_end(&m->json);
}

static void put_metric(struct meta *m, size_t index)
{
	const struct metric *metric = &m->model->metrics.data[index];
	const struct page_slots *slots = &m->data->slots[index];

	json_begin_object(&m->json);
	put_text(m, "id", model_string(m->model, metric->id));
	put_text(m, "label", model_string(m->model, metric->label));
	put_text(m, "unit", metric_unit(m->model, metric));
	put_number(m, "unit_seconds", metric_seconds(metric));
	put_number(m, "scale", metric->scale * (metric->clock ? 1e-9 : 1));
	put_bool(m, "exact", metric->exact);
	put_bool(m, "known", metric->known);
	put_bool(m, "scaled", metric->mean_scale > 1);
	put_bool(m, "state", metric->state || metric->sum);
	put_number(m, "each", metric->each);
	put_value(m, "total", metric->total);
	put_value(m, "all", metric->all);
	put_unsigned(m, "sampled", metric->sampled);
	put_unsigned(m, "weight_unit", slots->weight_unit);
	put_unsigned(m, "units", slots->units);
	put_unsigned(m, "entries", slots->entries);
	json_end(&m->json);
}

static void put_ratio(struct meta *m, const struct ratio *ratio)
{
	json_begin_object(&m->json);
	put_text(m, "id", model_string(m->model, ratio->id));
	put_text(m, "label", model_string(m->model, ratio->label));
	put_text(m, "unit", ratio->kind->unit);
	put_unsigned(m, "digits", (uint64_t)ratio->kind->digits);
	put_unsigned(m, "top", ratio->top);
	put_unsigned(m, "bottom", ratio->bottom);
	put_number(m, "factor", ratio_factor(m->model, ratio));
	json_end(&m->json);
}

static void put_thread(struct meta *m, const struct page_thread *thread)
{
	const struct experiment *exp = m->model->sources.data[thread->source].exp;
	const struct exp_thread *t = &exp->threads.data[thread->row];
	const struct exp_process *process = &exp->processes.data[t->process];

	json_begin_object(&m->json);
	put_unsigned(m, "experiment", thread->source);
	put_unsigned(m, "number", t->number);
	json_key(&m->json, "pid");
	json_signed(&m->json, process->pid);
	json_key(&m->json, "tid");
	json_signed(&m->json, t->tid);
	put_text(m, "name", page_strip_text(m->strip, experiment_string(exp, t->name)));
	put_text(m, "process",
		 page_strip_text(m->strip, experiment_string(exp, process->name)));
	json_end(&m->json);
}

static const char *const kinds[] = {
	[EXP_KIND_FILE] = "file",
	[EXP_KIND_KERNEL] = "kernel",
	[EXP_KIND_KERNEL_MODULE] = "kernel",
	[EXP_KIND_VDSO] = "kernel",
	[EXP_KIND_ANON] = "generated",
	[EXP_KIND_UNKNOWN] = "unknown",
	[EXP_KIND_ARTIFICIAL] = "artificial",
};

static void put_object(struct meta *m, uint32_t object)
{
	enum exp_module_kind kind = m->model->objects.data[object].kind;
	bool known = (size_t)kind < sizeof(kinds) / sizeof(*kinds) && kinds[kind];

	json_begin_object(&m->json);
	put_text(m, "path", page_strip_path(m->strip, object_path(m->model, object)));
	put_text(m, "kind", known ? kinds[kind] : "unknown");
	json_end(&m->json);
}

/* Of <Merged>. */
static void put_artificial(struct meta *m)
{
	json_begin_object(&m->json);
	put_text(m, "path", "<artificial>");
	put_text(m, "kind", "artificial");
	json_end(&m->json);
}

/* ---- CPUs ---- */

/* What each metric has of CPU number CPU, in all experiments.  Whether it is anything. */
static bool sum_cpu(const struct model *model, size_t cpu, struct value *out)
{
	bool any = false;

	memset(out, 0, model->metrics.len * sizeof(*out));
	vec_for_each(const struct source, source, &model->sources) {
		const struct totals *totals = source_totals(model, source);

		for (size_t e = 0; cpu < totals->cpus && e < totals->columns; e++) {
			struct value value = totals->cpu[e * totals->cpus + cpu];

			value_add(&out[source->metric[e]], value);
			any |= value_is_any(value);
		}
	}
	return any;
}

static void put_cpus(struct meta *m)
{
	struct value *sums = xcalloc(m->model->metrics.len + 1, sizeof(*sums));

	begin_list(m, "cpus");
	for (size_t cpu = 0; cpu < TOTALS_CPUS_MAX; cpu++) {
		if (!sum_cpu(m->model, cpu, sums))
			continue;
		json_begin_object(&m->json);
		if (cpu < TOTALS_CPUS_MAX - 1)
			put_unsigned(m, "number", cpu);
		begin_list(m, "values");
		for (size_t i = 0; i < m->model->metrics.len; i++) {
			json_unsigned(&m->json, sums[i].samples);
			json_unsigned(&m->json, sums[i].weight);
		}
		json_end(&m->json);
		json_end(&m->json);
	}
	json_end(&m->json);
	free(sums);
}

/* ---- losses, by thread and tick ---- */

struct loss {
	uint32_t thread, tick; /* thread: of the page, + 1; 0: unknown */
	uint64_t count;
};

struct losses {
	VEC(struct loss) rows;
	struct idmap threads; /* source and row → thread */
	struct idmap ids;     /* tick and thread → row */
};

static void add_loss(struct losses *l, const struct meta *m, uint32_t source,
		     const struct exp_loss *loss)
{
	const struct experiment *exp = m->model->sources.data[source].exp;
	uint64_t tick = loss->time_ns / m->data->times.tick_ns;
	uint32_t thread = IDMAP_NONE, next = (uint32_t)l->rows.len, id;

	if (loss->thread)
		thread = idmap_get(&l->threads, exp->threads.data[loss->thread - 1].last,
				   source);
	if (tick >= m->data->times.ticks)
		tick = m->data->times.ticks - 1;
	id = idmap_intern(&l->ids, tick, thread, next);
	if (id == next)
		*vec_push(&l->rows) = (struct loss){ thread == IDMAP_NONE ? 0
									  : thread + 1,
						     (uint32_t)tick, 0 };
	l->rows.data[id].count += loss->count;
}

static void put_losses(struct meta *m)
{
	struct losses l = { 0 };
	uint32_t number = 0;

	vec_for_each(const struct page_thread, thread, &m->data->times.threads)
		idmap_set(&l.threads, thread->row, thread->source, number++);
	for (uint32_t i = 0; i < m->model->sources.len; i++)
		vec_for_each(const struct exp_loss, loss,
			     &m->model->sources.data[i].exp->losses)
			add_loss(&l, m, i, loss);
	begin_list(m, "losses");
	vec_for_each(const struct loss, loss, &l.rows) {
		json_begin_object(&m->json);
		if (loss->thread)
			put_unsigned(m, "thread", loss->thread - 1);
		put_unsigned(m, "tick", loss->tick);
		put_unsigned(m, "count", loss->count);
		json_end(&m->json);
	}
	json_end(&m->json);
	idmap_release(&l.threads);
	idmap_release(&l.ids);
	vec_release(&l.rows);
}

static void put_states(struct meta *m)
{
	const struct page_states *states = &m->data->states;

	json_key(&m->json, "states");
	json_begin_object(&m->json);
	put_unsigned(m, "bucket_ticks", states->bucket_ticks);
	begin_list(m, "kinds");
	vec_for_each(const enum exp_state, state, &states->kinds) {
		bool life = *state == EXP_STATES;
		char letter[] = { life ? ' ' : state_letter(*state), '\0' };

		json_begin_object(&m->json);
		put_text(m, "id", life ? "life" : state_name(*state));
		put_text(m, "label", life ? "Life" : state_title(*state));
		put_text(m, "letter", letter);
		json_end(&m->json);
	}
	json_end(&m->json);
	json_end(&m->json);
	json_key(&m->json, "waits");
	page_waits_json(m->data, &m->json);
}

static void put_region_values(struct meta *m, const struct region_sums *sums, size_t row)
{
	begin_list(m, "values");
	for (size_t i = row * sums->metrics; i < (row + 1) * sums->metrics; i++) {
		json_unsigned(&m->json, sums->own[i].samples);
		json_unsigned(&m->json, sums->own[i].weight);
		json_unsigned(&m->json, sums->whole[i].samples);
		json_unsigned(&m->json, sums->whole[i].weight);
	}
	json_end(&m->json);
}

static void put_region(struct meta *m, const struct region_sums *sums, size_t row)
{
	const struct region_row *of = &sums->rows.data[row];
	const struct durations *d = &of->durations;

	json_begin_object(&m->json);
	put_text(m, "name", page_strip_text(m->strip, model_string(m->model, of->name)));
	put_text(m, "domain",
		 page_strip_text(m->strip, model_string(m->model, of->domain)));
	put_unsigned(m, "parent", of->parent);
	put_unsigned(m, "depth", of->depth);
	put_bool(m, "apart", of->apart);
	put_unsigned(m, "count", d->count + of->unended);
	put_unsigned(m, "ended", d->count);
	put_unsigned(m, "sum_ns", d->sum_ns);
	put_unsigned(m, "p50_ns", durations_quantile(d, 50));
	put_unsigned(m, "p95_ns", durations_quantile(d, 95));
	put_unsigned(m, "p99_ns", durations_quantile(d, 99));
	put_unsigned(m, "longest_ns", d->longest_ns);
	put_region_values(m, sums, row);
	json_end(&m->json);
}

static void put_regions(struct meta *m)
{
	const struct region_sums *sums = &m->data->regions.sums;

	begin_list(m, "regions");
	for (size_t row = 0; row < sums->rows.len; row++)
		put_region(m, sums, row);
	json_end(&m->json);
}

static void put_notes(struct meta *m)
{
	struct strbuf notes = { 0 };

	page_data_notes(m->data, &notes);
	begin_list(m, "notes");
	for (char *save, *line = notes.len ? strtok_r(notes.data, "\n", &save) : NULL;
	     line; line = strtok_r(NULL, "\n", &save))
		json_text(&m->json, line);
	json_end(&m->json);
	strbuf_release(&notes);
}

static void put_all(struct meta *m)
{
	begin_list(m, "experiments");
	for (size_t i = 0; i < m->model->sources.len; i++)
		put_experiment(m, i);
	json_end(&m->json);
	begin_list(m, "metrics");
	for (size_t i = 0; i < m->model->metrics.len; i++)
		put_metric(m, i);
	json_end(&m->json);
	begin_list(m, "ratios");
	vec_for_each(const struct ratio, ratio, &m->model->ratios)
		put_ratio(m, ratio);
	json_end(&m->json);
	begin_list(m, "threads");
	vec_for_each(const struct page_thread, thread, &m->data->times.threads)
		put_thread(m, thread);
	json_end(&m->json);
	begin_list(m, "objects");
	for (uint32_t o = 0; o < m->model->objects.len; o++)
		put_object(m, o);
	put_artificial(m);
	json_end(&m->json);
	put_cpus(m);
	put_losses(m);
	put_states(m);
	put_regions(m);
	put_notes(m);
}

void page_meta(const struct page_data *data, struct strbuf *out)
{
	struct stream stream = { 0 };
	struct meta m = { .data = data,
			  .model = &data->session->model,
			  .strip = data->stacks.strip,
			  .json = { .out = &stream, .style = &json_compact } };

	json_begin_object(&m.json);
	put_unsigned(&m, "format", PAGE_FORMAT);
	put_text(&m, "version", PACKAGE_VERSION);
	put_unsigned(&m, "metric", data->metric);
	put_bool(&m, "compared", data->session->set.compare != COMPARE_OFF);
	put_unsigned(&m, "tick_ns", data->times.tick_ns);
	put_unsigned(&m, "ticks", data->times.ticks);
	put_unsigned(&m, "functions", data->stacks.functions.len);
	put_unsigned(&m, "nodes", data->stacks.nodes.len);
	put_all(&m);
	json_end(&m.json);
	strbuf_add(out, stream.text.data, stream.text.len);
	strbuf_release(&stream.text);
}
