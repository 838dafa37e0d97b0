/* SPDX-License-Identifier: Apache-2.0 */
#include "page/code_json.h"

#include <errno.h>
#include <stdlib.h>

#include "base/strtab.h"
#include "base/xalloc.h"
#include "render/json_writer.h"

struct code_writer {
	const struct page_data *data;
	const struct page_code *code;
	struct json_writer json;
	struct strtab paths; /* of lines: the files first, then others, from 1 */
	uint32_t *number;    /* model's function → the page's + 1; 0: not in the page */
};

static void put_text(struct code_writer *w, const char *text)
{
	struct strbuf clean = { 0 };

	foreign_put(&clean, foreign(text));
	json_text(&w->json, strbuf_str(&clean));
	strbuf_release(&clean);
}

static void begin(struct code_writer *w, const char *key)
{
	json_key(&w->json, key);
	json_begin_array(&w->json);
}

/* Their numbers in places: FIRST, and from then on. */
static void put_first(struct code_writer *w, const uint32_t *numbers, const bool *kept,
		      size_t group, size_t count)
{
	size_t at = 0;

	while (at < count && !kept[at])
		at++;
	json_key(&w->json, "first");
	json_unsigned(&w->json, at < count ? numbers[group + at] : 0);
}

/* One row: its number in the list, the metric, exclusive and inclusive. */
static void put_values(struct code_writer *w, const struct sums *sums, size_t group,
		       size_t row)
{
	for (size_t m = 0; m < w->data->session->model.metrics.len; m++) {
		struct value own = sums_value(sums, EXCLUSIVE, m, group);
		struct value all = sums_value(sums, INCLUSIVE, m, group);

		if (!value_is_any(own) && !value_is_any(all))
			continue;
		json_begin_array(&w->json);
		json_unsigned(&w->json, row);
		json_unsigned(&w->json, m);
		json_unsigned(&w->json, own.samples);
		json_unsigned(&w->json, own.weight);
		json_unsigned(&w->json, all.samples);
		json_unsigned(&w->json, all.weight);
		json_end(&w->json);
	}
}

/* ---- files ---- */

static void put_file(struct code_writer *w, const struct page_file *file)
{
	struct strbuf line = { 0 };
	size_t row = 0;

	json_begin_object(&w->json);
	json_key(&w->json, "path");
	put_text(w, page_strip_path(w->data->stacks.strip,
				    model_string(&w->data->session->model, file->name)));
	json_key(&w->json, "newer");
	json_bool(&w->json, file->newer);
	begin(w, "lines");
	for (size_t n = 0; n < file->text.lines.len; n++)
		if (file->kept[n])
			json_unsigned(&w->json, n + 1);
	json_end(&w->json);
	begin(w, "text");
	for (size_t n = 0; n < file->text.lines.len; n++) {
		if (!file->kept[n])
			continue;
		source_text_line(&file->text, n + 1, &line);
		put_text(w, strbuf_str(&line));
	}
	json_end(&w->json);
	put_first(w, w->data->places.line_number, file->kept, file->first,
		  file->text.lines.len);
	if (!page_places_any(&w->data->places)) {
		begin(w, "values");
		for (size_t n = 0; n < file->text.lines.len; n++)
			if (file->kept[n])
				put_values(w, &w->code->lines, file->first + n, row++);
		json_end(&w->json);
	}
	json_end(&w->json);
	strbuf_release(&line);
}

/* ---- functions ---- */

static const struct {
	int error;
	const char *why;
} reasons[] = {
	{ 0, "it has no code of its own in a file" },
	{ -ESTALE, "the file differs from the recorded one" },
	{ -ENOKEY, "nothing shows that the file here is the one that ran" },
	{ -ENOENT, "the file no longer exists" },
	{ -ENOTSUP, "the instructions of its machine are not known" },
};

static const char *reason_of(int error)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].error == error)
			return reasons[i].why;
	return "the file could not be read";
}

/* From 1, in the order in which they are asked for. */
static uint32_t path_number(struct code_writer *w, const struct disassembly *code,
			    const struct line_frame *line)
{
	return line ? strtab_intern(&w->paths, strtab_get(&code->lines.texts, line->file))
		    : 0;
}

/* For each kept instruction of F what PUT writes. */
static void
put_column(struct code_writer *w, const char *key, const struct page_code_function *f,
	   void (*put)(struct code_writer *w, const struct page_code_object *o, size_t i))
{
	const struct page_code_object *o = &w->code->objects.data[f->object - 1];

	begin(w, key);
	for (size_t i = f->from; i < f->end; i++)
		if (o->kept[i])
			put(w, o, i);
	json_end(&w->json);
}

