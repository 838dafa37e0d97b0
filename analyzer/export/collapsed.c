/* SPDX-License-Identifier: Apache-2.0 */
#include "export/export.h"
#include "model/foreign.h"

#include <stdlib.h>
#include <string.h>

/* A name without characters that separate frames. */
static void put_name(const char *name, struct strbuf *line)
{
	size_t start = line->len;

	foreign_put(line, foreign(name));
	export_end_frame(line, start);
}

static void write_collapsed(struct session *s, struct stream *out)
{
	const struct tree *tree = &session_analysis(s, ANALYSIS_TREE)->tree;
	struct metric_item by = session_sort(s).by;
	struct export_stack stack = { 0 };
	uint32_t metric;

	if (!metric_item_base(&s->model, &by, &metric))
		return;

	for (size_t n = 1; n < tree->nodes.len && stream_pass(out); n++) {
		uint64_t weight = export_weight(s, tree, metric, n);

		if (!weight)
			continue;
		export_stack_of(tree, n, &stack);
		vec_for_each(const uint32_t, function, &stack) {
			if (function != stack.data)
				strbuf_addch(&out->text, ';');
			put_name(session_function(s, *function), &out->text);
		}
		strbuf_addf(&out->text, " %llu\n", (unsigned long long)weight);
	}
	vec_release(&stack);
}

const struct export_format export_collapsed = {
	.write = write_collapsed,
};
