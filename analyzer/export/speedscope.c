/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export speedscope: profiles of each metric.
 *
 * speedscope shows a profile's samples in the order of the file.  So each thread's
 * samples are a profile in order of time.  Amounts without a time, from all threads
 * together and unsampled counts, are in a profile whose name says so, the heaviest stack
 * first.
 */
#include "config.h"

#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "render/json_writer.h"
#include "model/moments.h"

/* A thread's samples of a metric. */
struct track {
	size_t source, thread, metric;
	uint64_t weight;
	struct timeline line; /* without unsampled counts */
	uint64_t unsampled;
};

struct speedscope {
	struct session *session;
	struct json_writer json;
	struct frame_map shown; /* what frames are */
	VEC(struct track) tracks;
	struct export_stack stack; /* of the current sample */
	size_t profiles;           /* written so far */
	size_t opened;             /* the first timeline; SIZE_MAX: none */
};

/* All functions, so that a frame's number is its function's. */
static void put_frames(struct speedscope *x)
{
	const struct model *model = &x->session->model;
	struct json_writer *json = &x->json;

	json_line(json);
	json_key(json, "shared");
	json_begin_object(json);
	json_key(json, "frames");
	json_begin_array(json);
	for (uint32_t f = 0; f < model->functions.len; f++) {
		uint32_t object = model->functions.data[f].object;

		json_line(json);
		json_begin_object(json);
		json_key(json, "name");
		json_text(json, session_function(x->session, f));
		json_key(json, "file");
		json_text(json, object_path(model, object));
		json_end(json);
		stream_pass(json->out);
	}
	json_line(json);
	json_end(json);
	json_end(json);
}

static void put_stack(struct speedscope *x)
{
	json_line(&x->json);
	json_begin_array(&x->json);
	vec_for_each(const uint32_t, function, &x->stack)
		json_unsigned(&x->json, *function);
	json_end(&x->json);
	stream_pass(x->json.out);
}

static void begin_profile(struct speedscope *x, size_t m, const char *name)
{
	const struct metric *metric = &x->session->model.metrics.data[m];
	struct json_writer *json = &x->json;

	x->profiles++;
	json_line(json);
	json_begin_object(json);
	json_key(json, "type");
	json_text(json, "sampled");
	json_key(json, "name");
	json_text(json, name);
	json_key(json, "unit");
	json_text(json, metric->clock ? "nanoseconds" : "none");
	json_key(json, "startValue");
	json_unsigned(json, 0);
	json_line(json);
	json_key(json, "samples");
	json_begin_array(json);
}

/* Ends the samples, and the profile. */
static void put_weights(struct speedscope *x, const uint64_t *weights, size_t count)
{
	struct json_writer *json = &x->json;
	uint64_t sum = 0;

	json_line(json);
	json_end(json);
	json_line(json);
	json_key(json, "weights");
	json_begin_array(json);
	for (size_t i = 0; i < count; i++) {
		json_unsigned(json, weights[i]);
		sum += weights[i];
		stream_pass(json->out);
	}
	json_end(json);
	json_line(json);
	json_key(json, "endValue");
	json_unsigned(json, sum);
	json_end(json);
}

/* ---- a thread, in the order of time ---- */

static bool is_unsampled(const struct experiment *exp, uint32_t node)
{
	const struct exp_frame *frame;

	if (!node)
		return false;
	frame = &exp->frames.data[exp->nodes.data[node].frame];
	return frame->offset == EXP_UNSAMPLED &&
	       exp->modules.data[frame->module].kind == EXP_KIND_ARTIFICIAL;
}

/* Without any order, a thread has no timeline: recordings may lack times. */
static bool has_times(const struct timeline *line)
{
	size_t count = line->moments.len;

	return count && (count == 1 || line->moments.data[0].time_ns !=
					       line->moments.data[count - 1].time_ns);
}

/* Takes LINE. */
static void add_track(struct speedscope *x, const struct track *like,
		      struct timeline *line)
{
	const struct source *source = &x->session->model.sources.data[like->source];
	struct track track = *like;

