/* SPDX-License-Identifier: Apache-2.0 */
/* export samples: a row for each sample, with the data that it accessed, if known. */
#include <inttypes.h>
#include <string.h>

#include "model/data_source.h"
#include "experiment/details.h"
#include "export/export.h"
#include "model/sample_walk.h"
#include "model/frame_map.h"
#include "render/render.h"

/* Data that few samples have, each a column of details.h. */
static const struct {
	const char *key;
	enum column_type type;
	unsigned column;
} details[] = {
	{ "physical_address", COLUMN_TEXT, EXP_DETAIL_PHYSICAL },
	{ "data_page_size", COLUMN_NUMBER, EXP_DETAIL_DATA_PAGE },
	{ "code_page_size", COLUMN_NUMBER, EXP_DETAIL_CODE_PAGE },
	{ "cgroup", COLUMN_TEXT, EXP_DETAIL_CGROUP },
	{ "transaction", COLUMN_TEXT, EXP_DETAIL_TRANSACTION },
	{ "weight2", COLUMN_NUMBER, EXP_DETAIL_WEIGHT2 },
	{ "weight3", COLUMN_NUMBER, EXP_DETAIL_WEIGHT3 },
	{ "raw_bytes", COLUMN_NUMBER, EXP_DETAIL_RAW },
	{ "aux_bytes", COLUMN_NUMBER, EXP_DETAIL_AUX },
	{ "branches", COLUMN_NUMBER, EXP_DETAIL_BRANCHES },
	{ "mispredicted", COLUMN_NUMBER, EXP_DETAIL_MISPREDICTED },
};

enum { DETAILS = sizeof(details) / sizeof(details[0]) };

