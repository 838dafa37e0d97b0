/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "export/export.h"
#include "model/foreign.h"

#include "analyzer/export/pprof.pb-c.h"
#include "render/gzip.h"
#include "model/pcs.h"
#include "model/process_stacks.h"
#include "render/stream.h"
#include "base/strbuf.h"
#include "base/strtab.h"
#include "base/xalloc.h"

/*
 * A message written in parts, each a Profile with few fields, equals a single one: so
 * nothing is kept in memory.
 *
 * Ids count from 1: a mapping for each module of each source, a location for each frame,
 * and the last location for samples without any stack.
 */
struct pprof {
	struct session *session;
	const struct model *model;
	struct sites sites; /* as shown */
	struct stream out;
	struct strtab strings;
	struct idmap functions;             /* function and file → id - 1 */
	uint64_t first_module, first_frame; /* of the current source, minus 1 */
};

static void put(struct pprof *p, const Pprof__Profile *part)
{
	size_t size = pprof__profile__get_packed_size(part);

	pprof__profile__pack(part, (uint8_t *)strbuf_add_room(&p->out.text, size));
	stream_pass(&p->out);
}

static int64_t text(struct pprof *p, const char *t)
{
	return strtab_intern(&p->strings, t);
}

/* ---- types of samples ---- */

static void put_type(struct pprof *p, const struct metric *metric)
{
	const char *unit = metric->clock ? "nanoseconds" : "count";
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types = &type;

	type.type = text(p, model_string(p->model, metric->id));
	type.unit = text(p, unit);
	part.n_sample_type = 1;
	part.sample_type = &types;
	put(p, &part);
}

static void put_comment(struct pprof *p, const char *words)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	int64_t comment = text(p, words);

	part.n_comment = 1;
	part.comment = &comment;
	put(p, &part);
}

static bool has_label(const struct exp_log *log, const struct exp_label *wanted)
{
	vec_for_each(const struct exp_label, label, &log->labels)
		if (!strcmp(label->key, wanted->key) &&
		    !strcmp(label->value, wanted->value))
			return true;
	return false;
}

/* "release=1.2": those that all experiments have. */
static void put_labels(struct pprof *p)
{
	vec_for_each(const struct exp_label, label,
		     &p->model->sources.data[0].exp->log.labels) {
		char *words = xasprintf("%s=%s", label->key, label->value);
		bool all = true;

		vec_for_each(const struct source, source, &p->model->sources)
			all &= has_label(&source->exp->log, label);
		if (all)
			put_comment(p, words);
		free(words);
	}
}

static void put_head(struct pprof *p)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	struct metric_item by = session_sort(p->session).by;
	size_t first = by.field == FIELD_METRIC ? by.metric : 0;
	int64_t started_s = exp_log_started(&p->model->sources.data[0].exp->log);

	vec_for_each(const struct metric, metric, &p->model->metrics)
		put_type(p, metric);
	put_comment(p, "ringprof " PACKAGE_VERSION);
	put_labels(p);
	if (__builtin_mul_overflow(started_s, 1000000000, &part.time_nanos))
		part.time_nanos = 0;
	if (p->model->metrics.len)
		part.default_sample_type = text(
			p, model_string(p->model, p->model->metrics.data[first].id));
	part.duration_nanos = (int64_t)p->model->sources.data[0].exp->log.duration_ns;
	put(p, &part);
}

/* ---- places of code ---- */

/* Offsets in files serve as addresses: each object has all numbers for itself. */
static void put_mapping(struct pprof *p, const struct experiment *exp, size_t index,
			uint64_t limit)
{
	const struct exp_module *module = &exp->modules.data[index];
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;

	mapping.id = p->first_module + index + 1;
	mapping.memory_limit = limit;
	mapping.filename = text(p, experiment_string(exp, module->path));
	mapping.build_id = text(p, experiment_string(exp, module->build_id));
	mapping.has_functions = true;
	mapping.has_filenames = true;
	mapping.has_line_numbers = true;
	mapping.has_inline_frames = true;
	part.n_mapping = 1;
	part.mapping = &mappings;
	put(p, &part);
}

