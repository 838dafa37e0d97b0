/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "export/export.h"

#include <inttypes.h>

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

/* The stacks that have a weight; gives the sum of these. */
static uint64_t put_stacks(struct session *s, const struct tree *tree, size_t metric,
			   FILE *file)
{
	struct export_stack stack = { 0 };
	const char *part = "\n[";
	uint64_t sum = 0;

	for (size_t n = 1; n < tree->nodes.len; n++) {
		uint64_t weight = export_weight(s, tree, metric, n);

		if (!weight)
			continue;
		sum += weight;
		export_stack_of(tree, n, &stack);
		for (size_t i = 0; i < stack.len; i++)
			fprintf(file, "%s%" PRIu32, i ? "," : part, stack.data[i]);
		fputs("]", file);
		part = ",\n[";
	}
	vec_release(&stack);
	return sum;
}

static void put_weights(const struct session *s, const struct tree *tree, size_t metric,
			FILE *file)
{
	const char *part = "";

	for (size_t n = 1; n < tree->nodes.len; n++) {
		uint64_t weight = export_weight(s, tree, metric, n);

		if (!weight)
			continue;
		fprintf(file, "%s%" PRIu64, part, weight);
		part = ",";
	}
}

static void put_profile(struct session *s, const struct tree *tree, size_t m, FILE *file)
{
	const struct metric *metric = &s->model.metrics.data[m];
	uint64_t sum;

	fputs("{\"type\": \"sampled\", \"name\": ", file);
	export_json_text(model_string(&s->model, metric->label), file);
	fprintf(file, ", \"unit\": \"%s\", \"startValue\": 0,\n\"samples\": [",
		metric->clock ? "nanoseconds" : "none");
	sum = put_stacks(s, tree, m, file);
	fputs("\n],\n\"weights\": [", file);
	put_weights(s, tree, m, file);
	fprintf(file, "],\n\"endValue\": %" PRIu64 "}", sum);
}

static void write_speedscope(struct session *s, FILE *file)
{
	const struct tree *tree = &session_analysis(s)->tree;

	fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\": \"ringprof " PACKAGE_VERSION "\",\n\"name\": ",
	      file);
	export_json_text(s->model.sources.data[0].exp->path, file);
	fputs(",\n", file);
	put_frames(s, file);
	fputs(",\n\"profiles\": [\n", file);
	for (size_t m = 0; m < s->model.metrics.len; m++) {
		fputs(m ? ",\n" : "", file);
		put_profile(s, tree, m, file);
	}
	fputs("\n]}\n", file);
}

const struct export_format export_speedscope = {
	.word = "speedscope",
	.write = write_speedscope,
};
