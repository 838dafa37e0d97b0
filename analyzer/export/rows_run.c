/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment's own rows: the run, its metrics, events, processes, threads, losses. */
#include <stdlib.h>

#include "export/rows.h"
#include "model/metric.h"
#include "model/process_line.h"
#include "model/run.h"

void rows_identify(struct row_export *e)
{
	const struct exp_log *log = &e->exp->log;
	uint64_t hash = fnv_text(FNV_EMPTY, log->hostname);

	hash = fnv_text(hash, log->started);
	hash = fnv_number(hash, log->started_ns);
	hash = fnv_number(hash, (uint64_t)log->pid);
	hash = fnv_number(hash, log->duration_ns);
	vec_for_each(char *, word, &log->command)
		hash = fnv_text(hash, *word);
	hash = fnv_number(hash, e->exp->samples);
	/* the rows of all parts are put together, and these are others */
	if (e->sink->hashed && e->session->set.no_inlines)
		hash = fnv_text(hash, "no inlines");
	strbuf_addf(&e->identity, "%016llx%016llx", (unsigned long long)hash,
		    (unsigned long long)e->exp->digest);
}

/* ---- the run ---- */

static int64_t last_of(int64_t first, uint64_t count)
{
	return first + (int64_t)count - 1;
}

/* The number of rows of nodes: one more for samples without a stack. */
static uint64_t count_nodes(const struct row_export *e)
{
	const uint32_t *first = e->lines->sources[0].first.data;
	uint64_t count = 1;

	for (size_t n = 1; n < e->exp->nodes.len; n++) {
		uint32_t frame = e->exp->nodes.data[n].frame;

		count += first[frame + 1] - first[frame];
	}
	return count;
}

static void put_experiment(struct row_export *e)
{
	const struct exp_log *log = &e->exp->log;
	struct run run;
	char *command;

	run_read(&run, rows_model(e), 0);
	command = run_command_line(&run);
	row_add(e->sink, ROWS_EXPERIMENTS, row_signed(e->id), row_text(e->identity.data),
		row_text(e->exp->path), row_text(log->hostname), row_text(log->kernel),
		row_text(log->arch), row_text(log->cpu), row_number(log->cpus),
		row_text(log->started),
		exp_log_started(log) ? row_signed(exp_log_started(log)) : row_null(),
		row_number(log->duration_ns), row_text(command), row_text(log->comment),
		row_text(log->version),
		row_number(run_is_whole(&rows_model(e)->sources.data[0])),
		log->exit_status >= 0 ? row_signed(log->exit_status) : row_null(),
		log->signal ? row_signed(log->signal) : row_null(),
		row_number(!e->session->set.no_inlines), row_number(log->lost),
		row_number(log->lost_other), row_number(log->lost_records),
		row_number(log->throttled), row_signed(e->first_node),
		row_signed(last_of(e->first_node, count_nodes(e))),
		row_signed(e->first_sample),
		row_signed(last_of(e->first_sample, e->exp->samples)));
	free(command);
	run_release(&run);
}

/* ---- metrics and events ---- */

static void put_metrics(struct row_export *e)
{
	const struct model *model = rows_model(e);

	for (size_t i = 0; i < model->metrics.len; i++) {
		const struct metric *m = &model->metrics.data[i];
		const struct exp_event *event = &e->exp->log.events.data[m->event];

		row_add(e->sink, ROWS_METRICS, row_signed(e->first_metric + (int64_t)i),
			row_signed(e->id), row_text(model_string(model, m->id)),
			row_text(model_string(model, m->label)),
			row_text(metric_unit(model, m)),
			row_real(m->scale * (m->clock ? 1e-9 : 1)),
			row_number(m->exact || *event->state),
			row_number(m->total.weight), row_number(m->total.samples));
	}
}

static void put_events(struct row_export *e)
{
	const struct exp_log *log = &e->exp->log;
	const uint32_t *metric = rows_model(e)->sources.data[0].metric;

	for (size_t i = 0; i < log->events.len; i++) {
		const struct exp_event *event = &log->events.data[i];

		row_add(e->sink, ROWS_EVENTS, row_signed(e->first_event + (int64_t)i),
			row_signed(e->id), row_signed(e->first_metric + metric[i]),
			row_text(event->asked), row_text(event->got),
			row_text(event->reason), row_text_if(event->state),
			row_text(event->unit),
			row_number_if(event->period, event->period),
			event->hz > 0 ? row_real(event->hz) : row_null(),
			row_real(event->scale));
	}
}

/* ---- tasks ---- */

static void put_processes(struct row_export *e)
{
	struct strbuf line = { 0 };

	for (uint32_t i = 0; i < e->exp->processes.len; i++) {
		const struct exp_process *p = &e->exp->processes.data[i];

		process_line_get(e->exp, i, &line);
		row_add(e->sink, ROWS_PROCESSES, row_signed(e->first_process + i),
			row_signed(e->id),
			p->parent ? row_signed(e->first_process + p->parent - 1)
				  : row_null(),
			row_signed(p->pid), row_text(experiment_string(e->exp, p->name)),
			row_text_if(strbuf_str(&line)), row_number(p->start_ns));
	}
	strbuf_release(&line);
}

static void put_threads(struct row_export *e)
{
	for (size_t i = 0; i < e->exp->threads.len; i++) {
		const struct exp_thread *t = &e->exp->threads.data[i];

		row_add(e->sink, ROWS_THREADS, row_signed(e->first_thread + (int64_t)i),
			row_signed(e->id), row_signed(e->first_process + t->process),
			row_signed(e->first_thread + t->last), row_signed(t->tid),
			row_number(t->number),
			row_text(experiment_string(e->exp, t->name)),
			row_number(t->born_ns),
			row_text_if(experiment_string(e->exp, t->cgroup)));
	}
}

static void put_losses(struct row_export *e)
{
	vec_for_each(const struct exp_loss, loss, &e->exp->losses)
		row_add(e->sink, ROWS_LOSSES, row_null(), row_signed(e->id),
			loss->thread ? row_signed(e->first_thread + loss->thread - 1)
				     : row_null(),
			row_number(loss->time_ns), row_number(loss->cpu),
			row_number(loss->count));
}

void rows_put_run(struct row_export *e)
{
	e->id = row_id(e->sink, row_next(e->sink, ROWS_EXPERIMENTS),
		       fnv_text(FNV_EMPTY, e->identity.data));
	e->first_metric = row_next(e->sink, ROWS_METRICS);
	e->first_event = row_next(e->sink, ROWS_EVENTS);
	e->first_process = row_next(e->sink, ROWS_PROCESSES);
	e->first_thread = row_next(e->sink, ROWS_THREADS);
	e->first_node = row_next(e->sink, ROWS_NODES);
	e->first_sample = row_next(e->sink, ROWS_SAMPLES);
	put_experiment(e);
	vec_for_each(const struct exp_label, label, &e->exp->log.labels)
		row_add(e->sink, ROWS_LABELS, row_signed(e->id), row_text(label->key),
			row_text(label->value));
	put_metrics(e);
	put_events(e);
	put_processes(e);
	put_threads(e);
	put_losses(e);
}