static void put_mappings(struct pprof *p, const struct experiment *exp)
{
	uint64_t *limits = xcalloc(exp->modules.len, sizeof(*limits));

	vec_for_each(const struct exp_frame, frame, &exp->frames)
		if (frame->offset >= limits[frame->module])
			limits[frame->module] = frame->offset + 1;
	/* pprof treats the first as the program: let it be a file */
	for (size_t m = 0; m < exp->modules.len; m++)
		if (exp->modules.data[m].kind == EXP_KIND_FILE)
			put_mapping(p, exp, m, limits[m]);
	for (size_t m = 0; m < exp->modules.len; m++)
		if (exp->modules.data[m].kind != EXP_KIND_FILE)
			put_mapping(p, exp, m, limits[m]);
	free(limits);
}

static uint64_t put_function(struct pprof *p, const struct site *site)
{
	const struct function *f = &p->model->functions.data[site->function];
	uint32_t next = (uint32_t)p->functions.len;
	uint32_t id = idmap_intern(&p->functions, site->function, site->file, next);
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;

	if (id != next)
		return id + 1;
	function.id = id + 1;
	function.name = text(p, session_function(p->session, site->function));
	/* pprof demangles an equal name, and treats "<…>" as a template's */
	function.system_name = text(p, model_string(p->model, f->name));
	if (function.system_name == function.name)
		function.system_name = 0;
	function.filename = text(p, model_string(p->model, site->file));
	part.n_function = 1;
	part.function = &functions;
	put(p, &part);
	return id + 1;
}

/* The COUNT sites are the outermost first. */
static void put_location(struct pprof *p, Pprof__Location *location, const uint32_t *ids,
			 size_t count)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Line *lines = xcalloc(count, sizeof(*lines));
	Pprof__Line **pointers = xcalloc(count, sizeof(*pointers));

	for (size_t i = 0; i < count; i++) {
		const struct site *site = &p->sites.sites.data[ids[count - 1 - i]];

		pprof__line__init(&lines[i]);
		lines[i].function_id = put_function(p, site);
		lines[i].line = site->line;
		pointers[i] = &lines[i];
	}
	location->n_line = count;
	location->line = pointers;
	part.n_location = 1;
	part.location = &location;
	put(p, &part);
	free(pointers);
	free(lines);
}

static void put_locations(struct pprof *p, const struct experiment *exp,
			  const struct frame_ids *frames)
{
	const uint32_t *first = frames->first.data;

	for (size_t f = 0; f < exp->frames.len; f++) {
		const struct exp_frame *frame = &exp->frames.data[f];
		size_t count = p->session->set.no_inlines ? 1 : first[f + 1] - first[f];
		Pprof__Location location = PPROF__LOCATION__INIT;

		location.id = p->first_frame + f + 1;
		location.mapping_id = p->first_module + frame->module + 1;
		location.address = pc_of_frame(frame);
		put_location(p, &location, frames->ids.data + first[f], count);
	}
}

/* ---- the samples ---- */

/* A crafted recording's weights may exceed 63 bits. */
static void add_clamped(int64_t *to, uint64_t value)
{
	if (value > INT64_MAX || __builtin_add_overflow(*to, (int64_t)value, to))
		*to = INT64_MAX;
}

/* WEIGHTS, by metric, as values; false: none. */
static bool weigh(const struct pprof *p, const uint64_t *weights, int64_t *values)
{
	bool any = false;

	for (size_t m = 0; m < p->model->metrics.len; m++) {
		values[m] = 0;
		add_clamped(&values[m], export_scaled(p->session, m, weights[m]));
		any = any || values[m];
	}
	return any;
}

/* Whether NODE is a call within one object, whose calls are one with their caller. */
static bool is_folded(const struct pprof *p, const struct frame_ids *frames,
		      const struct experiment *exp, size_t node)
{
	const struct exp_node *nodes = exp->nodes.data;
	uint32_t parent = nodes[node].parent;
	uint32_t here = frames->first.data[frame_of_node(frames, nodes, node)];
	uint32_t above = frames->first.data[frame_of_node(frames, nodes, parent)];

	return parent && p->sites.map.folds[frames->ids.data[here]] &&
	       frames->ids.data[above] == frames->ids.data[here];
}