	vec_for_each(const struct moment, m, &line->moments) {
		if (is_unsampled(source->exp, m->node)) {
			track.unsampled += m->weight;
			continue;
		}
		track.weight += m->weight;
		*vec_push(&track.line.moments) = *m;
	}
	vec_release(&line->moments);
	*vec_push(&x->tracks) = track;
}

static void read_tracks(struct speedscope *x)
{
	const struct model *model = &x->session->model;
	size_t metrics = model->metrics.len;
	struct frame_map frames;

	session_frames(x->session, &frames);
	for (size_t s = 0; s < model->sources.len; s++) {
		struct moments moments;

		moments_read(&moments, model, s, &frames);
		for (size_t i = 0; i < moments.count; i++) {
			struct track track = { .source = s,
					       .thread = i / metrics,
					       .metric = i % metrics };

			if (moments.lines[i].moments.len)
				add_track(x, &track, &moments.lines[i]);
		}
		moments_release(&moments);
	}
	frame_map_release(&frames);
}

/* By metric, the heaviest first. */
static int by_weight(const void *va, const void *vb)
{
	const struct track *a = va, *b = vb;

	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static void push_function(struct speedscope *x, uint32_t function)
{
	const bool *folds = x->shown.folds;

	if (!folds || !folds[function] || !x->stack.len ||
	    x->stack.data[x->stack.len - 1] != function)
		*vec_push(&x->stack) = function;
}

/* Sets the stack to that of a node, root first. */
static void find_stack(struct speedscope *x, size_t index, uint32_t node)
{
	const struct experiment *exp = x->session->model.sources.data[index].exp;
	const struct frame_ids *frames = &x->shown.sources[index];
	VEC(uint32_t) path = { 0 };

	vec_clear(&x->stack);
	for (; node; node = exp->nodes.data[node].parent)
		*vec_push(&path) = frame_of_node(frames, exp->nodes.data, node);
	for (size_t i = path.len; i-- > 0;)
		for (uint32_t j = frames->first.data[path.data[i]];
		     j < frames->first.data[path.data[i] + 1]; j++)
			push_function(x, frames->ids.data[j]);
	if (!path.len)
		push_function(x, x->shown.empty);
	vec_release(&path);
}

/* Consecutive samples of one stack are merged. */
static void put_track(struct speedscope *x, const struct track *track, const char *name)
{
	VEC(uint64_t) weights = { 0 };
	uint32_t before = UINT32_MAX;
	uint64_t raw = 0, written = 0;

	begin_profile(x, track->metric, name);
	vec_for_each(const struct moment, m, &track->line.moments) {
		uint64_t upto;

		/* the sum is rounded, not each weight */
		raw += m->weight;
		upto = export_scaled(x->session, track->metric, raw);
		if (m->node == before) {
			weights.data[weights.len - 1] += upto - written;
		} else {
			find_stack(x, track->source, m->node);
			put_stack(x);
			*vec_push(&weights) = upto - written;
		}
		written = upto;
		before = m->node;
	}
	put_weights(x, weights.data, weights.len);
	vec_release(&weights);
}

/* "CPU Cycles: worker of nginx (71/72)" */
static void name_track(const struct speedscope *x, const struct track *track,
		       struct strbuf *out)
{
	const struct model *model = &x->session->model;
	const struct experiment *exp = model->sources.data[track->source].exp;
	const struct exp_thread *thread = &exp->threads.data[track->thread];
	const struct exp_process *process = &exp->processes.data[thread->process];

	strbuf_clear(out);
	strbuf_addf(out, "%s: ",
		    model_string(model, model->metrics.data[track->metric].label));
	if (model->sources.len > 1)
		strbuf_addf(out, "[%zu] ", track->source + 1);
	strbuf_addstr(out, experiment_string(exp, thread->name));
	if (process->name != thread->name)
		strbuf_addf(out, " of %s", experiment_string(exp, process->name));
	strbuf_addf(out, " (%" PRId64 "/%" PRId64 ")", process->pid, thread->tid);
}

/* ---- all threads, in no order ---- */

struct heavy_node {
	uint64_t weight;
	uint32_t node;
};

static int by_heaviness(const void *va, const void *vb)
{
	const struct heavy_node *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static void put_unordered(struct speedscope *x, size_t metric)
{
	const struct tree *tree = &session_analysis(x->session, ANALYSIS_TREE)->tree;
	const struct model *model = &x->session->model;
	VEC(struct heavy_node) nodes = { 0 };
	VEC(uint64_t) weights = { 0 };
	struct strbuf name = { 0 };

	for (uint32_t n = 1; n < tree->nodes.len; n++) {
		uint64_t weight = export_weight(x->session, tree, metric, n);

		if (weight)
			*vec_push(&nodes) = (struct heavy_node){ weight, n };
	}
	if (nodes.len)
		qsort(nodes.data, nodes.len, sizeof(*nodes.data), by_heaviness);
	strbuf_addf(&name, "%s: all, not in the order of time",
		    model_string(model, model->metrics.data[metric].label));
	begin_profile(x, metric, name.data);
	vec_for_each(const struct heavy_node, node, &nodes) {
		export_stack_of(tree, node->node, &x->stack);
		put_stack(x);
		*vec_push(&weights) = node->weight;
	}
	put_weights(x, weights.data, weights.len);
	strbuf_release(&name);
	vec_release(&weights);
	vec_release(&nodes);
}

/* ---- the document ---- */

/* The number of tracks from FIRST on for METRIC. */
static size_t count_tracks(const struct speedscope *x, size_t first, size_t metric)
{
	size_t end = first;

	while (end < x->tracks.len && x->tracks.data[end].metric == metric)
		end++;
	return end - first;
}

/* Whether one timeline has all of the metric. */
static bool is_whole(const struct speedscope *x, size_t first, size_t count)
{
	return count == 1 && has_times(&x->tracks.data[first].line) &&
	       !x->tracks.data[first].unsampled;
}

static void put_metric(struct speedscope *x, size_t metric, size_t first, size_t count)
{
	struct strbuf name = { 0 };

	if (!is_whole(x, first, count))
		put_unordered(x, metric);
	for (size_t i = first; i < first + count; i++) {
		const struct track *track = &x->tracks.data[i];

		if (!has_times(&track->line))
			continue;
		if (x->opened == SIZE_MAX)
			x->opened = x->profiles;
		name_track(x, track, &name);
		put_track(x, track, name.data);
	}
	strbuf_release(&name);
}

static void put_profiles(struct speedscope *x)
{
	size_t first = 0;

	json_line(&x->json);
	json_key(&x->json, "profiles");
	json_begin_array(&x->json);
	for (size_t m = 0; m < x->session->model.metrics.len; m++) {
		size_t count = count_tracks(x, first, m);

		put_metric(x, m, first, count);
		first += count;
	}
	json_line(&x->json);
	json_end(&x->json);
	json_line(&x->json);
	json_key(&x->json, "activeProfileIndex");
	json_unsigned(&x->json, x->opened == SIZE_MAX ? 0 : x->opened);
}

static void put_document(struct speedscope *x)
{
	struct json_writer *json = &x->json;

	json_begin_object(json);
	json_key(json, "$schema");
	json_text(json, "https://www.speedscope.app/file-format-schema.json");
	json_line(json);
	json_key(json, "exporter");
	json_text(json, "ringprof " PACKAGE_VERSION);
	json_line(json);
	json_key(json, "name");
	json_text(json, x->session->model.sources.data[0].exp->path);
	put_frames(x);
	put_profiles(x);
	json_end(json);
	strbuf_addch(&json->out->text, '\n');
}

static void write_speedscope(struct session *s, struct stream *out)
{
	struct speedscope x = {
		.session = s,
		.json = { .out = out, .style = &json_spaced },
		.opened = SIZE_MAX,
	};

	session_shown(s, &x.shown);
	read_tracks(&x);
	if (x.tracks.len)
		qsort(x.tracks.data, x.tracks.len, sizeof(*x.tracks.data), by_weight);
	put_document(&x);
	vec_for_each(struct track, track, &x.tracks)
		vec_release(&track->line.moments);
	vec_release(&x.tracks);
	vec_release(&x.stack);
	frame_map_release(&x.shown);
}

const struct export_format export_speedscope = {
	.write = write_speedscope,
};