static void put_address(struct code_writer *w, const struct page_code_object *o, size_t i)
{
	json_unsigned(&w->json, o->code.list.data[i].vaddr);
}

static void put_target(struct code_writer *w, const struct page_code_object *o, size_t i)
{
	json_unsigned(&w->json, o->code.list.data[i].target);
}

static void put_instruction(struct code_writer *w, const struct page_code_object *o,
			    size_t i)
{
	put_text(w, page_strip_name(w->data->stacks.strip,
				    o->code.text.data + o->code.list.data[i].text));
}

static void put_path(struct code_writer *w, const struct page_code_object *o, size_t i)
{
	json_unsigned(&w->json, path_number(w, &o->code, disassembly_line(&o->code, i)));
}

static void put_line(struct code_writer *w, const struct page_code_object *o, size_t i)
{
	const struct line_frame *line = disassembly_line(&o->code, i);

	json_unsigned(&w->json, line ? line->line : 0);
}

static void put_code(struct code_writer *w, const struct page_code_function *f)
{
	const struct page_code_object *o = &w->code->objects.data[f->object - 1];
	size_t row = 0;

	json_key(&w->json, "count");
	json_unsigned(&w->json, f->end - f->from);
	json_key(&w->json, "unknown");
	json_unsigned(&w->json, disassembly_unknown(&o->code, f->from, f->end));
	put_column(w, "address", f, put_address);
	put_column(w, "text", f, put_instruction);
	put_column(w, "path", f, put_path);
	put_column(w, "line", f, put_line);
	put_column(w, "target", f, put_target);
	put_first(w, w->data->places.instruction_number, o->kept + f->from,
		  o->first + f->from, f->end - f->from);
	if (page_places_any(&w->data->places))
		return;
	begin(w, "values");
	for (size_t i = f->from; i < f->end; i++)
		if (o->kept[i])
			put_values(w, &w->code->instructions, o->first + i, row++);
	json_end(&w->json);
}

static void put_function(struct code_writer *w, const struct page_code_function *f)
{
	uint32_t number = w->number[f->function];

	if (!number)
		return;
	json_begin_object(&w->json);
	json_key(&w->json, "function");
	json_unsigned(&w->json, number - 1);
	json_key(&w->json, "file");
	json_unsigned(&w->json, f->file);
	if (f->object) {
		put_code(w, f);
	} else {
		json_key(&w->json, "why");
		json_text(&w->json, reason_of(f->error));
		if (f->within != MODEL_NONE && w->number[f->within]) {
			json_key(&w->json, "within");
			json_unsigned(&w->json, w->number[f->within] - 1);
		}
	}
	json_end(&w->json);
}

static void number_functions(struct code_writer *w)
{
	uint32_t n = 0;

	w->number = xcalloc(w->data->session->model.functions.len + 1,
			    sizeof(*w->number));
	vec_for_each(const uint32_t, function, &w->data->stacks.functions) {
		n++;
		if (*function != MODEL_NONE)
			w->number[*function] = n;
	}
}

void page_code_json(const struct page_data *data, struct strbuf *out)
{
	struct stream stream = { 0 };
	struct code_writer w = { .data = data,
				 .code = &data->code,
				 .json = { .out = &stream, .style = &json_compact } };

	strtab_init(&w.paths);
	number_functions(&w);
	vec_for_each(const struct page_file, file, &w.code->files)
		strtab_intern(&w.paths, model_string(&data->session->model, file->name));
	json_begin_object(&w.json);
	begin(&w, "files");
	vec_for_each(const struct page_file, file, &w.code->files)
		put_file(&w, file);
	json_end(&w.json);
	begin(&w, "functions");
	vec_for_each(const struct page_code_function, f, &w.code->functions)
		put_function(&w, f);
	json_end(&w.json);
	begin(&w, "paths");
	for (uint32_t p = 1; p < strtab_count(&w.paths); p++)
		put_text(&w,
			 page_strip_path(data->stacks.strip, strtab_get(&w.paths, p)));
	json_end(&w.json);
	json_end(&w.json);
	strbuf_add(out, stream.text.data, stream.text.len);
	strbuf_release(&stream.text);
	strtab_release(&w.paths);
	free(w.number);
}