/* A stack of a process, which labels name. */
static void put_sample(struct pprof *p, const struct exp_process *process,
		       const char *name, Pprof__Sample *sample)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Label labels[] = { PPROF__LABEL__INIT, PPROF__LABEL__INIT };
	Pprof__Label *pointers[] = { &labels[0], &labels[1] };

	labels[0].key = text(p, "process");
	labels[0].str = text(p, name);
	labels[1].key = text(p, "pid");
	labels[1].num = process->pid;
	sample->n_label = 2;
	sample->label = pointers;
	part.n_sample = 1;
	part.sample = &sample;
	put(p, &part);
}

static void put_samples(struct pprof *p, size_t index, const struct frame_map *matched,
			uint64_t no_stack)
{
	const struct experiment *exp = p->model->sources.data[index].exp;
	const struct frame_ids *frames = &p->sites.map.sources[index];
	size_t metrics = p->model->metrics.len;
	int64_t *values = xcalloc(metrics, sizeof(*values));
	struct process_stacks stacks;
	VEC(uint64_t) stack = { 0 };

	process_stacks_read(&stacks, p->model, index, matched);
	for (size_t i = 0; i < stacks.stacks.len; i++) {
		const struct process_stack *of = &stacks.stacks.data[i];
		const struct exp_process *process = &exp->processes.data[of->process];
		Pprof__Sample sample = PPROF__SAMPLE__INIT;

		if (!weigh(p, stacks.weights.data + i * metrics, values))
			continue;
		vec_clear(&stack);
		for (size_t at = of->node; at; at = exp->nodes.data[at].parent)
			if (!is_folded(p, frames, exp, at))
				*vec_push(&stack) = p->first_frame + 1 +
						    frame_of_node(frames, exp->nodes.data,
								  at);
		if (!of->node)
			*vec_push(&stack) = no_stack;
		sample.n_location_id = stack.len;
		sample.location_id = stack.data;
		sample.n_value = metrics;
		sample.value = values;
		put_sample(p, process, experiment_string(exp, process->name), &sample);
	}
	process_stacks_release(&stacks);
	vec_release(&stack);
	free(values);
}

/* ---- all of it ---- */

static uint64_t all_frames(const struct model *model)
{
	uint64_t count = 0;

	vec_for_each(const struct source, source, &model->sources)
		count += source->exp->frames.len;
	return count;
}

static void put_sources(struct pprof *p)
{
	Pprof__Location nowhere = PPROF__LOCATION__INIT;
	struct frame_map matched;

	session_frames(p->session, &matched);
	nowhere.id = all_frames(p->model) + 1;
	put_location(p, &nowhere, &p->sites.map.empty, 1);
	for (size_t s = 0; s < p->model->sources.len; s++) {
		const struct source *source = &p->model->sources.data[s];

		put_mappings(p, source->exp);
		put_locations(p, source->exp, &p->sites.map.sources[s]);
		put_samples(p, s, &matched, nowhere.id);
		p->first_module += source->exp->modules.len;
		p->first_frame += source->exp->frames.len;
	}
	frame_map_release(&matched);
}

static void put_strings(struct pprof *p)
{
	struct strbuf valid = { 0 };

	for (uint32_t i = 0; i < strtab_count(&p->strings); i++) {
		Pprof__Profile part = PPROF__PROFILE__INIT;
		char *string;

		strbuf_clear(&valid);
		foreign_put(&valid, foreign(strtab_get(&p->strings, i)));
		string = (char *)(uintptr_t)strbuf_str(&valid);
		part.n_string_table = 1;
		part.string_table = &string;
		put(p, &part);
	}
	strbuf_release(&valid);
}

static void write_pprof(struct session *s, struct stream *out)
{
	struct gzip gzip;
	struct pprof p = {
		.session = s,
		.model = &s->model,
		.out = { .write = gzip_write, .ctx = &gzip },
	};

	session_shown_sites(s, &p.sites);
	strtab_init(&p.strings);
	gzip_begin(&gzip, out);
	put_head(&p);
	put_sources(&p);
	put_strings(&p);
	out->error = stream_end(&p.out);
	gzip_end(&gzip);
	strtab_release(&p.strings);
	idmap_release(&p.functions);
	sites_release(&p.sites);
}

const struct export_format export_pprof = {
	.write = write_pprof,
};
