/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/lines.h"

#include <errno.h>
#include <string.h>

#include "experiment/kept.h"

/* Debug information is not followed any deeper. */
enum { OF_FRAME_MAX = 512 };

void exp_lines_init(struct exp_lines *lines)
{
	*lines = (struct exp_lines){ 0 };
	strtab_init(&lines->texts);
}

void exp_lines_release(struct exp_lines *lines)
{
	vec_release(&lines->modules);
	vec_release(&lines->lines);
	strtab_release(&lines->texts);
}

/* ---- reading ---- */

struct reader {
	struct exp_lines *lines;
	const struct experiment *exp;
	VEC(uint32_t) texts; /* id in the file → id in lines */
	size_t of_frame;     /* lines of the last frame */
};

static bool take_strings(void *ctx, const struct exp_rows *rows)
{
	struct reader *r = ctx;
	size_t at = 0;

	for (size_t i = 0; i < rows->count; i++) {
		size_t len = rows->column[EXP_STRING_TEXT][i];
		const char *text = strbuf_str(&rows->text) + at;

		*vec_push(&r->texts) = strtab_intern_len(&r->lines->texts, text,
							 strnlen(text, len));
		at += len;
	}
	return true;
}

static bool take_modules(void *ctx, const struct exp_rows *rows)
{
	struct reader *r = ctx;

	for (size_t i = 0; i < rows->count; i++) {
		uint64_t module = rows->column[EXP_LINE_MODULE_ID][i];

		if (module >= r->exp->modules.len)
			return false;
		*vec_push(&r->lines->modules) = (struct exp_line_module){
			(uint32_t)module,
			rows->column[EXP_LINE_MODULE_DEBUG_FILE][i] != 0,
			rows->column[EXP_LINE_MODULE_DECLARED][i] != 0,
		};
	}
	return true;
}

static bool take_lines(void *ctx, const struct exp_rows *rows)
{
	struct reader *r = ctx;

	for (size_t i = 0; i < rows->count; i++) {
		uint64_t frame = rows->column[EXP_LINE_FRAME][i];
		uint64_t function = rows->column[EXP_LINE_FUNCTION][i];
		uint64_t file = rows->column[EXP_LINE_FILE][i];
		uint64_t line = rows->column[EXP_LINE_NUMBER][i];
		uint64_t decl_file = rows->column[EXP_LINE_DECL_FILE][i];
		uint64_t decl_line = rows->column[EXP_LINE_DECL_NUMBER][i];
		size_t count = r->lines->lines.len;

		r->of_frame = count && r->lines->lines.data[count - 1].frame == frame
				      ? r->of_frame + 1
				      : 1;
		if (r->of_frame > OF_FRAME_MAX)
			return false;
		if (frame >= r->exp->frames.len || function >= r->texts.len ||
		    file >= r->texts.len || line > UINT32_MAX ||
		    decl_file >= r->texts.len || decl_line > UINT32_MAX ||
		    (count && frame < r->lines->lines.data[count - 1].frame))
			return false;
		*vec_push(&r->lines->lines) = (struct exp_line){
			(uint32_t)frame, r->texts.data[function],  r->texts.data[file],
			(uint32_t)line,  r->texts.data[decl_file], (uint32_t)decl_line,
		};
	}
	return true;
}

static kept_taker *const takers[EXP_TABLES] = {
	[EXP_STRINGS] = take_strings,
	[EXP_LINE_MODULES] = take_modules,
	[EXP_LINES] = take_lines,
};

int exp_lines_read(struct exp_lines *lines, const struct experiment *exp)
{
	struct reader r = { .lines = lines, .exp = exp };
	int error;

	exp_lines_init(lines);
	*vec_push(&r.texts) = 0;
	error = kept_read(exp, EXP_LINES_FILE, takers, &r);
	if (!error && !lines->modules.len)
		error = -EBADMSG;
	if (error) {
		exp_lines_release(lines);
		exp_lines_init(lines);
	}
	vec_release(&r.texts);
	return error;
}

/* ---- writing ---- */

/* In the file, where the key's string is the first. */
static uint64_t number_of(uint32_t text)
{
	return text ? text + UINT64_C(1) : 0;
}

/* Modules come last: if they are missing, the file was cut. */
int exp_lines_write(const struct exp_lines *lines, const struct experiment *exp)
{
	uint32_t texts = strtab_count(&lines->texts);
	struct kept_writer w = { 0 };

	kept_key(&w, exp);
	kept_begin(&w, EXP_STRINGS);
	for (uint32_t i = 1; i < texts; i++)
		kept_string(&w, strtab_get(&lines->texts, i));
	kept_begin(&w, EXP_LINES);
	vec_for_each(const struct exp_line, line, &lines->lines)
		kept_row(&w, (uint64_t[EXP_LINE_COLUMNS]){
				     line->frame, number_of(line->function),
				     number_of(line->file), line->line,
				     number_of(line->decl_file), line->decl_line });
	kept_begin(&w, EXP_LINE_MODULES);
	vec_for_each(const struct exp_line_module, m, &lines->modules)
		kept_row(&w, (uint64_t[EXP_LINE_MODULE_COLUMNS]){
				     m->module, m->debug_file, m->declared });
	return kept_write(&w, exp, EXP_LINES_FILE);
}
