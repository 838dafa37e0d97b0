/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "experiment/block.h"
#include "experiment/encode.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/xalloc.h"

/* Inlining is no deeper than debug information is followed. */
enum { ROWS_PER_BLOCK = 32768, FILE_MAX = 1 << 30, OF_FRAME_MAX = 512 };

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
	bool is_for_this;    /* the lines belong to this data */
	struct exp_budget budget;
	size_t of_frame; /* lines of the last frame */
};

static bool take_strings(struct reader *r, const struct exp_rows *rows)
{
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

static bool take_key(struct reader *r, const struct exp_rows *rows)
{
	uint64_t *const *column = rows->column;
	uint64_t started = column[EXP_LINE_KEY_STARTED][0];

	r->is_for_this = rows->count == 1 && started < r->texts.len &&
			 column[EXP_LINE_KEY_BYTES][0] == r->exp->bytes &&
			 !strcmp(strtab_get(&r->lines->texts, r->texts.data[started]),
				 r->exp->log.started);
	return r->is_for_this;
}

static bool take_modules(struct reader *r, const struct exp_rows *rows)
{
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

static bool take_lines(struct reader *r, const struct exp_rows *rows)
{
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

static bool (*const takers[EXP_TABLES])(struct reader *, const struct exp_rows *) = {
	[EXP_STRINGS] = take_strings,
	[EXP_LINE_KEY] = take_key,
	[EXP_LINE_MODULES] = take_modules,
	[EXP_LINES] = take_lines,
};

/* The key comes first. */
static bool take_block(struct reader *r, struct cursor *c, struct strbuf *raw,
		       struct exp_rows *rows)
{
	const void *head = cursor_bytes(c, EXP_BLOCK_HEADER_SIZE);
	struct exp_block_header header;
	const void *payload;

	if (!head || exp_block_header_decode(head, &header))
		return false;
	payload = cursor_bytes(c, header.stored_size);
	if (!cursor_ok(c) || header.table >= EXP_TABLES || !takers[header.table] ||
	    !exp_budget_take(&r->budget, exp_block_size(&header)) ||
	    exp_block_decode(&header, head, payload, raw, rows) || !rows->count)
		return false;
	if (header.table != EXP_STRINGS && header.table != EXP_LINE_KEY &&
	    !r->is_for_this)
		return false;
	return takers[header.table](r, rows);
}

static int take_all(struct reader *r, const struct strbuf *bytes)
{
	struct strbuf header = { 0 }, raw = { 0 };
	struct exp_rows rows = { 0 };
	struct cursor c;
	const void *head;
	bool good;

	exp_header_encode(&header);
	cursor_init(&c, strbuf_str(bytes), bytes->len);
	head = cursor_bytes(&c, header.len);
	good = head && !memcmp(head, header.data, header.len);
	while (good && cursor_left(&c))
		good = take_block(r, &c, &raw, &rows);
	exp_rows_release(&rows);
	strbuf_release(&raw);
	strbuf_release(&header);
	return good && r->lines->modules.len ? 0 : -EBADMSG;
}

int exp_lines_read(struct exp_lines *lines, const struct experiment *exp)
{
	struct reader r = { .lines = lines, .exp = exp };
	struct strbuf bytes = { 0 };
	int fd = folder_open_file(exp->dir, EXP_LINES_FILE);
	int error = fd < 0 ? fd : file_read_fd(fd, FILE_MAX, &bytes);

	if (fd >= 0)
		close(fd);
	exp_lines_init(lines);
	*vec_push(&r.texts) = 0;
	exp_budget_init(&r.budget, bytes.len, false);
	if (!error)
		error = take_all(&r, &bytes);
	if (error) {
		exp_lines_release(lines);
		exp_lines_init(lines);
	}
	vec_release(&r.texts);
	strbuf_release(&bytes);
	return error;
}

/* ---- writing ---- */

/* Blocks on their way to a file: STATUS is the first error. */
struct writer {
	struct strbuf out;
	struct exp_encoder encoder;
	struct exp_rows rows;
	int status;
};

static void end_block(struct writer *w)
{
	if (w->rows.count && !w->status)
		w->status = exp_block_encode(&w->encoder, &w->rows, &w->out);
	exp_rows_clear(&w->rows);
}

static void begin_table(struct writer *w, enum exp_table table)
{
	end_block(w);
	w->rows.table = table;
}

static void put_row(struct writer *w, const uint64_t *values)
{
	exp_rows_add(&w->rows, values);
	if (w->rows.count >= ROWS_PER_BLOCK)
		end_block(w);
}

static void put_string(struct writer *w, const char *text)
{
	enum { TEXT_MAX = 64 << 10, BLOCK_TEXT = 4 << 20 };
	size_t len = strnlen(text, TEXT_MAX);

	strbuf_add(&w->rows.text, text, len);
	put_row(w, (uint64_t[]){ len });
	if (w->rows.text.len >= BLOCK_TEXT)
		end_block(w);
}

/* Modules come last: if they are missing, the file was truncated. */
static void put_all(struct writer *w, const struct exp_lines *lines,
		    const struct experiment *exp)
{
	uint32_t texts = strtab_count(&lines->texts);

	exp_header_encode(&w->out);
	begin_table(w, EXP_STRINGS);
	for (uint32_t i = 1; i < texts; i++)
		put_string(w, strtab_get(&lines->texts, i));
	put_string(w, exp->log.started);
	begin_table(w, EXP_LINE_KEY);
	put_row(w, (uint64_t[]){ exp->bytes, texts });
	begin_table(w, EXP_LINES);
	vec_for_each(const struct exp_line, line, &lines->lines)
		put_row(w, (uint64_t[EXP_LINE_COLUMNS]){
				   line->frame, line->function, line->file, line->line,
				   line->decl_file, line->decl_line });
	begin_table(w, EXP_LINE_MODULES);
	vec_for_each(const struct exp_line_module, m, &lines->modules)
		put_row(w, (uint64_t[EXP_LINE_MODULE_COLUMNS]){ m->module, m->debug_file,
								m->declared });
	end_block(w);
}

int exp_lines_write(const struct exp_lines *lines, const struct experiment *exp)
{
	struct writer w = { 0 };

	if (!folder_is_ours(exp->dir))
		return -EACCES;
	put_all(&w, lines, exp);
	if (!w.status)
		w.status = folder_replace_file(exp->dir, EXP_LINES_FILE, w.out.data,
					       w.out.len);
	exp_rows_release(&w.rows);
	exp_encoder_release(&w.encoder);
	strbuf_release(&w.out);
	return w.status;
}