static void add_columns(struct table *table)
{
	static const struct {
		const char *key;
		enum column_type type;
	} columns[] = {
		{ "experiment", COLUMN_NUMBER }, { "time_ns", COLUMN_NUMBER },
		{ "process", COLUMN_TEXT },      { "pid", COLUMN_NUMBER },
		{ "tid", COLUMN_NUMBER },        { "cpu", COLUMN_NUMBER },
		{ "metric", COLUMN_TEXT },       { "weight", COLUMN_NUMBER },
		{ "function", COLUMN_TEXT },     { "object", COLUMN_TEXT },
		{ "stack", COLUMN_TEXT },        { "address", COLUMN_TEXT },
		{ "latency", COLUMN_NUMBER },    { "data_source", COLUMN_TEXT },
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(table, columns[i].key, columns[i].key, columns[i].type);
	for (size_t i = 0; i < DETAILS; i++)
		table_column(table, details[i].key, details[i].key, details[i].type);
}

struct walk {
	struct session *s;
	uint32_t source;
	struct frame_map shown;
	struct stream *out;
	struct table table;        /* of the current samples */
	struct export_stack stack; /* of the current one, from the leaf */
	struct strbuf text;        /* the same as text */
	struct exp_details details;
};

static void add_thread(struct walk *w, const struct experiment *exp, uint64_t id)
{
	const struct exp_thread *thread = &exp->threads.data[id];
	const struct exp_process *process = &exp->processes.data[thread->process];

	table_add_text(&w->table, experiment_string(exp, process->name));
	table_add_number(&w->table, (uint64_t)process->pid);
	table_add_number(&w->table, (uint64_t)thread->tid);
}

/* Cells are empty if the sample lacks the data. */
static void add_number(struct walk *w, uint64_t number)
{
	if (number)
		table_add_number(&w->table, number);
	else
		table_add_absent(&w->table);
}

static void add_bits(struct walk *w, uint64_t bits)
{
	char text[19];

	if (bits) {
		snprintf(text, sizeof(text), "0x%" PRIx64, bits);
		table_add_text(&w->table, text);
	} else {
		table_add_absent(&w->table);
	}
}

static void add_details(struct walk *w, struct experiment *exp, uint64_t number,
			uint64_t thread)
{
	uint32_t cgroup = exp->threads.data[thread].cgroup;
	struct exp_detail detail;

	exp_details_of(&w->details, exp, number, &detail);
	for (size_t i = 0; i < DETAILS; i++) {
		uint64_t value = detail.value[details[i].column];

		if (details[i].column == EXP_DETAIL_CGROUP)
			table_add_text(&w->table,
				       experiment_string(exp, cgroup ? cgroup
								     : (uint32_t)value));
		else if (details[i].type == COLUMN_TEXT)
			add_bits(w, value);
		else
			add_number(w, value);
	}
}

static void add_data(struct walk *w, const struct exp_samples *block, size_t i)
{
	struct strbuf words = { 0 };

	add_bits(w, block->address[i]);
	add_number(w, block->latency[i]);
	data_source_words(block->data_source[i], &words);
	table_add_text(&w->table, strbuf_str(&words));
	strbuf_release(&words);
}

/* Calls within an object that is merged are one frame. */
static void push_function(struct walk *w, uint32_t id)
{
	size_t len = w->stack.len;

	if (!len || w->stack.data[len - 1] != id || !w->shown.folds ||
	    !w->shown.folds[id])
		*vec_push(&w->stack) = id;
}

/* Sets the stack that ends in NODE: its functions from the innermost one on. */
static void read_stack(struct walk *w, const struct experiment *exp, uint64_t node)
{
	const struct frame_ids *frames = &w->shown.sources[w->source];

	vec_clear(&w->stack);
	if (!node)
		push_function(w, w->shown.empty);
	for (; node; node = exp->nodes.data[node].parent) {
		uint32_t frame = frame_of_node(frames, exp->nodes.data, node);

		for (uint32_t i = frames->first.data[frame + 1];
		     i > frames->first.data[frame]; i--)
			push_function(w, frames->ids.data[i - 1]);
	}
}

/* The function where the stack ends, its object, and all of them from the root. */
static void add_stack(struct walk *w, const struct experiment *exp, uint64_t node)
{
	const struct model *model = &w->s->model;
	uint32_t leaf;

	read_stack(w, exp, node);
	leaf = w->stack.data[0];
	table_add_text(&w->table, session_function(w->s, leaf));
	table_add_text(&w->table, object_path(model, model->functions.data[leaf].object));
	strbuf_clear(&w->text);
	for (size_t i = w->stack.len; i-- > 0;) {
		size_t start = w->text.len;

		strbuf_addstr(&w->text, session_function(w->s, w->stack.data[i]));
		export_end_frame(&w->text, start);
		strbuf_addstr(&w->text, i ? ";" : "");
	}
	table_add_text(&w->table, strbuf_str(&w->text));
}

static void add_sample(struct walk *w, const struct exp_samples *block, size_t i)
{
	const struct model *model = &w->s->model;
	const struct source *source = &model->sources.data[w->source];
	struct experiment *exp = source->exp;
	const struct metric *metric =
		&model->metrics.data[source->metric[block->event[i]]];

	table_add_number(&w->table, w->source + 1);
	table_add_number(&w->table, block->time_ns[i]);
	add_thread(w, exp, block->thread[i]);
	if (block->cpu[i] == UINT32_MAX)
		table_add_absent(&w->table);
	else
		table_add_number(&w->table, block->cpu[i]);
	table_add_text(&w->table, model_string(model, metric->id));
	table_add_number(&w->table, block->weight[i]);
	add_stack(w, exp, block->node[i]);
	add_data(w, block, i);
	add_details(w, exp, block->first + i, block->thread[i]);
}

/* One sample at a time: memory does not grow with them. */
static void write_source(struct walk *w, const struct frame_map *frames)
{
	struct sample_walk samples;

	sample_walk_init(&samples, &w->s->model, w->source, frames);
	while (stream_pass(w->out) && sample_walk_next(&samples)) {
		add_sample(w, &samples.block, samples.at);
		render_csv_rows(&w->table, ',', w->out);
		table_clear(&w->table);
	}
	sample_walk_release(&samples);
	exp_details_release(&w->details);
}

static void write_samples(struct session *s, struct stream *out)
{
	struct walk w = { .s = s, .out = out };
	struct frame_map frames;

	session_frames(s, &frames);
	session_shown(s, &w.shown);
	add_columns(&w.table);
	render_csv_header(&w.table, ',', out);
	for (w.source = 0; w.source < s->model.sources.len; w.source++)
		write_source(&w, &frames);
	table_release(&w.table);
	vec_release(&w.stack);
	strbuf_release(&w.text);
	frame_map_release(&w.shown);
	frame_map_release(&frames);
}

const struct export_format export_samples = {
	.apart = true,
	.write = write_samples,
};
