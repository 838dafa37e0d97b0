/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

void session_init(struct session *s)
{
	*s = (struct session){ 0 };
	model_init(&s->model);
	output_init(&s->out);
}

void session_release(struct session *s)
{
	if (s->analysed)
		analysis_release(&s->analysis);
	vec_release(&s->metrics);
	names_release(&s->names);
	output_release(&s->out);
	model_release(&s->model);
}

int session_open(struct session *s, const char *path, struct strbuf *err)
{
	int error = model_add(&s->model, path, err);

	if (error)
		return error;
	if (s->analysed)
		analysis_release(&s->analysis);
	s->analysed = false;
	metric_list_default(&s->model, &s->metrics);
	return 0;
}

const struct analysis *session_analysis(struct session *s)
{
	struct frame_map map;

	if (!s->analysed) {
		frame_map_functions(&map, &s->model);
		analysis_build(&s->analysis, &s->model, &map);
		frame_map_release(&map);
	}
	s->analysed = true;
	return &s->analysis;
}

struct sort_key session_sort(const struct session *s)
{
	return s->sort_given ? s->sort : sort_key_default(&s->metrics);
}

const char *session_function(struct session *s, uint32_t function)
{
	return names_function(&s->names, &s->model, function);
}

int session_show(struct session *s, struct table *table)
{
	int error = output_table(&s->out, &s->model, table);

	table_release(table);
	return error;
}
