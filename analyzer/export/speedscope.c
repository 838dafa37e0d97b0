/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export speedscope: profiles of each metric.
 *
 * speedscope shows a profile's samples in the order of the file.  So each thread's
 * samples are a profile in order of time.  Amounts without a time are in a profile whose
 * name says so, the heaviest stack first: all threads together, and counts without a
 * sample.
 */
#include "config.h"

#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/moments.h"
#include "base/xalloc.h"

/* A thread's samples of a metric. */
struct track {
	size_t source, thread, metric;
	uint64_t weight;
	struct timeline line; /* without what no sample stands for */
	uint64_t unsampled;
};

struct speedscope {
	struct session *session;
	FILE *file;
	struct frame_map shown; /* what frames are */
	VEC(struct track) tracks;
	struct export_stack stack; /* of the sample at hand */
	size_t profiles;           /* written so far */
	size_t opened;             /* the first timeline; SIZE_MAX: none */
};

/* All functions, so that a frame's number is its function's. */
static void put_frames(struct session *s, FILE *file)
{
	fputs("\"shared\": {\"frames\": [", file);
	for (uint32_t f = 0; f < s->model.functions.len; f++) {
		fputs(f ? ",\n{\"name\": " : "\n{\"name\": ", file);
		export_json_text(session_function(s, f), file);
		fputs(", \"file\": ", file);
		export_json_text(
			object_path(&s->model, s->model.functions.data[f].object), file);
		fputs("}", file);
	}
	fputs("\n]}", file);
}

static void put_stack(const struct speedscope *x)
{
	vec_for_each(const uint32_t, function, &x->stack)
		fprintf(x->file, "%s%" PRIu32, function == x->stack.data ? "[" : ",",
			*function);
	fputs("]", x->file);
}

static void begin_profile(struct speedscope *x, size_t m, const char *name)
{
	const struct metric *metric = &x->session->model.metrics.data[m];

	fputs(x->profiles++ ? ",\n{\"type\": \"sampled\", \"name\": "
			    : "\n{\"type\": \"sampled\", \"name\": ",
	      x->file);
	export_json_text(name, x->file);
	fprintf(x->file, ", \"unit\": \"%s\", \"startValue\": 0,\n\"samples\": [",
		metric->clock ? "nanoseconds" : "none");
}

static void put_weights(const struct speedscope *x, const uint64_t *weights, size_t count)
{
	uint64_t sum = 0;

	fputs("\n],\n\"weights\": [", x->file);
	for (size_t i = 0; i < count; i++) {
		fprintf(x->file, "%s%" PRIu64, i ? "," : "", weights[i]);
		sum += weights[i];
	}
	fprintf(x->file, "],\n\"endValue\": %" PRIu64 "}", sum);
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
		*vec_push(&path) = exp->nodes.data[node].frame;
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

		/* the sum is rounded, and not each weight */
		raw += m->weight;
		upto = export_scaled(x->session, track->metric, raw);
		if (m->node == before) {
			weights.data[weights.len - 1] += upto - written;
		} else {
			fputs(weights.len ? ",\n" : "\n", x->file);
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

/* "CPU Cycles: worker (71/72)" */
static void name_track(const struct speedscope *x, const struct track *track,
		       struct strbuf *out)
{
	const struct model *model = &x->session->model;
	const struct experiment *exp = model->sources.data[track->source].exp;
	const struct exp_thread *thread = &exp->threads.data[track->thread];

	strbuf_clear(out);
	strbuf_addf(out, "%s: ",
		    model_string(model, model->metrics.data[track->metric].label));
	if (model->sources.len > 1)
		strbuf_addf(out, "[%zu] ", track->source + 1);
	strbuf_addf(out, "%s (%" PRId64 "/%" PRId64 ")",
		    experiment_string(exp, thread->name),
		    exp->processes.data[thread->process].pid, thread->tid);
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
	const struct tree *tree = session_tree(x->session);
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
		fputs(weights.len ? ",\n" : "\n", x->file);
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

/* The tracks from FIRST on that are of METRIC. */
static size_t count_tracks(const struct speedscope *x, size_t first, size_t metric)
{
	size_t end = first;

	while (end < x->tracks.len && x->tracks.data[end].metric == metric)
		end++;
	return end - first;
}

/* Whether one timeline has everything of the metric. */
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

	fputs(",\n\"profiles\": [", x->file);
	for (size_t m = 0; m < x->session->model.metrics.len; m++) {
		size_t count = count_tracks(x, first, m);

		put_metric(x, m, first, count);
		first += count;
	}
	fprintf(x->file, "\n],\n\"activeProfileIndex\": %zu}\n",
		x->opened == SIZE_MAX ? 0 : x->opened);
}

static void write_speedscope(struct session *s, FILE *file)
{
	struct speedscope x = { .session = s, .file = file, .opened = SIZE_MAX };

	session_shown(s, &x.shown);
	read_tracks(&x);
	if (x.tracks.len)
		qsort(x.tracks.data, x.tracks.len, sizeof(*x.tracks.data), by_weight);
	fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\": \"ringprof " PACKAGE_VERSION "\",\n\"name\": ",
	      file);
	export_json_text(s->model.sources.data[0].exp->path, file);
	fputs(",\n", file);
	put_frames(s, file);
	put_profiles(&x);
	vec_for_each(struct track, track, &x.tracks)
		vec_release(&track->line.moments);
	vec_release(&x.tracks);
	vec_release(&x.stack);
	frame_map_release(&x.shown);
}

const struct export_format export_speedscope = {
	.word = "speedscope",
	.write = write_speedscope,
};
